// Did the subject ever answer? If not, its command line may be wrong.
#pragma once

#include "harness/subject/link/link.hpp"

namespace assay {

/// A link may implement it beside Link.
class FirstReply {
 public:
  virtual ~FirstReply() = default;
  /// At least one good reply came, restarts included.
  virtual bool has_ever_answered() const = 0;
};

/// False for a link that cannot tell.
inline bool never_answered(const Link& link) {
  const auto* known = dynamic_cast<const FirstReply*>(&link);
  return known != nullptr && !known->has_ever_answered();
}

}  // namespace assay

// Whether a subject has ever answered; if not, its command line may be wrong.
#pragma once

#include "harness/subject/link/link.hpp"

namespace assay {

/// An optional interface of links.
class FirstReply {
 public:
  virtual ~FirstReply() = default;
  /// True if there was at least one valid reply, including before restarts.
  virtual bool has_ever_answered() const = 0;
};

/// False for a link without this interface.
inline bool never_answered(const Link& link) {
  const auto* known = dynamic_cast<const FirstReply*>(&link);
  return known != nullptr && !known->has_ever_answered();
}

}  // namespace assay

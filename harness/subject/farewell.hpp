// How a subject takes it when no more commands come.
#pragma once

#include <optional>
#include <string>

#include "harness/subject/link.hpp"

namespace assay {

/// A link may implement it beside Link. No exchange comes behind it, unless the link is restarted.
class Farewell {
 public:
  virtual ~Farewell() = default;
  /// Ends the subject. A sentence where it crashed, or ended with another status than 0; nothing
  /// where all was well, or where it had to be ended.
  virtual std::optional<std::string> say_farewell() = 0;
};

/// Nothing for a link that cannot tell.
inline std::optional<std::string> say_farewell(Link& link) {
  auto* known = dynamic_cast<Farewell*>(&link);
  return known == nullptr ? std::nullopt : known->say_farewell();
}

}  // namespace assay

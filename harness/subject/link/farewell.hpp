// Ending a subject: closing its input, waiting for it, killing it.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "harness/subject/link/link.hpp"

namespace assay {

/// A link may implement it beside Link. No exchange comes behind it, unless the link is restarted.
class Farewell {
 public:
  virtual ~Farewell() = default;
  /// Ends the subject. A sentence where it crashed, or ended with another status than 0. It is
  /// given a moment, and then killed without a word; or `patience`, for one that has something to
  /// write, and taking longer is a sentence, too.
  virtual std::optional<std::string> say_farewell(
      std::optional<std::chrono::milliseconds> patience) = 0;
};

/// Nothing for a link that cannot tell.
inline std::optional<std::string> say_farewell(
    Link& link, std::optional<std::chrono::milliseconds> patience = std::nullopt) {
  auto* known = dynamic_cast<Farewell*>(&link);
  return known == nullptr ? std::nullopt : known->say_farewell(patience);
}

}  // namespace assay

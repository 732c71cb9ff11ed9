// Ends a subject: closes its input, waits for it, and kills it if necessary.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "harness/subject/link/link.hpp"

namespace assay {

/// An optional interface of links. No exchange may follow, unless the link is restarted.
class ClosableLink {
 public:
  virtual ~ClosableLink() = default;
  /// Ends the subject. Returns a sentence if it crashed or exited with a status other than 0.
  /// Without `patience`, it is killed silently after a short time; with `patience`, for a subject
  /// that has something to write, exceeding it is reported too.
  virtual std::optional<std::string> close_subject(
      std::optional<std::chrono::milliseconds> patience) = 0;
};

/// Nothing for a link without this interface.
inline std::optional<std::string> close_subject(
    Link& link, std::optional<std::chrono::milliseconds> patience = std::nullopt) {
  auto* known = dynamic_cast<ClosableLink*>(&link);
  return known == nullptr ? std::nullopt : known->close_subject(patience);
}

}  // namespace assay

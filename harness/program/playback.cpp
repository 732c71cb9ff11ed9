// Replies from a transcript.
#include "harness/program/playback.hpp"

#include <fmt/format.h>

#include "harness/protocol/json.hpp"

namespace assay {

Reply Playback::exchange(const Command& command) {
  if (command.id == 0 && command.verb == "hello") return hello_;
  if (command.id == 0 && command.verb == "reset") return Reply::make_ok({{"uncleaned", List{}}});
  // The cleanup of a case after the first difference is not checked.
  if (!stale_.empty()) throw RecordingMismatch(stale_);
  const std::string sent = to_json(command);
  if (next_ == exchanges_.size()) {
    stale_ = fmt::format("command {} was not recorded: {}", next_ + 1, sent);
  } else if (const std::string recorded = to_json(exchanges_[next_].first); recorded != sent) {
    stale_ = fmt::format("command {} was recorded as {}, and is now {}", next_ + 1, recorded, sent);
  }
  if (!stale_.empty()) throw RecordingMismatch(stale_);
  return exchanges_[next_++].second;
}

std::string Playback::stale() const {
  if (!stale_.empty() || next_ == exchanges_.size()) return stale_;
  return fmt::format("{} commands were recorded, and only {} are sent now", exchanges_.size(),
                     next_);
}

}  // namespace assay

// Answering from a transcript.
#include "harness/program/playback.hpp"

#include <fmt/format.h>

#include "harness/protocol/json.hpp"

namespace assay {

Reply Playback::exchange(const Command& command) {
  const std::string sent = to_json(command);
  if (finished()) {
    throw Stale(fmt::format("command {} was not recorded: {}", next_ + 1, sent));
  }
  const auto& [recorded, reply] = exchanges_[next_];
  if (to_json(recorded) != sent) {
    throw Stale(fmt::format("command {} was recorded as {}, and is now {}", next_ + 1,
                            to_json(recorded), sent));
  }
  ++next_;
  return reply;
}

}  // namespace assay

// A link that replies from a transcript, without the subject.
#pragma once

#include <stdexcept>
#include <utility>
#include <vector>

#include "harness/subject/link/link.hpp"

namespace assay {

/// The case sends a different command than when it was recorded.
class RecordingMismatch : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Playback final : public Link {
 public:
  /// `hello` is the subject's reply to hello. Transcripts contain neither that nor `reset`; both
  /// have id 0.
  Playback(const std::vector<std::pair<Command, Reply>>& exchanges, Reply hello)
      : exchanges_(exchanges), hello_(std::move(hello)) {}

  /// Throws Stale unless `command` is the next one of the transcript.
  Reply exchange(const Command& command) override;
  void restart() override { next_ = 0; }

  /// Why the transcript no longer matches the case; empty if it does. Call at the end of the case,
  /// because recorded commands that were not sent make the transcript stale too.
  std::string stale() const;

 private:
  const std::vector<std::pair<Command, Reply>>& exchanges_;
  Reply hello_;
  std::size_t next_ = 0;
  std::string stale_;
};

}  // namespace assay

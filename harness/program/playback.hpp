// A link that answers from a transcript: what a case would have said, without the subject.
#pragma once

#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "harness/subject/link/link.hpp"

namespace assay {

/// The case now sends another command than it did when it was recorded.
class Stale : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Playback final : public Link {
 public:
  /// `hello` is what the subject said; neither that nor `reset` is part of a transcript, and both
  /// carry id 0.
  Playback(const std::vector<std::pair<Command, Reply>>& exchanges, Reply hello)
      : exchanges_(exchanges), hello_(std::move(hello)) {}

  /// Throws Stale unless `command` is the next of the transcript.
  Reply exchange(const Command& command) override;
  void restart() override { next_ = 0; }

  /// Why the transcript does not fit the case any more; empty when it does. Ask when the case has
  /// ended: commands that were recorded and not sent make it stale as well.
  std::string stale() const;

 private:
  const std::vector<std::pair<Command, Reply>>& exchanges_;
  Reply hello_;
  std::size_t next_ = 0;
  std::string stale_;
};

}  // namespace assay

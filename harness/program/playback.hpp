// A link that answers from a transcript: what a case would have said, without the subject.
#pragma once

#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "harness/subject/link.hpp"

namespace assay {

/// The case now sends another command than it did when it was recorded.
class Stale : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Playback final : public Link {
 public:
  explicit Playback(const std::vector<std::pair<Command, Reply>>& exchanges)
      : exchanges_(exchanges) {}

  /// Throws Stale unless `command` is the next of the transcript.
  Reply exchange(const Command& command) override;
  void restart() override { next_ = 0; }

  /// Every recorded exchange has been played.
  bool finished() const { return next_ == exchanges_.size(); }

 private:
  const std::vector<std::pair<Command, Reply>>& exchanges_;
  std::size_t next_ = 0;
};

}  // namespace assay

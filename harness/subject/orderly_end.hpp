// Letting a subject end by itself, for links whose subject is a process.
#pragma once

#include <chrono>

namespace assay {

/// A link may implement it beside Link. Without it a subject is given a moment, and then killed,
/// which is too little for one that has something to write when it ends.
class OrderlyEnd {
 public:
  virtual ~OrderlyEnd() = default;
  /// Tells the subject that no more commands come, and waits for its end. Throws LinkBroken when it
  /// still runs after `patience`, or ends with anything but status 0. The link can then be used
  /// again by `restart` only.
  virtual void end_orderly(std::chrono::milliseconds patience) = 0;
};

}  // namespace assay

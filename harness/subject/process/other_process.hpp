// Where a subject lives, for links whose subject is not in this process.
#pragma once

#include <sys/types.h>

namespace assay {

/// A link may implement it beside Link.
class OtherProcess {
 public:
  virtual ~OtherProcess() = default;
  /// -1 while there is none.
  virtual pid_t process() const = 0;
};

}  // namespace assay

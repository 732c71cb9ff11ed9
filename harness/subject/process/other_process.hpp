// The process of a subject that is not in this process.
#pragma once

#include <sys/types.h>

namespace assay {

/// An optional interface of links.
class OtherProcess {
 public:
  virtual ~OtherProcess() = default;
  /// -1 if there is none.
  virtual pid_t process() const = 0;
};

}  // namespace assay

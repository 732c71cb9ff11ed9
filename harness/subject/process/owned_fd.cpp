// Closes a file descriptor.
#include "harness/subject/process/owned_fd.hpp"

#include <unistd.h>

namespace assay {

void OwnedFd::close() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

}  // namespace assay

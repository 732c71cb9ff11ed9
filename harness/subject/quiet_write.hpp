// Writing to a pipe whose reader may be gone: an error of the write, never a signal.
#pragma once

#include <sys/types.h>

#include <string_view>

namespace assay {

/// write(2) without SIGPIPE, which is blocked in this thread meanwhile: the process's own handling
/// of the signal stays as it is.
ssize_t quiet_write(int fd, std::string_view bytes);

}  // namespace assay

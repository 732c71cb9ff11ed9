// Writes to a pipe that may have no reader: returns an error instead of raising a signal.
#pragma once

#include <sys/types.h>

#include <string_view>

namespace assay {

/// write(2) without SIGPIPE, which is blocked in this thread during the call: the process's
/// handling of the signal is unchanged.
ssize_t quiet_write(int fd, std::string_view bytes);

}  // namespace assay

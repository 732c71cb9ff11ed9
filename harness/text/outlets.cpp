// Redirects the standard streams.
#include "harness/text/outlets.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace assay {
namespace {

/// Null: standard output is unchanged.
std::FILE* moved_output = nullptr;
std::FILE* moved_errors = nullptr;

std::FILE* moved(int stream) {
  const int place = ::fcntl(stream, F_DUPFD_CLOEXEC, 3);
  std::FILE* file = place < 0 ? nullptr : ::fdopen(place, "w");
  // A closed stream is opened for reading only, so that printing fails as it should.
  if (file == nullptr && place >= 0) file = ::fdopen(place, "r");
  if (file == nullptr) {
    throw std::system_error(errno, std::generic_category(), "cannot move a standard stream");
  }
  return file;
}

}  // namespace

std::FILE* own_output() { return moved_output == nullptr ? stdout : moved_output; }

std::FILE* own_errors() { return moved_errors == nullptr ? stderr : moved_errors; }

void leave_standard_streams_to(int descriptor) {
  std::fflush(nullptr);
  moved_output = moved(STDOUT_FILENO);
  moved_errors = moved(STDERR_FILENO);
  ::dup2(descriptor, STDOUT_FILENO);
  ::dup2(descriptor, STDERR_FILENO);
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);  // shows a library's output immediately
}

}  // namespace assay

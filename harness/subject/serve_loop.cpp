// The loop that reads commands from one file descriptor and replies on another.
#include "harness/subject/serve_loop.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>

#include "harness/protocol/json.hpp"
#include "harness/subject/lines.hpp"

namespace assay::detail {
namespace {

constexpr std::size_t kMostLineBytes = std::size_t{256} << 20;

bool write_all(int output, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = quiet_write(output, bytes);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

bool answer_to(int output, const Answer& answer, std::string_view line) {
  if (line.find_first_not_of(" \t\r") == std::string_view::npos) return true;
  return write_all(output, answer(line) + '\n');
}

bool answer_lines(int output, const Answer& answer, LineBuffer& lines) {
  if (lines.overflowed()) {
    const Reply reply = Reply::make_invalid("a command may have at most " +
                                            std::to_string(kMostLineBytes) + " bytes");
    if (!write_all(output, to_json(reply) + '\n')) return false;
  }
  while (const auto line = lines.next()) {
    if (!answer_to(output, answer, *line)) return false;
  }
  return true;
}

}  // namespace

int serve_lines(const Answer& answer, int input, int output) {
  LineBuffer lines(kMostLineBytes);
  std::array<char, 1 << 16> chunk;
  for (;;) {
    const ssize_t got = ::read(input, chunk.data(), chunk.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return 1;
    if (got == 0) break;
    lines.append({chunk.data(), static_cast<std::size_t>(got)});
    if (!answer_lines(output, answer, lines)) return 1;
  }
  return answer_to(output, answer, lines.rest()) ? 0 : 1;
}

int take_over_output(const std::function<int(int)>& loop) {
  std::fflush(stdout);
  const int output = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  if (output < 0 || ::dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
    std::perror("cannot take over standard output");
    return 1;
  }
  const int status = loop(output);
  std::fflush(stdout);
  ::dup2(output, STDOUT_FILENO);
  ::close(output);
  return status;
}

}  // namespace assay::detail

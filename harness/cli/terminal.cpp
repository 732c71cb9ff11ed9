// Terminals.
#include "harness/cli/terminal.hpp"

#include <unistd.h>

#include <cstdlib>

namespace assay::cli {

bool has_colours(std::FILE* stream) {
  const char* no_colour = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  const bool unwanted = (no_colour != nullptr && *no_colour != '\0') ||
                        (term != nullptr && std::string_view(term) == "dumb");
  return !unwanted && isatty(fileno(stream)) != 0;
}

Progress::Progress() : terminal_(isatty(STDERR_FILENO) != 0) {}

void Progress::show(std::string_view text) {
  if (!terminal_) return;
  const std::string_view cut = text.substr(0, 79);
  std::fprintf(stderr, "\r\x1b[K%.*s", static_cast<int>(cut.size()), cut.data());
  shown_ = true;
}

void Progress::clear() {
  if (!shown_) return;
  std::fputs("\r\x1b[K", stderr);
  shown_ = false;
}

void print(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

}  // namespace assay::cli

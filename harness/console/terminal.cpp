// Writes to standard streams and terminals.
#include "harness/console/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdlib>
#include <optional>

#include "harness/protocol/utf8.hpp"
#include "harness/text/neutral.hpp"
#include "harness/text/width.hpp"

namespace assay {
namespace {

std::atomic<ColourChoice> colour_choice = ColourChoice::kAuto;

/// Written before any thread is started.
std::vector<std::string> hidden_in_errors;

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

/// True if a CI system reads the log and executes commands in it.
bool log_is_obeyed() {
  return is_set("GITHUB_ACTIONS") || is_set("TF_BUILD") || is_set("TEAMCITY_VERSION");
}

std::optional<std::size_t> columns_that_are_set() {
  const char* value = std::getenv("COLUMNS");
  if (value == nullptr) return std::nullopt;
  const std::string_view text(value);
  std::size_t columns = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), columns);
  const bool is_number = error == std::errc() && end == text.data() + text.size() && columns > 0;
  return is_number ? std::optional(columns) : std::nullopt;
}

/// The length of a colour sequence such as `ESC [ 1 ; 31 m` at the beginning of the text; else 0.
std::size_t colour_length(std::string_view text) {
  if (!text.starts_with("\x1b[")) return 0;
  const std::size_t end = text.find_first_not_of("0123456789;", 2);
  return end != std::string_view::npos && text[end] == 'm' ? end + 1 : 0;
}

void write_all(std::string_view text, std::FILE* stream) {
  std::fwrite(text.data(), 1, text.size(), stream);
  std::fflush(stream);
}

}  // namespace

void choose_colours(ColourChoice choice) { colour_choice = choice; }

bool is_terminal(std::FILE* stream) { return isatty(fileno(stream)) != 0; }

bool has_colours(std::FILE* stream) {
  if (colour_choice != ColourChoice::kAuto) return colour_choice == ColourChoice::kAlways;
  const char* term = std::getenv("TERM");
  const bool is_dumb = term != nullptr && std::string_view(term) == "dumb";
  return !is_set("NO_COLOR") && !is_dumb && is_terminal(stream);
}

std::size_t columns_of_terminal(std::FILE* stream) {
  constexpr std::size_t kUsual = 100, kLeast = 40, kMost = 1000;
  std::size_t columns = kUsual;
  winsize size{};
  if (const auto set = columns_that_are_set()) {
    columns = *set;
  } else if (ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    columns = size.ws_col;
  }
  return std::clamp(columns, kLeast, kMost);
}

std::string for_outlet(std::string_view text, bool keeps_colours) {
  std::string safe;
  while (!text.empty()) {
    const std::size_t colour = keeps_colours ? colour_length(text) : 0;
    const std::size_t end = colour > 0 ? colour : std::min(text.find('\x1b', 1), text.size());
    safe += colour > 0 ? std::string(text.substr(0, end)) : printable(text.substr(0, end));
    text.remove_prefix(end);
  }
  return log_is_obeyed() ? without_ci_commands(safe) : safe;
}

void print(std::string_view text) {
  write_all(for_outlet(text, has_colours(own_output())), own_output());
}

void print_data(std::string_view text, DataFormat format) {
  const std::string safe = data_for_terminal(text, format);
  // No line of valid data begins with a command; what a page or a record holds may be anything.
  write_all(log_is_obeyed() ? without_ci_commands(data_without_ci_commands(safe)) : safe,
            own_output());
}

void print_workflow_commands(std::string_view text) { write_all(text, own_output()); }

void hide_in_errors(std::vector<std::string> secrets) { hidden_in_errors = std::move(secrets); }

void complain(std::string_view text) {
  const std::string shown = redacted(std::string(text), hidden_in_errors);
  write_all(for_outlet(shown, has_colours(own_errors())), own_errors());
}

Progress::Progress() : terminal_(is_terminal(own_errors())) {}

void Progress::show(std::string_view text) {
  if (!terminal_) return;
  write_all("\r\x1b[K" + cut_to(text, columns_of_terminal(own_errors()) - 1), own_errors());
  shown_ = true;
}

void Progress::clear() {
  if (!shown_) return;
  write_all("\r\x1b[K", own_errors());
  shown_ = false;
}

}  // namespace assay

// Quotes words for a shell, and computes the name of this program.
#include "harness/suite/card/command_line.hpp"

#include <sys/auxv.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>

namespace assay {
namespace {

bool is_plain(char c) {
  const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  return is_letter || (c >= '0' && c <= '9') ||
         std::string_view("/._-+=:,@%").find(c) != std::string_view::npos;
}

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

/// Control characters as octal numbers between `$'` and `'`: a terminal would not show them, and
/// what it shows instead would be another text.
std::string in_escapes(std::string_view text) {
  constexpr std::string_view kDigits = "01234567";
  std::string word = "$'";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '\'' || c == '\\') {
      word += {'\\', c};
    } else if (is_control(c)) {
      word += {'\\', kDigits[code >> 6], kDigits[code >> 3 & 7], kDigits[code & 7]};
    } else {
      word += c;
    }
  }
  return word + "'";
}

}  // namespace

std::string shell_quoted(std::string_view text) {
  if (std::ranges::any_of(text, is_control)) return in_escapes(text);
  if (text.find_first_of("\"$`\\!") == std::string_view::npos) return '"' + std::string(text) + '"';
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

std::string shell_word(std::string_view text) {
  const bool is_word = !text.empty() && std::all_of(text.begin(), text.end(), is_plain);
  return is_word ? std::string(text) : shell_quoted(text);
}

namespace {

namespace fs = std::filesystem;

std::string& stored() {
  static std::string name = "assay";
  return name;
}

/// The first program with this name in PATH, as a shell finds it; empty if there is none.
fs::path found_in_path(const fs::path& name) {
  const char* const folders = std::getenv("PATH");
  std::string_view rest = folders == nullptr ? "" : folders;
  while (!rest.empty()) {
    const std::string_view folder = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(folder.size() + 1, rest.size()));
    const fs::path candidate = fs::path(folder.empty() ? "." : folder) / name;
    std::error_code ignored;
    if (fs::is_regular_file(candidate, ignored) && access(candidate.c_str(), X_OK) == 0) {
      return candidate;
    }
  }
  return {};
}

/// A container may have no /proc; the kernel then still says what was executed.
std::string found_path() {
  std::error_code failed;
  const fs::path path = fs::read_symlink("/proc/self/exe", failed);
  if (!failed) return path.string();
  const auto* executed = reinterpret_cast<const char*>(getauxval(AT_EXECFN));
  const fs::path absolute = fs::absolute(executed == nullptr ? "assay" : executed, failed);
  return absolute.lexically_normal().string();
}

/// The script that has become this program, as the wheel's does; empty if there is none.
fs::path& caller() {
  static fs::path path;
  return path;
}

bool is_this_program(const fs::path& path) {
  std::error_code ignored;
  return !path.empty() && (fs::equivalent(path, program_path(), ignored) ||
                           (!caller().empty() && fs::equivalent(path, caller(), ignored)));
}

std::string callable_as(const fs::path& typed) {
  if (is_this_program(found_in_path(typed.filename()))) return typed.filename().string();
  if (typed.has_parent_path() && is_this_program(typed)) return typed.string();
  return command_path();
}

}  // namespace

const std::string& program_name() { return stored(); }

const std::string& program_path() {
  static const std::string path = found_path();
  return path;
}

std::string command_path() { return caller().empty() ? program_path() : caller().string(); }

void set_program_name(const std::string& argv0) {
  const char* const called_by = std::getenv("ASSAY_CALLED_BY");
  caller() = called_by == nullptr ? "" : called_by;
  unsetenv("ASSAY_CALLED_BY");  // it is of this program, and not of those that it starts
  stored() = shell_word(callable_as(caller().empty() ? fs::path(argv0) : caller()));
}

}  // namespace assay

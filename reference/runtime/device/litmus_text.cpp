// Splits the text of a litmus program into calls.
#include "reference/runtime/device/litmus_text.hpp"

#include <algorithm>
#include <cctype>

#include "reference/runtime/device/litmus_program.hpp"

namespace assay::reference {
namespace {

constexpr std::string_view kBlank = " \t\r";

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

bool is_word(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '@' || c == '-';
  });
}

std::string word(std::string_view text, std::string_view call) {
  text = trimmed(text);
  if (is_word(text)) return std::string(text);
  throw BadLitmusProgram("a name or a number was expected in '" + std::string(call) + "', not '" +
                         std::string(text) + "'");
}

LitmusCall call_from(std::string_view text) {
  const auto open = text.find('(');
  LitmusCall call{word(text.substr(0, open), text), {}};
  if (open == std::string_view::npos) return call;
  if (text.back() != ')') {
    throw BadLitmusProgram("')' was expected at the end of '" + std::string(text) + "'");
  }
  std::string_view rest = trimmed(text.substr(open + 1, text.size() - open - 2));
  while (!rest.empty()) {
    const auto comma = rest.find(',');
    call.arguments.push_back(word(rest.substr(0, comma), text));
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
  }
  return call;
}

LitmusThread& thread_named(std::vector<LitmusThread>& threads, std::string_view name) {
  const auto found = std::find_if(threads.begin(), threads.end(),
                                  [&](const LitmusThread& thread) { return thread.name == name; });
  if (found != threads.end()) return *found;
  threads.push_back({std::string(name), {}});
  return threads.back();
}

std::string without_comments(std::string_view text) {
  std::string kept;
  bool is_comment = false;
  for (const char c : text) {
    is_comment = c == '#' || (is_comment && c != '\n');
    if (!is_comment) kept += c == '\n' ? ';' : c;
  }
  return kept;
}

}  // namespace

std::vector<LitmusThread> read_litmus_text(std::string_view text) {
  const std::string kept = without_comments(text);
  std::vector<LitmusThread> threads;
  std::string current;
  std::string_view rest = kept;
  while (!rest.empty()) {
    const auto end = std::min(rest.find(';'), rest.size());
    std::string_view part = trimmed(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (const auto colon = part.find(':'); colon != std::string_view::npos) {
      current = word(part.substr(0, colon), part);
      thread_named(threads, current);
      part = trimmed(part.substr(colon + 1));
    }
    if (!part.empty()) thread_named(threads, current).calls.push_back(call_from(part));
  }
  return threads;
}

}  // namespace assay::reference

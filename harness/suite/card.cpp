// Drawing the card of a failure.
#include "harness/suite/card.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "harness/protocol/json.hpp"
#include "harness/protocol/utf8.hpp"
#include "harness/suite/clauses.hpp"
#include "harness/suite/own_cases.hpp"
#include "harness/suite/program_name.hpp"
#include "harness/suite/shell_words.hpp"

namespace assay {
namespace {

constexpr std::size_t kColumns = 100;
constexpr std::size_t kLabel = 12;  // columns of `  expected  `

std::string painted(std::string_view text, std::string_view code, bool colours) {
  if (!colours) return std::string(text);
  return fmt::format("\x1b[{}m{}\x1b[0m", code, text);
}

std::string upper(std::string_view text) {
  std::string high(text);
  std::transform(high.begin(), high.end(), high.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  return high;
}

/// A label and its text beside it, wrapped under itself.
std::string row(std::string_view label, std::string_view text, std::size_t most = 6) {
  if (text.empty()) return {};
  std::string lines = wrapped(text, kLabel, kColumns, most);
  lines.replace(0, kLabel, fmt::format("  {:<{}}", label, kLabel - 2));
  return lines;
}

/// The text without its heading, on one line.
std::string body_of(const Clause& clause) {
  std::string body = clause.text;
  if (body.starts_with('#')) body.erase(0, std::min(body.find('\n'), body.size()));
  std::replace(body.begin(), body.end(), '\n', ' ');
  body.erase(0, std::min(body.find_first_not_of(' '), body.size()));
  return body;
}

std::string clause_rows(const Case& test) {
  std::string text;
  for (const std::string& id : test.clauses) {
    const Clause* clause = find_clause(id);
    text += row("clause", id + (clause == nullptr ? "" : "  " + clause->title));
    const std::string body = clause == nullptr ? "" : body_of(*clause);
    if (!body.empty()) text += wrapped(body, kLabel, kColumns, 5);
  }
  return text;
}

/// What came back. The session remembers an `invalid` without an id where nothing did.
std::string reply_text(const Exchange& exchange) {
  const Reply& reply = exchange.reply;
  const bool is_none = reply.status == Reply::Status::kInvalid && !reply.id;
  return is_none ? "none" : to_json(reply);
}

/// The Python that `--subject torch` means, where it is not the usual one.
std::string python_of(std::string_view subject) {
  const char* python = std::getenv("ASSAY_PYTHON");
  const bool is_torch = subject == "torch" || subject.starts_with("torch ");
  if (!is_torch || python == nullptr || *python == '\0') return "";
  return " --python " + shell_quoted(python);
}

std::string program_rows(const CaseResult& result, std::size_t most) {
  const std::vector<Exchange>& history = result.history;
  if (history.size() < 2) return {};
  const std::size_t first = history.size() > most ? history.size() - most : 0;
  std::string text =
      row("program", first == 0 ? fmt::format("{} commands", history.size())
                                : fmt::format("the last {} of {} commands", most, history.size()));
  for (std::size_t i = first; i < history.size(); ++i) {
    text += wrapped("> " + to_json(history[i].command), kLabel, kColumns, 3);
    text += wrapped("< " + reply_text(history[i]), kLabel, kColumns, 2);
  }
  return text;
}

/// Bytes that begin a character, so that UTF-8 counts as people do.
std::size_t columns(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

/// Where a line that starts at `at` must end: after `room` characters at most, at a space if there
/// is one in its second half.
std::size_t end_of_line(std::string_view text, std::size_t at, std::size_t room) {
  std::size_t end = at;
  for (std::size_t used = 0; end < text.size() && text[end] != '\n'; ++used) {
    if (used == room) break;
    ++end;
    while (end < text.size() && (text[end] & 0xc0) == 0x80) ++end;
  }
  if (end == text.size() || text[end] == '\n' || text[end] == ' ') return end;
  const std::size_t space = text.rfind(' ', end);
  return space != std::string_view::npos && space > at + room / 2 ? space : end;
}

}  // namespace

std::string wrapped(std::string_view original, std::size_t indent, std::size_t width,
                    std::size_t most) {
  const std::string text = printable(original);
  std::string lines;
  std::size_t at = 0;
  for (std::size_t line = 0; at < text.size(); ++line) {
    if (line == most) {
      lines.pop_back();
      return lines + fmt::format(" … ({} bytes in all)\n", text.size());
    }
    // The last line leaves room for the remark that something is cut.
    const std::size_t room = width - indent - (line + 1 == most ? 24 : 0);
    const std::size_t end = end_of_line(text, at, room);
    lines += std::string(indent, ' ') + text.substr(at, end - at) + "\n";
    at = end < text.size() && (text[end] == ' ' || text[end] == '\n') ? end + 1 : end;
  }
  return lines.empty() ? std::string(indent, ' ') + "\n" : lines;
}

std::string replay_line(const CaseResult& result, std::string_view subject) {
  const std::string folder = own_folder_of(result.test->id);
  if (is_recorded(*result.test)) {
    return fmt::format("{} replay {} --filter {} --subject {}{}", program_name(),
                       shell_word(result.test->where.file), result.test->id, shell_quoted(subject),
                       python_of(subject));
  }
  return fmt::format("{} replay {} --subject {}{} --release {} --device-rules {} --deviations {}{}",
                     program_name(), result.test->id, shell_quoted(subject), python_of(subject),
                     name_of(result.contract.release), name_of(result.contract.device_rules),
                     name_of(result.contract.deviations),
                     folder.empty() ? "" : " --cases " + shell_quoted(folder));
}

std::string card(const CaseResult& result, const CardOptions& options) {
  const std::string word = upper(name_of(result.outcome));
  const std::string contract = to_text(result.contract);
  const std::size_t used = columns(word) + 2 + columns(result.test->id) + contract.size();
  const std::size_t gap = used + 2 < kColumns ? kColumns - used : 2;
  std::string text = painted(word, "1;31", options.colours) + "  " +
                     painted(result.test->id, "1", options.colours) + std::string(gap, ' ') +
                     contract + "\n";
  text += clause_rows(*result.test);
  if (result.failure) {
    const Failure& failure = *result.failure;
    text += row("what", fmt::format("{} ({})", failure.sentence, failure.where));
    text += row("expected", failure.expected);
    text += row("got", failure.got);
    text += row("its words", failure.last_words);
  }
  if (!result.history.empty()) {
    text += row("command", to_json(result.history.back().command));
    text += row("reply", reply_text(result.history.back()), 4);
  }
  text += program_rows(result, options.exchanges);
  // In one piece, so that it can be copied.
  text += fmt::format("  {:<{}}{}\n", "replay", kLabel - 2, replay_line(result, options.subject));
  return text;
}

}  // namespace assay

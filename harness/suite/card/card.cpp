// Formats the card of a failure.
#include "harness/suite/card/card.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "harness/protocol/json.hpp"
#include "harness/suite/card/command_line.hpp"
#include "harness/suite/clauses.hpp"
#include "harness/suite/own_cases.hpp"
#include "harness/text/neutral.hpp"
#include "harness/text/width.hpp"

namespace assay {
namespace {

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

/// The rows of a card, wrapped to its width.
class Rows {
 public:
  explicit Rows(std::size_t columns) : columns_(columns) {}

  /// A label with its text, which is wrapped and indented; nothing if the text is empty.
  void add(std::string_view label, std::string_view text, std::size_t most = 6) {
    add_as(&wrapped, label, text, most);
  }
  void add_json(std::string_view label, std::string_view text, std::size_t most = 6) {
    add_as(&wrapped_json, label, text, most);
  }
  const std::string& text() const { return text_; }

 private:
  void add_as(decltype(&wrapped) wrap, std::string_view label, std::string_view text,
              std::size_t most) {
    if (text.empty()) return;
    std::string lines = wrap(text, kLabel, columns_, most);
    if (!label.empty()) lines.replace(0, kLabel, fmt::format("  {:<{}}", label, kLabel - 2));
    text_ += lines;
  }

  std::size_t columns_;
  std::string text_;
};

/// The text without its heading, joined into one line.
std::string body_of(const Clause& clause) {
  std::string body = clause.text;
  if (body.starts_with('#')) body.erase(0, std::min(body.find('\n'), body.size()));
  std::replace(body.begin(), body.end(), '\n', ' ');
  body.erase(0, std::min(body.find_first_not_of(' '), body.size()));
  return body;
}

std::string heading_of(const std::string& id) {
  const Clause* clause = find_clause(id);
  return id + (clause == nullptr ? "" : "  " + clause->title);
}

/// The first clause is the case's own. The others it touches too, so they are named only.
void add_clauses(Rows& rows, const Case& test) {
  if (test.clauses.empty()) return;
  rows.add("clause", heading_of(test.clauses.front()));
  if (const Clause* own = find_clause(test.clauses.front())) rows.add("", body_of(*own), 5);
  for (std::size_t i = 1; i < test.clauses.size(); ++i) {
    rows.add("touches", heading_of(test.clauses[i]), 1);
  }
}

/// The reply. The session records an `invalid` reply without an id if there was none.
std::string reply_text(const Exchange& exchange) {
  const Reply& reply = exchange.reply;
  const bool is_none = reply.status == Reply::Status::kInvalid && !reply.id;
  return is_none ? "none" : to_json(reply);
}

/// The Python of `--subject torch`, if it is not the default.
std::string python_of(std::string_view subject) {
  const char* python = std::getenv("ASSAY_PYTHON");
  const bool is_torch = subject == "torch" || subject.starts_with("torch ");
  if (!is_torch || python == nullptr || *python == '\0') return "";
  return " --python " + shell_quoted(python);
}

void add_program(Rows& rows, const CaseResult& result, std::size_t most) {
  const std::vector<Exchange>& history = result.history;
  if (history.size() < 2) return;
  const std::size_t first = history.size() > most ? history.size() - most : 0;
  rows.add("program", first == 0 ? fmt::format("{} commands", history.size())
                                 : fmt::format("the last {} of {} commands", most, history.size()));
  for (std::size_t i = first; i < history.size(); ++i) {
    rows.add_json("", "> " + to_json(history[i].command), 3);
    rows.add_json("", "< " + reply_text(history[i]), 2);
  }
}

void add_failure(Rows& rows, const Failure& failure) {
  rows.add("what", fmt::format("{} ({})", failure.sentence, failure.where));
  rows.add_json("expected", failure.expected);
  rows.add_json("got", failure.got);
  rows.add("its words", failure.last_words);
}

std::string head(const CaseResult& result, const CardOptions& options) {
  const std::string word = upper(name_of(result.outcome));
  const std::string id = one_line(result.test->id);
  const std::string contract = to_text(result.contract);
  const std::size_t used = word.size() + 2 + columns_of(id) + contract.size();
  const std::size_t gap = used + 2 < options.columns ? options.columns - used : 2;
  return painted(word, "1;31", options.colours) + "  " + painted(id, "1", options.colours) +
         std::string(gap, ' ') + contract + "\n";
}

}  // namespace

std::string replay_line(const CaseResult& result, std::string_view subject) {
  const std::string folder = own_folder_of(result.test->id);
  if (is_recorded(*result.test)) {
    return fmt::format("{} replay {} --filter {} --subject {}{}", program_name(),
                       shell_word(result.test->where.file), shell_word(result.test->id),
                       shell_quoted(subject), python_of(subject));
  }
  return fmt::format(
      "{} replay {} --subject {}{} --release {} --device-rules {} --deviations {}{}{}",
      program_name(), shell_word(result.test->id), shell_quoted(subject), python_of(subject),
      name_of(result.contract.release), name_of(result.contract.device_rules),
      name_of(result.contract.deviations), folder.empty() ? "" : " --cases " + shell_quoted(folder),
      result.changes.empty() ? "" : " --perturb");
}

std::string card(const CaseResult& result, const CardOptions& options) {
  Rows rows(options.columns);
  add_clauses(rows, *result.test);
  if (const Reach reach = reach_of(*result.test); reach != Reach::kTraining) {
    rows.add("reach", fmt::format("{}: a case {}", name_of(reach), in_words(reach)));
  }
  if (result.failure) add_failure(rows, *result.failure);
  if (!result.history.empty()) {
    rows.add_json("command", to_json(result.history.back().command));
    rows.add_json("reply", reply_text(result.history.back()), 4);
  }
  add_program(rows, result, options.exchanges);
  // Not wrapped, so that it can be copied.
  return head(result, options) + rows.text() +
         fmt::format("  {:<{}}{}\n", "replay", kLabel - 2,
                     one_line(replay_line(result, options.subject)));
}

}  // namespace assay

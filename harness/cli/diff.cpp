// assay diff: what has changed between two conformance runs.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>

#include "harness/cli/commands.hpp"
#include "harness/cli/read_record.hpp"
#include "harness/cli/terminal.hpp"
#include "harness/suite/verdict.hpp"

namespace assay::cli {
namespace {

using report::CaseRecord;
using report::RunRecord;

/// Of these the first is what makes the exit code (with --strict what is lost does so as well);
/// they are shown in this order.
enum class Change { kNewFailure, kNewPass, kAppeared, kVanished, kOutcome };
constexpr std::array kHeads{"new failures", "new passes", "appeared", "vanished", "other changes"};

struct Row {
  std::string name, before, after, sentence;
};

using Changes = std::array<std::vector<Row>, kHeads.size()>;

/// The first column tells subjects apart where a run has several.
struct Key {
  std::size_t subject;
  std::string id, contract;
  auto operator<=>(const Key&) const = default;
};

struct DiffOptions {
  std::string before, after;
  bool across = false;  ///< ids alone: the runs are under different contracts
  bool strict = false;  ///< what is lost counts as well
};

std::map<Key, const CaseRecord*> cases_of(const RunRecord& run, bool across) {
  std::map<Key, const CaseRecord*> cases;
  for (std::size_t i = 0; i < run.subjects.size(); ++i) {
    for (const CaseRecord& test : run.subjects[i].cases) {
      const CaseRecord*& place = cases[{i, test.id, across ? "" : test.contract}];
      // Of several contracts the one that fails stands for all.
      if (place == nullptr || report::spoils(test)) place = &test;
    }
  }
  return cases;
}

std::string outcome_of(const CaseRecord* test) {
  if (test == nullptr) return "-";
  const bool excused = test->outcome == "unsupported" && test->excused;
  return excused ? "unsupported (excused)" : test->outcome;
}

/// Nothing where both sides say the same.
std::optional<Change> change_between(const CaseRecord* before, const CaseRecord* after) {
  const bool was_bad = before != nullptr && report::spoils(*before);
  const bool is_bad = after != nullptr && report::spoils(*after);
  if (is_bad && !was_bad) return Change::kNewFailure;
  if (before == nullptr) return Change::kAppeared;
  if (after == nullptr) return Change::kVanished;
  if (outcome_of(before) == outcome_of(after)) return std::nullopt;
  return after->outcome == "pass" ? Change::kNewPass : Change::kOutcome;
}

Changes changes_between(const RunRecord& before, const RunRecord& after, bool across) {
  const auto old_cases = cases_of(before, across);
  const auto new_cases = cases_of(after, across);
  std::map<Key, std::pair<const CaseRecord*, const CaseRecord*>> pairs;
  for (const auto& [key, test] : old_cases) pairs[key].first = test;
  for (const auto& [key, test] : new_cases) pairs[key].second = test;
  Changes changes;
  for (const auto& [key, pair] : pairs) {
    const auto change = change_between(pair.first, pair.second);
    if (!change) continue;
    const std::string name = key.contract.empty() ? key.id : key.id + " [" + key.contract + "]";
    changes[static_cast<std::size_t>(*change)].push_back(
        {name, outcome_of(pair.first), outcome_of(pair.second),
         pair.second == nullptr ? "" : pair.second->sentence});
  }
  return changes;
}

std::string side(const char* name, const RunRecord& run) {
  std::string text;
  for (const report::SubjectRecord& subject : run.subjects) {
    text += fmt::format("{} {}: {} {}, {}, built from {}{}\n", name, run.started, subject.name,
                        subject.version, subject.line, run.environment.revision,
                        run.environment.dirty ? " with changes" : "");
  }
  return text;
}

/// A case that passed and does not any more, or is not there any more.
bool loses_something(const Changes& changes) {
  const auto& others = changes[static_cast<std::size_t>(Change::kOutcome)];
  return !changes[static_cast<std::size_t>(Change::kVanished)].empty() ||
         std::ranges::any_of(others, [](const Row& row) { return row.before == "pass"; });
}

int diff(const DiffOptions& options) {
  const RunRecord before = read_run(options.before);
  const RunRecord after = read_run(options.after);
  const Changes changes = changes_between(before, after, options.across);
  std::string text = side("a", before) + side("b", after);
  std::string counts;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    counts += fmt::format("{}{} {}", i == 0 ? "" : ", ", changes[i].size(), kHeads[i]);
    if (changes[i].empty()) continue;
    text += fmt::format("\n{}:\n", kHeads[i]);
    for (const Row& row : changes[i]) {
      text += fmt::format("  {}: {} -> {}\n", row.name, row.before, row.after);
      if (!row.sentence.empty()) text += "    " + row.sentence + "\n";
    }
  }
  const bool is_worse = !changes[0].empty() || (options.strict && loses_something(changes));
  const int code = is_worse ? kExitFailure : kExitOk;
  print(fmt::format("{}{} {}\n", text, word_of(code), counts));
  return code;
}

}  // namespace

void add_diff(CliCommand app, Invocation& invocation) {
  CliCommand command = app.add_subcommand("diff", "What has changed between two conformance runs");
  command.footer("Example: assay diff before.json after.json");
  auto options = std::make_shared<DiffOptions>();
  command.add_option("before", options->before, "What `assay run --json` wrote").required();
  command.add_option("after", options->after, "The same, later or elsewhere").required();
  command.add_flag("--across-contracts", options->across,
                   "Compare by id alone: two releases, or the rules of two devices");
  command.add_flag(
      "--strict", options->strict,
      "Exit with 1 as well when a case has vanished, or passed and is unsupported now");
  command.callback([options, &invocation] { invocation.exit_code = diff(*options); });
}

}  // namespace assay::cli

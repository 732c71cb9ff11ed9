// assay diff: shows the changes between two conformance runs.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "harness/cli/commands.hpp"
#include "harness/cli/read_record.hpp"
#include "harness/console/terminal.hpp"
#include "harness/console/usage_error.hpp"
#include "harness/report/run_diff.hpp"
#include "harness/suite/runner/verdict.hpp"
#include "harness/text/neutral.hpp"

namespace assay::cli {
namespace {

using report::ChangedCase;
using report::NamedRun;
using report::RunDiff;

struct DiffOptions {
  std::string before, after;
  report::DiffRules rules;
  /// As typed: OLD=NEW.
  std::vector<std::string> pairs;
};

bool has_subject(const report::RunRecord& run, const std::string& name) {
  return std::ranges::find(run.subjects, name, &report::SubjectRecord::subject) !=
         run.subjects.end();
}

/// Subject names may contain '=', so both sides must be known subjects.
std::pair<std::string, std::string> pair_in(const std::string& text, const NamedRun& before,
                                            const NamedRun& after) {
  for (std::size_t at = text.find('='); at != std::string::npos; at = text.find('=', at + 1)) {
    std::pair names(text.substr(0, at), text.substr(at + 1));
    if (has_subject(before.run, names.first) && has_subject(after.run, names.second)) return names;
  }
  throw UsageError(fmt::format(
      "--pair: expected OLD=NEW, a subject of {} and one of {} as they were typed, got '{}'",
      before.file, after.file, text));
}

std::string side(const char* name, const NamedRun& record) {
  std::string text;
  const report::RunRecord& run = record.run;
  for (const report::SubjectRecord& subject : run.subjects) {
    text += fmt::format("{} {}: {} {}, {}, built from {}{}\n", name, run.started,
                        one_line(subject.name), one_line(subject.version), one_line(subject.line),
                        one_line(run.environment.revision),
                        run.environment.dirty ? " with changes" : "");
  }
  return text;
}

std::string subjects_in_words(const RunDiff& diff, const NamedRun& before, const NamedRun& after) {
  std::string text;
  for (const report::SubjectPair& pair : diff.subjects) {
    if (pair.before == nullptr || pair.after == nullptr) {
      text += fmt::format("only in {}: the subject '{}'\n",
                          pair.before == nullptr ? after.file : before.file, one_line(pair.name()));
    } else if (pair.before->subject != pair.after->subject) {
      text += fmt::format("'{}' is compared with '{}'\n", one_line(pair.before->subject),
                          one_line(pair.after->subject));
    }
  }
  return text;
}

std::string row_in_words(const ChangedCase& row, bool names_subject) {
  std::string text = "  ";
  if (names_subject) text += one_line(row.subject) + ": ";
  text += one_line(row.id);
  if (!row.contract.empty()) text += " [" + row.contract + "]";
  if (!row.reach.empty()) text += fmt::format(" ({})", row.reach);
  text += fmt::format(": {} -> {}\n", row.before, row.after);
  return row.sentence.empty() ? text : text + "    " + one_line(row.sentence) + "\n";
}

std::string changes_in_words(const RunDiff& diff) {
  std::string text;
  for (std::size_t i = 0; i < diff.changes.size(); ++i) {
    if (diff.changes[i].empty()) continue;
    text += fmt::format("\n{}:\n", report::kChangeHeads[i]);
    for (const ChangedCase& row : diff.changes[i]) {
      text += row_in_words(row, diff.subjects.size() > 1);
    }
  }
  if (diff.worse_verdicts.empty()) return text;
  text += "\nworse verdicts:\n";
  for (const std::string& verdict : diff.worse_verdicts) text += "  " + one_line(verdict) + "\n";
  return text;
}

std::string counts_in_words(const RunDiff& diff) {
  std::string text;
  for (std::size_t i = 0; i < diff.changes.size(); ++i) {
    text +=
        fmt::format("{}{} {}", i == 0 ? "" : ", ", diff.changes[i].size(), report::kChangeHeads[i]);
  }
  if (const std::size_t alone = diff.unpaired(); alone > 0) {
    text += fmt::format(", {} subject{} in one record only", alone, alone == 1 ? "" : "s");
  }
  if (const std::size_t worse = diff.worse_verdicts.size(); worse > 0) {
    text += fmt::format(", {} worse verdict{}", worse, worse == 1 ? "" : "s");
  }
  return text;
}

int diff(DiffOptions options) {
  const report::RunRecord old_run = read_run(options.before);
  const report::RunRecord new_run = read_run(options.after);
  const NamedRun before{options.before, old_run};
  const NamedRun after{options.after, new_run};
  for (const std::string& text : options.pairs) {
    options.rules.pairs.push_back(pair_in(text, before, after));
  }
  try {
    const RunDiff found = report::diff_of(before, after, options.rules);
    const bool is_worse = report::is_worse(found, options.rules);
    const auto [exit_code, verdict] = is_worse ? std::pair(kExitFailure, "FAIL")
                                      : found.compared == 0
                                          ? std::pair(kExitNothingRan, "NOTHING COMPARED")
                                          : std::pair(kExitOk, "PASS");
    print(fmt::format("{}{}{}{}{} {}\n", side("a", before), side("b", after),
                      subjects_in_words(found, before, after), changes_in_words(found), verdict,
                      counts_in_words(found)));
    return exit_code;
  } catch (const report::NotComparable& reason) {
    throw UsageError(reason.what());
  }
}

}  // namespace

void add_diff(CliCommand app, Invocation& invocation) {
  CliCommand command =
      app.add_subcommand("diff", "Show what has changed between two conformance runs");
  command.footer(
      "Exit codes: 1 a case fails that did not fail before, or passed and is not answered any "
      "more,\nor a case or subject is missing, or a verdict is worse; 2 a record is not of a whole "
      "run, or\nthe two are of different shards; 5 no case ran in both.\n"
      "Subjects are paired by their names on the command line, then by the names in their hello.\n"
      "Example: assay diff before.json after.json");
  auto options = std::make_shared<DiffOptions>();
  command.add_option("before", options->before, "What `assay run --json` wrote").required();
  command.add_option("after", options->after, "The record to compare it with").required();
  command.add_flag("--across-contracts", options->rules.is_across_contracts,
                   "Compare by id alone, across releases or device rules");
  command.add_flag("--allow-vanished", options->rules.may_vanish,
                   "Do not fail if a case is only in the first record, or a subject only in one");
  command.add_flag("--strict", options->rules.is_strict,
                   "A case that passed and is now excused or waived is a failure too");
  command.add_option("--pair", options->pairs,
                     "OLD=NEW: compare these two subjects, whatever their names (repeatable)");
  command.callback([options, &invocation] { invocation.exit_code = diff(*options); });
}

}  // namespace assay::cli

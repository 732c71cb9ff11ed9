// assay history: what changed over the records of an archive, and why.
#include "harness/archive/history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <sstream>

#include "harness/cli/archive/history_output.hpp"
#include "harness/cli/archive/history_page.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/compare_output.hpp"
#include "harness/console/read_file.hpp"
#include "harness/console/terminal.hpp"
#include "harness/report/write_whole.hpp"
#include "harness/suite/runner/verdict.hpp"

namespace assay::cli {
namespace {

using archive::Cause;
using archive::History;
using archive::Since;

struct HistoryCommand {
  std::string path;
  archive::HistoryOptions options;
  unsigned persistence = 3;
  std::string commits;  ///< a file
  std::string gate;
  bool all = false, worse_only = false;
  std::string json, csv, html;
};

/// The first word of each line.
std::vector<std::string> commits_in(const std::string& text) {
  std::istringstream lines(text);
  std::vector<std::string> commits;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    if (std::string commit; words >> commit) commits.push_back(commit);
  }
  return commits;
}

/// What a history amounts to. Changes of verdicts count beside those of costs.
struct Counts {
  std::size_t judged = 0, too_few = 0, apart = 0, changed = 0, changes = 0;
  std::array<std::size_t, 4> by_cause{};
  std::size_t fail = 0;       ///< new, and not noise
  std::size_t undecided = 0;  ///< series with new runs, of which there are too few
  std::size_t newer = 0;      ///< series and verdicts with runs newer than the commit
  std::size_t lost = 0;       ///< costs that newer runs could not measure any more
};

template <typename Trends, typename Fails>
void count_changes(const Trends& trends, const Since* since, const Fails& fails, Counts& counts) {
  for (const auto& trend : trends) {
    if (trend.points.empty()) continue;
    const auto is_newer = [&](const auto& point) {
      return since != nullptr && since->is_newer(point);
    };
    if (std::ranges::any_of(trend.points, is_newer)) ++counts.newer;
    if (!trend.changes.empty()) ++counts.changed;
    for (const auto& change : trend.changes) {
      ++counts.changes;
      ++counts.by_cause[static_cast<std::size_t>(change.cause())];
      if (is_newer(trend.points[change.index]) && fails(change)) ++counts.fail;
    }
  }
}

Counts counts_of(const History& history, const Since* since, bool worse_only) {
  Counts counts;
  for (const archive::Trend& trend : history.trends) {
    if (trend.points.empty()) continue;
    ++(trend.too_few ? counts.too_few : counts.judged);
    if (trend.apart_at_end > 0) ++counts.apart;
    if (!trend.too_few || since == nullptr) continue;
    const auto is_newer = [&](const archive::Point& point) { return since->is_newer(point); };
    if (std::ranges::any_of(trend.points, is_newer)) ++counts.undecided;
  }
  const auto cost_fails = [&](const archive::Change& change) {
    return change.cause() != Cause::kNoise && (change.worse || !worse_only);
  };
  count_changes(history.trends, since, cost_fails, counts);
  // Wrong results are never noise: a runtime that sometimes fails has a mistake.
  const auto verdict_fails = [&](const archive::VerdictChange& change) {
    return change.worse || (!worse_only && !change.flaky);
  };
  count_changes(history.verdicts, since, verdict_fails, counts);
  for (const archive::VerdictTrend& trend : history.verdicts) {
    if (since != nullptr && is_bad_from_the_first(trend, *since)) ++counts.fail;
  }
  for (const archive::Failed& failed : history.failed) {
    if (since != nullptr && since->is_newer(failed)) ++counts.lost;
  }
  counts.fail += counts.lost;
  counts.newer += counts.lost;
  return counts;
}

std::string summary_of(const Counts& counts, const History& history) {
  std::string text =
      fmt::format("{} change{} in {} of {} series", counts.changes, counts.changes == 1 ? "" : "s",
                  counts.changed, counts.judged + counts.too_few + history.verdicts.size());
  std::string causes;
  for (const Cause cause : {Cause::kMethod, Cause::kMachine, Cause::kCode, Cause::kNoise}) {
    const std::size_t count = counts.by_cause[static_cast<std::size_t>(cause)];
    if (count == 0) continue;
    causes += fmt::format("{}{} {}", causes.empty() ? ": " : ", ", count, name_of(cause));
  }
  text += causes;
  if (counts.too_few > 0) text += fmt::format("; {} with too few runs", counts.too_few);
  if (counts.lost > 0) text += fmt::format("; {} not measured any more", counts.lost);
  if (counts.apart > 0) text += fmt::format("; {} whose last runs lie apart", counts.apart);
  if (history.without_place > 0) {
    text += fmt::format("; {} records of commits that --commits does not list were left out",
                        history.without_place);
  }
  return text;
}

struct Outcome {
  int exit_code;
  std::string line;
};

Outcome outcome_of(const HistoryCommand& command, const History& history, const Since* since) {
  const Counts counts = counts_of(history, since, command.worse_only);
  const std::string summary = summary_of(counts, history);
  if (counts.judged + counts.too_few + history.verdicts.size() == 0) {
    return {kExitNothingRan, "NOTHING COMPARED no record in the archive is of such a series"};
  }
  if (since == nullptr) return {kExitOk, summary};
  if (counts.newer == 0) {
    return {kExitNothingRan,
            fmt::format("NOTHING COMPARED no record is newer than {}; {}", command.gate, summary)};
  }
  if (counts.fail > 0) {
    return {kExitFailure,
            fmt::format("FAIL {} new since {}; {}", counts.fail, command.gate, summary)};
  }
  if (counts.judged + history.verdicts.size() == 0) {
    return {kExitIncomplete, fmt::format("INCOMPLETE no series has runs enough; {}", summary)};
  }
  return {kExitOk, fmt::format("PASS none new since {}; {}", command.gate, summary)};
}

int run(HistoryCommand command) {
  archive::HistoryOptions& options = command.options;
  options.persistence = command.persistence;
  if (!command.commits.empty()) options.commits = commits_in(read_file(command.commits));
  archive::Archive kept(command.path, archive::Archive::Access::kRead);
  const History history = archive::history_of(kept, options);
  std::optional<Since> newer;
  if (!command.gate.empty()) newer.emplace(history, options, command.gate);
  const Since* since = newer ? &*newer : nullptr;
  const Outcome outcome = outcome_of(command, history, since);
  if (!command.json.empty()) {
    report::write_whole(command.json, to_json(history, since, outcome.line, outcome.exit_code));
  }
  if (!command.csv.empty()) report::write_whole(command.csv, to_csv(history));
  if (!command.html.empty()) {
    report::write_whole(command.html, to_html(history, since, outcome.line));
  }
  print(to_text(history, since, command.all) + outcome.line + "\n");
  return outcome.exit_code;
}

constexpr const char* kFooter =
    "One run is one value, the median of its processes. A change is a level that lasts: at least "
    "three runs on either side (--persistence), a shift beyond the margin, and a chance below "
    "alpha "
    "that any series without a change shows one. With fewer than eight runs nothing is decided. "
    "Counts are exact: each difference is a change, and so is each new verdict. Quick and "
    "interrupted runs and copies (--aa) are left out. Machines that took turns have a series "
    "each.\n"
    "Each change has a cause, by what the records on both sides say:\n"
    "  method   the compiler, its flags, the loops or assay itself changed\n"
    "  machine  the machine, its driver or settings changed, or a call through a function pointer\n"
    "           (for devices: the GPU's clock) did by at least half as much\n"
    "  code     the commit changed, and nothing of the above\n"
    "  noise    nothing changed that records know\n"
    "Exit codes: 0; 5 if there is nothing to compare. With --gate: 1 if there is a change newer "
    "than "
    "the commit, other than noise, a worse verdict, a first one that is bad, or a cost that is not "
    "measured any more; 4 if every series is too short; 5 if no "
    "record is newer.\n"
    "Example: assay history mine.db --filter 'dispatch/*'\n"
    "         git rev-list --reverse HEAD > order.txt\n"
    "         assay history mine.db --commits order.txt --gate v1.0 --json history.json";

}  // namespace

void add_history(CliCommand app, Invocation& invocation) {
  CliCommand command = app.add_subcommand(
      "history", "Show what changed over the records of an archive, when and why");
  command.footer(kFooter);
  auto options = std::make_shared<HistoryCommand>();
  archive::HistoryOptions& chosen = options->options;
  command.add_option("ARCHIVE", options->path, "What `assay archive add` made").required();
  command.add_option("--filter", chosen.filters,
                     "Only costs whose name, `dispatch/*`, or quantity, `host.*`, matches "
                     "(repeatable)");
  command.add_option("--subject", chosen.subject, "Only this subject");
  command.add_option("--commits", options->commits,
                     "A file with the order of the commits, oldest first (the records' times)");
  command.add_option("--gate", options->gate, "Fail on changes that are newer than this commit");
  command.add_flag("--worse", options->worse_only, "The gate fails only on changes for the worse");
  command.add_flag("--all", options->all, "Also show what has not changed");
  add_share(command, "--margin", chosen.margin, "Smaller shifts are no change (2%)");
  command
      .add_option("--alpha", chosen.alpha,
                  "Probability of any change in a history that has none (0.01)")
      .check(in_range(0.000001, 0.49));
  command.add_option("--persistence", options->persistence, "The fewest runs on either side (3)")
      .check(in_range(2, 100));
  command.add_option("--json", options->json, "Write all of it to this file, for programs");
  command.add_option("--csv", options->csv,
                     "Write one line per run and one column per quantity to this file, which "
                     "Apache Otava can import");
  command.add_option("--html", options->html,
                     "Write a page with a drawing of each series to this file");
  command.callback([options, &invocation] { invocation.exit_code = run(*options); });
}

}  // namespace assay::cli

// Lists unanswered commands, and judges a whole run.
#include "harness/run/overall.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "harness/console/terminal.hpp"
#include "harness/suite/card/card.hpp"
#include "harness/suite/runner/verdict.hpp"

namespace assay {

// Counts and formats unanswered commands.

namespace {

using Counted = std::vector<std::pair<std::string, std::size_t>>;

/// The maximum number of shown entries per list; the record has all of them.
constexpr std::size_t kMost = 8;

template <typename Name>
Counted counted(const std::vector<CaseResult>& results, Name&& name) {
  std::map<std::string, std::size_t> counts;
  for (const CaseResult& result : results) {
    if (const std::string key = name(result); !key.empty()) ++counts[key];
  }
  Counted ranked(counts.begin(), counts.end());
  std::ranges::stable_sort(ranked, std::ranges::greater(), &Counted::value_type::second);
  return ranked;
}

bool is_excused(const CaseResult& result) {
  return result.outcome == Outcome::kUnsupported && result.excused;
}

bool is_judged(const CaseResult& result) { return !result.excuse.starts_with(kNotJudged); }

std::string excuse_of(const CaseResult& result) {
  return is_excused(result) && is_judged(result) ? result.excuse : "";
}

/// `the platform flushes subnormals`
std::string property_of(const CaseResult& result) {
  return is_excused(result) && !is_judged(result) ? result.excuse.substr(kNotJudged.size()) : "";
}

std::string rest_of(const Counted& list) {
  return list.size() > kMost ? fmt::format("and {} more", list.size() - kMost) : "";
}

std::string unanswered(const Counted& commands) {
  if (commands.empty()) return "";
  std::string text;
  for (std::size_t i = 0; i < std::min(kMost, commands.size()); ++i) {
    text += fmt::format("{}{} {}", i == 0 ? "" : ", ", commands[i].second, commands[i].first);
  }
  if (commands.size() > kMost) text += ", " + rest_of(commands);
  return "  not answered, and neither hello nor a support file says so\n" +
         wrapped(text, 4, columns_of_terminal(), 4);
}

std::string listed(std::string_view head, const Counted& reasons) {
  if (reasons.empty()) return "";
  std::string text = fmt::format("  {}\n", head);
  for (std::size_t i = 0; i < std::min(kMost, reasons.size()); ++i) {
    text += wrapped(fmt::format("{} {}", reasons[i].second, reasons[i].first), 4,
                    columns_of_terminal(), 2);
  }
  return reasons.size() > kMost ? text + "    " + rest_of(reasons) + "\n" : text;
}

}  // namespace

Counted unanswered_commands(const std::vector<CaseResult>& results) {
  return counted(results, [](const CaseResult& result) {
    if (!result.is_unanswered()) return std::string();
    return result.lacks.empty() ? result.failure->sentence : result.lacks;
  });
}

std::string gaps(const std::vector<CaseResult>& results) {
  return unanswered(unanswered_commands(results)) +
         listed("not answered, and excused", counted(results, excuse_of)) +
         listed("not judged, by what hello says of the subject", counted(results, property_of));
}

// The verdict.

namespace {

using report::PartRecord;
using report::RunRecord;
using report::SubjectRecord;

/// The worst exit code of several parts.
int worst(const std::vector<SubjectRecord>& records) {
  for (const int code : {kExitInterrupted, kExitInternal, kExitUsage, kExitFailure, kExitWaivers,
                         kExitNothingRan, kExitIncomplete, kExitOk}) {
    if (std::ranges::count(records, code, &SubjectRecord::exit_code) > 0) return code;
  }
  return kExitNothingRan;
}

/// True if recordings were named and none fitted any subject, so that nothing was compared.
bool lacks_recordings(const RunRecord& run) {
  const auto is_asked_for = [](const PartRecord& part) {
    return part.recordings && !part.by_default;
  };
  const auto ran = [&](const PartRecord& part) {
    return is_asked_for(part) && std::ranges::find(run.subjects, part.subject,
                                                   &SubjectRecord::subject) != run.subjects.end();
  };
  return std::ranges::any_of(run.parts, is_asked_for) && std::ranges::none_of(run.parts, ran);
}

std::vector<std::string> absent_in(const RunRecord& run) {
  std::vector<std::string> absent;
  for (const PartRecord& part : run.parts) {
    if (part.absent) absent.push_back(part.subject);
  }
  return absent;
}

/// An absent device decides only if nothing else is wrong.
int exit_code_over(const RunRecord& run) {
  const bool lacks_device = !absent_in(run).empty();
  if (run.subjects.empty() && lacks_device) return kExitAbsent;
  const int code = worst(run.subjects);
  const bool is_green = code == kExitOk || code == kExitIncomplete;
  if (is_green && lacks_recordings(run)) return kExitNothingRan;
  return code == kExitOk && lacks_device ? kExitAbsent : code;
}

std::ptrdiff_t count_of(const RunRecord& run, std::string_view verdict) {
  return std::ranges::count(run.subjects, verdict, &SubjectRecord::verdict);
}

/// An allowed incomplete part leaves the exit code at 0, but the verdict's word names it.
std::string_view verdict_over(const RunRecord& run) {
  const std::string_view incomplete = verdict_of(kExitIncomplete);
  const bool is_partial = run.exit_code == kExitOk && count_of(run, incomplete) > 0;
  return is_partial ? incomplete : verdict_of(run.exit_code);
}

std::string line_over(const RunRecord& run) {
  if (run.parts.size() == 1 && run.subjects.size() == 1) return run.subjects.front().line;
  if (run.exit_code == kExitNothingRan && lacks_recordings(run)) {
    return fmt::format("{}: no recording that --transcripts names fits a subject of this run",
                       run.verdict);
  }
  const std::vector<std::string> absent = absent_in(run);
  const bool has_recordings = std::ranges::any_of(run.parts, &PartRecord::recordings);
  std::string line = fmt::format(
      "{}: {} of {} {} conform", run.verdict, count_of(run, verdict_of(kExitOk)),
      run.exit_code == kExitInterrupted ? run.parts.size() : run.subjects.size() + absent.size(),
      has_recordings ? "parts of the run" : "subjects");
  if (const auto partial = count_of(run, verdict_of(kExitIncomplete)); partial > 0) {
    line += fmt::format(", {} incomplete{}", partial,
                        run.exit_code == kExitOk ? ", as --partial allows" : "");
  }
  if (!absent.empty()) line += fmt::format("; no device for {}", fmt::join(absent, ", "));
  return line;
}

}  // namespace

void judge_parts(RunRecord& run, bool is_whole) {
  run.exit_code = is_whole ? exit_code_over(run) : kExitInterrupted;
  run.verdict = verdict_over(run);
  run.line = line_over(run);
}

}  // namespace assay

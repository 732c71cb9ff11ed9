// Runs and shows the parts of a run.
#include "harness/run/parts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/console/usage_error.hpp"
#include "harness/perturb/perturb.hpp"
#include "harness/recorded/recorded_cases.hpp"
#include "harness/run/journal.hpp"
#include "harness/run/overall.hpp"
#include "harness/run/record.hpp"
#include "harness/run/reporter.hpp"
#include "harness/run/shorten.hpp"
#include "harness/subject/process/one_cpu.hpp"
#include "harness/subjects/cuda.hpp"
#include "harness/suite/runner/hello.hpp"
#include "harness/suite/unsupported_case.hpp"
#include "harness/text/neutral.hpp"
#include "harness/text/width.hpp"

namespace assay {
namespace {

std::vector<RunPart> subjects_of(const RunOptions& options, std::vector<std::string>& remarks) {
  std::vector<RunPart> parts;
  for (const std::string& name : options.subjects) parts.push_back({name, std::nullopt, false});
  if (!parts.empty()) return parts;
  parts.push_back({"reference", std::nullopt, true});
  const CudaFindings cuda = look_for_cuda();
  if (cuda.can_run_on_cpu) parts.push_back({"cuda_on_cpu", std::nullopt, true});
  if (cuda.has_device) parts.push_back({"cuda", std::nullopt, true});
  if (!cuda.can_run_on_cpu) {
    remarks.push_back("left out: " + cuda.on_cpu);
  } else if (!cuda.has_device) {
    remarks.push_back("left out: the subject 'cuda' needs a device. " + cuda.device);
  }
  return parts;
}

std::vector<RecordingSet> recordings_of(const RunOptions& options) {
  std::vector<std::string> wanted = options.transcripts;
  if (wanted.empty() && options.subjects.empty()) wanted = {"newest"};
  std::vector<RecordingSet> sets;
  for (const std::string& text : wanted) {
    if (text == "none") return {};
    for (RecordingSet& set : recordings_named(text)) sets.push_back(std::move(set));
  }
  return sets;
}

ConnectedSubject connect_for(const RunOptions& options, const std::string& name) {
  ConnectedSubject subject = connect_for_jobs(name, options.subject, options.jobs);
  subject.name = redacted(subject.name, options.secrets);
  return subject;
}

/// A subject of this project that is one other process takes turns with this one. Others might take
/// the number of their CPUs into account.
bool takes_turns(const RunOptions& options, const std::string& subject) {
  return options.jobs == 1 && (subject == "cuda_on_cpu" || subject.starts_with("mutant:"));
}

/// Describes the loss for the verdict.
std::string in_words(const Loss& loss) {
  const std::string& id = loss.where.case_id;
  return fmt::format("this process {} in {}; without --no-isolate only one case would be lost",
                     loss.how, id.empty() ? "no case" : "the case " + id);
}

/// If this process has a supervisor, reports each case to it before it runs.
void keep_guardian_informed(const Journal& journal, std::size_t part, RunSubjectOptions& options) {
  options.pool.on_start = [&journal, part,
                           told = std::move(options.pool.on_start)](const Task& task) {
    report_to_supervisor({part, journal.path(), task.test->id});
    if (told) told(task);
  };
  options.pool.on_result = [&journal, part,
                            told = std::move(options.pool.on_result)](const CaseResult& result) {
    report_to_supervisor({part, journal.path(), ""});
    if (told) told(result);
  };
}

RunSubjectOptions run_options_of(const RunContext& context, std::size_t number) {
  const RunOptions& options = context.options;
  RunSubjectOptions wanted;
  wanted.selection = options.selection;
  wanted.shard = options.shard;
  if (options.shuffled) wanted.shuffle_seed = options.seed;
  wanted.waivers = context.waivers;
  wanted.strict_end = options.strict_end;
  wanted.strict_waivers = options.strict_waivers;
  wanted.partial = options.partial;
  wanted.pool.jobs = options.jobs;
  wanted.pool.attempts = options.attempts;
  wanted.pool.fail_fast = options.fail_fast;
  wanted.pool.stop = &context.stop;
  if (options.perturbed) wanted.pool.runner.afterwards = perturb;
  if (options.strict_end) wanted.pool.end_patience = options.subject.timeout;
  wanted.journal = &context.journal;
  wanted.part = number;
  wanted.key = key_of(wanted, options.subject);
  if (options.loss && options.loss->where.part == number) wanted.lost = in_words(*options.loss);
  return wanted;
}

/// Keeps the cases of areas that the subject offers. Returns the reason if none is left. If its
/// hello has changed since an earlier part, keeps all: the run itself fails.
std::string keep_cases_of_offered_areas(ConnectedSubject& subject, const Selection& selection,
                                        const std::vector<Hello>& introduced,
                                        std::vector<Case>& cases) {
  if (cases.empty()) return "";
  const Contract wanted = wanted_contracts(selection).front();
  const Hello info = hello_with_retries(*subject.link, wanted);
  const auto before = std::ranges::find(introduced, wanted, &Hello::contract);
  if (before != introduced.end() && !difference_between(*before, info).empty()) return "";
  if (info.contract != wanted) {
    return fmt::format("its contract is {}, not {}", to_text(info.contract), to_text(wanted));
  }
  std::erase_if(cases, [&](const Case& test) {
    return std::ranges::find(info.areas, area_of_case(test.id)) == info.areas.end();
  });
  return cases.empty() ? "it has none of these areas" : "";
}

SubjectRun run_and_report(const RunContext& context, const RunPart& part, ConnectedSubject& subject,
                          RunSubjectOptions wanted) {
  Reporter reporter(part.label(), context.options.style);
  reporter.attach(wanted);
  context.so_far.watch(part.label(), wanted);
  keep_guardian_informed(context.journal, wanted.part, wanted);
  std::vector<Hello>& introduced = context.introduced[part.subject];
  wanted.introduced = introduced;
  SubjectRun run = run_subject(subject, std::move(wanted));
  if (run.tally.lost.empty() && !run.tally.interrupted) {
    shorten_failures(subject, run, std::chrono::duration<double>(context.options.shrink_seconds),
                     &context.stop);
  }
  introduced.insert(introduced.end(), run.introduced.begin(), run.introduced.end());
  return run;
}

/// Prints the end of the part, and makes its record.
std::optional<report::SubjectRecord> show(const RunContext& context, const RunPart& part,
                                          SubjectRun& done) {
  for (auto& [name, value] : done.rules.key) value = redacted(value, context.options.secrets);
  return show_end({part.label(), part.by_default, context.is_alone}, done, context.options.style);
}

/// Prints and counts the recordings of the subject's areas of which nothing was compared.
void note_stale(std::vector<std::string> stale, SubjectRun& done) {
  constexpr std::size_t kMostShown = 8;
  std::erase_if(stale, [&](const std::string& entry) {
    return std::ranges::find(done.info.areas, area_of_case(entry)) == done.info.areas.end();
  });
  for (std::size_t i = 0; i < stale.size(); ++i) {
    ++done.tally.stale[area_of_case(stale[i])];
    if (i < kMostShown) print("  stale  " + wrapped(stale[i], 2, columns_of_terminal(), 6));
  }
  if (stale.size() > kMostShown) {
    print(fmt::format("  and {} more; `assay replay` lists them\n", stale.size() - kMostShown));
  }
}

std::optional<report::SubjectRecord> run_recorded(const RunContext& context, const RunPart& part,
                                                  std::size_t number) {
  RecordedCases recorded = recorded_cases(part.recordings->files, context.options.selection);
  if (recorded.cases.empty() && recorded.stale.empty()) {
    if (!part.by_default) {
      print(fmt::format("{} skips recording {}: none of its cases is selected\n", part.subject,
                        part.recordings->name));
    }
    return std::nullopt;
  }
  ConnectedSubject subject = connect_for(context.options, part.subject);
  RunSubjectOptions wanted = run_options_of(context, number);
  narrow_to_recorded(wanted.selection, recorded.cases);
  if (const std::string why = keep_cases_of_offered_areas(
          subject, wanted.selection, context.introduced[part.subject], recorded.cases);
      !why.empty()) {
    print(fmt::format("{} skips recording {}: {}\n", part.shown, part.recordings->name, why));
    return std::nullopt;
  }
  wanted.cases = &recorded.cases;
  SubjectRun done = run_and_report(context, part, subject, std::move(wanted));
  note_stale(std::move(recorded.stale), done);
  return show(context, part, done);
}

/// True if nothing of the part can run, and so nothing of it can be wrong. What a shard has of it
/// is kept, because other shards may have more.
bool has_none_of_the_cases(const SubjectRun& done) {
  const Tally& tally = done.tally;
  const bool is_shard = tally.planned < done.rules.cases;
  return tally.exit_code() == kExitNothingRan && tally.required == 0 && tally.stale.empty() &&
         tally.ran() == tally.of(Outcome::kUnsupported) && (!is_shard || tally.planned == 0);
}

}  // namespace

std::string RunPart::label() const {
  if (!recordings) return shown;
  return fmt::format("{} against recorded {}", shown, recordings->name);
}

std::vector<RunPart> parts_of(const RunOptions& options, std::vector<std::string>& remarks) {
  const std::vector<RecordingSet> sets = recordings_of(options);
  std::vector<RunPart> parts;
  for (const RunPart& subject : subjects_of(options, remarks)) {
    parts.push_back(subject);
    for (const RecordingSet& set : sets) {
      parts.push_back({subject.subject, set, options.transcripts.empty()});
    }
  }
  for (RunPart& part : parts) part.shown = redacted(part.subject, options.secrets);
  return parts;
}

std::optional<report::SubjectRecord> show_end(const PartEnd& part, const SubjectRun& done,
                                              const ReportStyle& style) {
  if (part.by_default && has_none_of_the_cases(done)) {
    print(fmt::format("{} has none of these cases, and is left out\n", part.label));
    return std::nullopt;
  }
  const ClauseCount clauses = count_clauses(done.tally, done.info, done.covers_the_suites());
  const std::string line = verdict_line(part.label, done.tally, clauses);
  for (const auto* findings : {&done.waiver_findings, &done.support_findings, &done.remarks}) {
    for (const std::string& finding : *findings) print("  " + one_line(finding) + "\n");
  }
  print(report_end(part.label, done, clauses, style));
  if (!part.is_alone) print(line + "\n");
  report::SubjectRecord record = record_of(done, clauses, line);
  record.subject = part.label;
  return record;
}

std::optional<report::SubjectRecord> run_part(const RunContext& context, const RunPart& part,
                                              std::size_t number) {
  std::optional<OnReservedCpu> cpu;
  if (takes_turns(context.options, part.subject)) cpu.emplace();
  if (part.recordings) return run_recorded(context, part, number);
  ConnectedSubject subject = connect_for(context.options, part.subject);
  SubjectRun done = run_and_report(context, part, subject, run_options_of(context, number));
  return show(context, part, done);
}

}  // namespace assay

// Running the selected cases on one subject.
#include "harness/cli/conduct.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/cli/errors.hpp"
#include "harness/suite/hello.hpp"

namespace assay::cli {
namespace {

std::vector<Contract> wanted_of(const ConnectedSubject& subject, const Selection& selection) {
  std::vector<Contract> wanted = wanted_contracts(selection);
  if (!subject.preferred) return wanted;
  const auto found = std::find(wanted.begin(), wanted.end(), *subject.preferred);
  if (found != wanted.end()) std::rotate(wanted.begin(), found, found + 1);
  return wanted;
}

std::vector<Contract> settle(ConnectedSubject& subject, const Selection& selection) {
  const std::vector<Contract> wanted = wanted_of(subject, selection);
  std::vector<Contract> offered;
  try {
    offered = offered_contracts(*subject.link, wanted);
  } catch (const LinkBroken& broken) {
    throw UsageError(fmt::format("the subject '{}' did not answer hello: {}\n{}", subject.name,
                                 broken.what(), broken.last_words()));
  } catch (const BadReply& bad) {
    throw UsageError(fmt::format("the subject '{}': {}", subject.name, bad.what()));
  }
  const std::string states = to_text(offered.front());
  std::erase_if(offered, [&](const Contract& contract) {
    return std::find(wanted.begin(), wanted.end(), contract) == wanted.end();
  });
  if (!offered.empty()) return offered;
  throw UsageError(
      fmt::format("the subject '{}' holds to {}, which --release, --device-rules and "
                  "--deviations leave out",
                  subject.name, states));
}

}  // namespace

SubjectRun conduct(ConnectedSubject& subject, ConductOptions options) {
  SubjectRun run;
  run.subject = subject.name;
  run.contracts = settle(subject, options.selection);
  run.info = say_hello(*subject.link, run.contracts.front());
  Plan plan = plan_of(all_cases(), options.selection, run.contracts);
  if (options.shuffle_seed) shuffle(plan.tasks, *options.shuffle_seed);
  if (options.on_plan) options.on_plan(run.info, run.contracts, plan);

  WaiverPolicy waivers(std::move(options.waivers), today_utc());
  waivers.set_subject(subject.name, run.info);
  options.runner.judge = [&](CaseResult& result) { waivers.judge(result); };
  options.runner.support = subject.support;
  const auto begin = std::chrono::steady_clock::now();
  Runner runner(*subject.link, options.runner);
  run.results = runner.run_all(plan.tasks);

  for (const CaseResult& result : run.results) run.tally.add(result);
  run.waiver_findings = waivers.findings();
  run.tally.waiver_findings = run.waiver_findings.size();
  run.tally.strict_waivers = options.strict_waivers;
  run.tally.planned = plan.tasks.size();
  run.tally.not_applicable = plan.not_applicable;
  run.tally.duration = std::chrono::steady_clock::now() - begin;
  run.tally.interrupted = run.results.size() < plan.tasks.size();
  return run;
}

}  // namespace assay::cli

// Counts the commands that cases send to the reference.
#include "harness/run/callers.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/console/nearest.hpp"
#include "harness/console/usage_error.hpp"
#include "harness/protocol/schema.hpp"
#include "harness/run/run_subject.hpp"

namespace assay {
namespace {

void refuse_unknown(const std::string& command) {
  const std::vector<std::string>& known = known_verbs();
  if (std::ranges::any_of(known, [&](const auto& verb) { return glob_matches(command, verb); })) {
    return;
  }
  throw UsageError(fmt::format("--command '{}' matches no command of the protocol{}", command,
                               suggestion(command, known)));
}

}  // namespace

std::map<std::string, std::int64_t> callers_of(const std::string& command,
                                               const Selection& selection) {
  refuse_unknown(command);
  std::map<std::string, std::int64_t> callers;
  ConnectedSubject subject = connect("reference", {});
  RunSubjectOptions options;
  options.selection = selection;
  options.pool.runner.keep_history = true;
  options.pool.on_result = [&](const CaseResult& result) {
    const auto calls = std::ranges::count_if(result.history, [&](const Exchange& exchange) {
      return glob_matches(command, exchange.command.verb);
    });
    if (calls == 0) return;
    std::int64_t& most = callers[result.test->id];
    most = std::max<std::int64_t>(most, calls);
  };
  run_subject(subject, options);
  return callers;
}

}  // namespace assay

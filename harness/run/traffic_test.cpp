// Validates real traffic against the schema: every command of a case, and every reply of the
// reference.
#include <gtest/gtest.h>

#include <map>

#include "harness/protocol/json.hpp"
#include "harness/protocol/schema.hpp"
#include "harness/run/run_subject.hpp"

namespace assay {
namespace {

/// The first error for each command, and the number of checks.
struct Findings {
  std::map<std::string, std::string> by_verb;
  std::size_t exchanges = 0;
};

/// Cases of many rows repeat themselves: after this many of a command, the next case follows.
constexpr int kEnough = 25;

void check(const CaseResult& result, Findings& findings) {
  std::map<std::string, int> seen;
  for (const Exchange& exchange : result.history) {
    if (++seen[exchange.command.verb] > kEnough) continue;
    const std::string command = to_json(exchange.command);
    const std::string reply = to_json(exchange.reply);
    ++findings.exchanges;
    const auto errors = validate_exchange(command, reply);
    if (errors.empty()) continue;
    findings.by_verb.emplace(exchange.command.verb, result.test->id + ": " + errors.back() +
                                                        "\n  " + command.substr(0, 400) + "\n  " +
                                                        reply.substr(0, 400));
  }
}

TEST(Traffic, OfEveryCaseOnTheReferenceKeepsToTheSchema) {
  Findings findings;
  ConnectedSubject subject = connect("reference", {});
  RunSubjectOptions options;
  options.pool.runner.keep_history = true;
  options.pool.on_result = [&](const CaseResult& result) { check(result, findings); };

  run_subject(subject, options);

  EXPECT_GT(findings.exchanges, 1000U);
  for (const auto& [verb, complaint] : findings.by_verb) ADD_FAILURE() << verb << ": " << complaint;
}

}  // namespace
}  // namespace assay

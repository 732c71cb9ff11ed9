// Implements `assay run --debug`.
#include "harness/cli/debug.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <iostream>
#include <utility>

#include "harness/console/nearest.hpp"
#include "harness/console/terminal.hpp"
#include "harness/console/usage_error.hpp"
#include "harness/protocol/json.hpp"
#include "harness/subject/process/other_process.hpp"
#include "harness/suite/card/card.hpp"
#include "harness/suite/runner/hello.hpp"
#include "harness/suite/runner/runner.hpp"
#include "harness/suite/runner/verdict.hpp"

namespace assay::cli {
namespace {

void wait_for_enter(const std::string& prompt) {
  print(prompt + "; Enter continues\n");
  std::string line;
  std::getline(std::cin, line);
}

/// The process to attach to: this one, unless the subject has its own.
int process_of(const Link& link) {
  const auto* other = dynamic_cast<const OtherProcess*>(&link);
  return other == nullptr ? getpid() : other->process();
}

/// Prints commands and replies. Passes no deadline on, because debugging takes time.
class ShownLink final : public Link {
 public:
  explicit ShownLink(std::unique_ptr<Link> link) : link_(std::move(link)) {}

  Reply exchange(const Command& command) override {
    print("> " + to_json(command) + "\n");
    Reply reply = link_->exchange(command);
    print("< " + to_json(reply) + "\n");
    return reply;
  }
  void restart() override {
    link_->restart();
    print(fmt::format("the subject was restarted as process {}\n", process_of(*link_)));
  }

 private:
  std::unique_ptr<Link> link_;
};

const Case& case_called(const std::string& id) {
  std::vector<std::string> ids;
  for (const Case& test : all_cases()) {
    if (test.id == id) return test;
    ids.push_back(test.id);
  }
  throw UsageError(fmt::format("unknown case '{}'{}", id, suggestion(id, ids)));
}

/// The same case, but it stops before its failure is reported.
Case stopping(const Case& test) {
  Case stops = test;
  stops.body = [body = test.body](Session& subject) {
    try {
      body(subject);
    } catch (const std::exception& error) {
      wait_for_enter(
          fmt::format("stopped after command {}: {}", subject.history().size(), error.what()));
      throw;
    }
  };
  return stops;
}

/// The case under the first contract that both it and the subject support.
Task task_of(const Case& test, const Selection& wanted, ConnectedSubject& subject) {
  std::vector<Contract> contracts;
  try {
    contracts = offered_contracts(*subject.link, wanted_contracts(wanted));
  } catch (const std::exception& error) {
    throw UsageError(
        fmt::format("the subject '{}' did not answer hello: {}", subject.name, error.what()));
  }
  for (const Contract& contract : contracts) {
    if (test.applies.admits(contract)) return {&test, contract};
  }
  throw UsageError(fmt::format("the case '{}' is not for {} or any other contract of '{}'", test.id,
                               to_text(contracts.front()), subject.name));
}

}  // namespace

int debug_case(const DebugOptions& options) {
  const Case stops = stopping(case_called(options.case_id));
  SubjectOptions connection = options.connection;
  connection.timeout = std::chrono::hours(24 * 365);
  ConnectedSubject subject = connect(options.subject, connection);
  const Task task = task_of(stops, options.selection, subject);
  const int process = process_of(*subject.link);
  wait_for_enter(
      fmt::format("{} is process {}; attach with: gdb -p {}", subject.name, process, process));

  ShownLink link(std::move(subject.link));
  RunnerOptions runner_options;
  runner_options.support = subject.support;
  const CaseResult result = Runner(link, runner_options).run(task);
  if (result.spoils()) {
    CardOptions card_options;
    card_options.subject = options.subject;
    card_options.colours = has_colours(own_output());
    print("\n" + card(result, card_options) + "\n");
  }
  Tally tally;
  tally.add(result);
  print(fmt::format("{} {} {} on {}\n", word_of(tally.exit_code()), task.test->id,
                    name_of(result.outcome), subject.name));
  return tally.exit_code();
}

}  // namespace assay::cli

// Makes the driver calls of each command fail, one after the other.
//
// A command is sent again and again. Before each attempt the simulated machine is told to let the
// calls pass that the last attempt came to, and to fail the next one; its log tells which call that
// was. So each attempt fails one call later than the last, until one succeeds: no call has to be
// known beforehand, and one run of the program tries them all. A failed attempt should have left no
// trace. Whatever it left shows in the reply of the attempt that succeeds, in the later replies of
// the program, or in the number of live objects, which the same attempt again must not raise: an
// attempt may fill a cache once.
#include "harness/perturb/failures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "harness/perturb/changes.hpp"
#include "harness/protocol/json.hpp"
#include "harness/suite/expect.hpp"

namespace assay {
namespace {

/// Invalid resource handle: no call documents it as a result that is handled, and no later call
/// fails because of it.
constexpr std::int64_t kCode = 400;
/// Of the calls of one name in a command, for example 128 that create streams.
constexpr int kMostOfAName = 2;
/// In a program; later commands are sent as they are, so that long programs take no longer.
constexpr std::size_t kMostFailures = 100;

/// The calls that fail. Not those that are made in destructors, whose failure is a warning
/// (FLT-008), and not the number of devices, which is asked once and kept (FLT-015).
constexpr std::string_view kCalls[] = {
    "capture_begin", "capture_status", "event_create",  "event_elapsed",   "event_query",
    "event_record",  "event_sync",     "free",          "graph_launch",    "host_alloc",
    "ipc_get",       "ipc_open",       "launch",        "malloc",          "memcpy_async",
    "mem_info",      "priority_range", "stream_create", "stream_priority", "stream_query",
    "stream_sync",   "stream_wait",    "device_sync"};

Command command_of(std::string verb, Fields with = {}) {
  Command command;
  command.verb = std::move(verb);
  command.with = std::move(with);
  return command;
}

/// The calls that fail in this program.
std::vector<std::string> calls_of(const std::vector<Exchange>& program) {
  std::vector<std::string> calls(std::begin(kCalls), std::end(kCalls));
  if (has_one_that_minds(program, "streams")) std::erase(calls, "stream_create");
  return calls;
}

/// A plan in which each of the calls passes as often as `passing` says, and then fails.
Command plan_after(const std::vector<std::string>& calls, const Counts& passing) {
  List plan;
  for (const std::string& name : calls) {
    const auto found = passing.find(name);
    const std::int64_t occurrence = found == passing.end() ? 1 : found->second + 1;
    if (occurrence > kMostOfAName) continue;
    plan.items.emplace_back(Dict{{{"call", name}, {"occurrence", occurrence}, {"code", kCode}}});
  }
  return command_of("sim.faults", {{"plan", std::move(plan)}});
}

/// The calls of an attempt, up to the one that failed.
struct Calls {
  Counts made;
  std::string failed;  ///< empty if none did
};

Calls calls_in(const Reply& log) {
  Calls calls;
  const Value* result = log.ok.find("result");
  const List* lines = result == nullptr ? nullptr : result->get_if<List>();
  if (lines == nullptr) return calls;
  for (const Value& line : lines->items) {
    const auto* text = line.get_if<std::string>();
    if (text == nullptr) continue;
    const std::string name = text->substr(0, text->find('('));
    ++calls.made[name];
    if (text->ends_with(fmt::format("!{}", kCode))) {
      calls.failed = name;
      break;
    }
  }
  return calls;
}

class Failing {
 public:
  Failing(Session& session, const std::vector<Exchange>& program, const Choice& choice,
          std::vector<Failed>& failures)
      : session_(session),
        program_(program),
        choice_(choice),
        calls_(calls_of(program)),
        state_(session, program),
        failures_(failures) {}

  void send_all() {
    session_.ask(command_of("sim.log"));
    for (at_ = 0; at_ < program_.size(); ++at_) {
      if (!send(program_[at_])) break;
    }
  }

 private:
  /// False if the rest cannot be compared.
  bool send(const Exchange& exchange) {
    const std::string& verb = exchange.command.verb;
    if (verb == "graph.begin" || verb == "graph.end") is_captured_ = verb == "graph.begin";
    // What an attempt has captured before it failed stays in the graph.
    const bool may = verb == "graph.begin" || !is_captured_;
    const bool fails = may && choice_.allows(at_) && failures_.size() < kMostFailures &&
                       bears_attempts(exchange.command) &&
                       !minds_inside(exchange.command, "driver") && exchange.reply.succeeded();
    std::optional<Reply> got = fails ? until_it_succeeds(exchange.command)
                                     : std::optional(without_failures(exchange.command));
    if (!got) return false;
    if (lacks_memory(*got, exchange.reply)) return false;
    comparison_.compare(exchange, std::move(*got),
                        failures_.empty() ? std::nullopt : std::optional(in_words()));
    return true;
  }

  /// Where memory is limited, what attempts have left in the cache decides what still fits.
  bool lacks_memory(const Reply& got, const Reply& wanted) const {
    return !failures_.empty() && wanted.succeeded() && got.status == Reply::Status::kError &&
           got.error.kind == ErrorKind::kOutOfMemory;
  }

  /// Nothing if an attempt succeeded with a warning about the call that failed.
  std::optional<Reply> until_it_succeeds(const Command& command) {
    Counts passing = choice_.passing.value_or(Counts());
    const std::string state = state_.before(command);
    while (true) {
      const Attempt first = attempt(command, passing);
      if (first.calls.failed.empty()) return first.reply;
      if (first.reply.succeeded() && !first.reply.warnings.empty()) return std::nullopt;
      note_failure(command, first, passing);
      state_.expect(state, command, in_words());
      const Reply before = session_.ask(command_of("sim.live"));
      const Attempt second = attempt(command, passing);
      if (second.calls.failed.empty()) return second.reply;
      if (second.reply.succeeded() && !second.reply.warnings.empty()) return std::nullopt;
      note_failure(command, second, passing);
      if (second.calls.failed == first.calls.failed) expect_no_more_than(before);
      // What has begun to work may have changed its operands.
      if (choice_.passing || second.calls.made.contains("launch")) return without_failures(command);
      for (const auto& [name, count] : second.calls.made) {
        passing[name] = std::max(passing[name], count);
      }
    }
  }

  struct Attempt {
    Reply reply;
    Calls calls;
  };

  Attempt attempt(const Command& command, const Counts& passing) {
    std::vector<std::string> calls = calls_;
    // Elsewhere it is made to clean up after another call that failed.
    if (!command.verb.starts_with("memory.")) std::erase(calls, "free");
    session_.ask(plan_after(calls, passing));
    has_plan_ = true;
    Attempt made;
    made.reply = session_.ask(command);
    made.calls = calls_in(session_.ask(command_of("sim.log")));
    return made;
  }

  Reply without_failures(const Command& command) {
    if (std::exchange(has_plan_, false)) {
      session_.ask(command_of("sim.faults", {{"plan", List{}}}));
    }
    return session_.ask(command);
  }

  void note_failure(const Command& command, const Attempt& attempt, const Counts& passing) {
    failures_.push_back({at_, passing});
    last_ = fmt::format("{} of {}", attempt.calls.failed, command.verb);
    const Reply& reply = attempt.reply;
    const auto wanted = fmt::format("an error with the code {}", kCode);
    if (reply.succeeded()) {
      throw CheckFailed(in_words() + ", and it succeeds", wanted, to_json(reply), {});
    }
    const std::optional<Value>& code = reply.error.code;
    const auto* number = code ? code->get_if<std::int64_t>() : nullptr;
    if (number != nullptr && *number != kCode) {
      throw CheckFailed(in_words() + ", and it raises another error", wanted, to_json(reply), {});
    }
  }

  void expect_no_more_than(const Reply& before) {
    const Reply now = session_.ask(command_of("sim.live"));
    for (const auto& [kind, count] : now.ok) {
      const Value* earlier = before.ok.find(kind);
      const auto* had = earlier == nullptr ? nullptr : earlier->get_if<std::int64_t>();
      const auto* has = count.get_if<std::int64_t>();
      if (had == nullptr || has == nullptr || *has <= *had) continue;
      throw CheckFailed(in_words() + " twice, and the second time more " + kind + " stay alive",
                        to_json(*earlier), to_json(count), {});
    }
  }

  std::string in_words() const { return fmt::format("the driver call {} fails", last_); }

  Session& session_;
  const std::vector<Exchange>& program_;
  const Choice& choice_;
  std::vector<std::string> calls_;
  ThreadState state_;
  ComparisonAfterFailures comparison_;
  std::size_t at_ = 0;
  bool has_plan_ = false;
  bool is_captured_ = false;
  std::vector<Failed>& failures_;
  std::string last_;
};

}  // namespace

bool bears_failures(const std::vector<Exchange>& program, const SubjectInfo& info) {
  if (std::ranges::find(info.areas, "sim") == info.areas.end()) return false;
  if (!info.contract.cuda() || !info.contract.strict()) return false;
  return is_repeatable(program) && !has_one_that_minds(program, "calls");
}

void send_with_failures(Session& session, const std::vector<Exchange>& program,
                        const Choice& choice, std::vector<Failed>& failed) {
  Failing(session, program, choice, failed).send_all();
}

}  // namespace assay

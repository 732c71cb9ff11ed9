// Runs litmus programs, one command per operation, or as rounds inside the subject.
#include "harness/suite/litmus/run.hpp"

#include <algorithm>

#include "harness/suite/clients/sim.hpp"
#include "harness/suite/expect.hpp"
#include "harness/suite/reading.hpp"

namespace assay {
namespace {

using litmus::Operation;
using litmus::Verb;

constexpr std::string_view kMain = "main";

Command command(std::string verb, Fields with, std::string as = {}) {
  Command made;
  made.verb = std::move(verb);
  made.with = std::move(with);
  made.as = std::move(as);
  return made;
}

/// The result of a query or a read: 0 or 1, or the word.
std::int64_t number_in(const Value& value) {
  if (const bool* answer = value.get_if<bool>()) return *answer ? 1 : 0;
  const TensorValue* tensor = value.tensor();
  if (tensor == nullptr || tensor->numel() != 1) {
    throw BadReply("'result' should be a bool or a word, and is a " + std::string(kind_of(value)));
  }
  return static_cast<std::int64_t>(tensor->bits_at(0));
}

bool asks(const Operation& operation) {
  return operation.verb == Verb::kQueryEvent || operation.verb == Verb::kQueryStream;
}

}  // namespace

litmus::Permitted explored(Session& session, const litmus::Program& program) {
  litmus::Permitted permitted;
  const PermittedOutcomes found = session.sim().permitted(to_text(program));
  permitted.hangs = found.hangs;
  for (const std::vector<Value>& values : found.outcomes) {
    litmus::Outcome outcome;
    for (const Value& value : values) {
      const auto* number = value.get_if<std::int64_t>();
      if (number == nullptr) throw BadReply("an observation of 'sim.permitted' is not an int");
      outcome.push_back(*number);
    }
    permitted.outcomes.insert(std::move(outcome));
  }
  return permitted;
}

LitmusRun::LitmusRun(Session& session, const litmus::Program& program, LitmusOptions options)
    : session_(session), program_(program), options_(options), objects_(session, program) {
  for (const litmus::Thread& thread : program_.threads) {
    for (const Operation& operation : thread.operations) {
      if (!operation.declares()) calls_.push_back({thread.name, &operation});
      if (thread.name == litmus::kTimeoutThread) timed_.insert(operation.object);
    }
  }
}

/// New events in each round, because it matters whether an event was ever recorded.
Block LitmusRun::events() {
  Block block;
  for (const std::string& event : objects_.events()) {
    events_[event] = session_.fresh_name("event");
    block.push_back(command("runtime.event", {}, events_[event]));
  }
  return block;
}

/// Copies use the current stream, which is otherwise the default stream.
Block LitmusRun::copy(const Operation& operation) const {
  const bool in = operation.verb == Verb::kCopyIn || operation.verb == Verb::kCopyInAsync;
  const bool waits = operation.verb == Verb::kCopyIn || operation.verb == Verb::kCopyOut;
  const Ref device = objects_.location(operation.location);
  const Ref host = objects_.buffer(operation.buffer);
  return {
      command("runtime.set_current_stream", {{"stream", objects_.stream(operation.stream.name)}}),
      command("core.copy_",
              {{"dst", in ? device : host}, {"src", in ? host : device}, {"non_blocking", !waits}}),
      command("runtime.set_current_stream",
              {{"stream", objects_.default_stream(operation.stream.device)}})};
}

Block LitmusRun::commands(std::size_t call, Names& names) {
  const Operation& operation = *calls_[call].operation;
  const auto stream = [&] { return Value(objects_.stream(operation.stream.name)); };
  const auto location = [&] { return Value(objects_.location(operation.location)); };
  const auto event = [&] { return Value(Ref{events_.at(operation.object)}); };
  switch (operation.verb) {
    case Verb::kStore:
      return {command("runtime.store",
                      {{"tensor", location()}, {"value", operation.value}, {"stream", stream()}})};
    case Verb::kLoad:
      names[call] = session_.fresh_name("load");
      return {command("runtime.load", {{"tensor", location()}, {"stream", stream()}}, names[call])};
    case Verb::kKernel:
      return {command("runtime.kernel", {{"stream", stream()}})};
    case Verb::kGate:
      names[call] = gates_[operation.object] = session_.fresh_name("gate");
      return {command("runtime.gate",
                      {{"stream", stream()},
                       {"timeout_ms", timed_.contains(operation.object) ? options_.timeout_ms
                                                                        : options_.gate_ms}},
                      names[call])};
    case Verb::kOpen:
      return {command("runtime.open", {{"gate", Ref{gates_.at(operation.object)}}})};
    case Verb::kRecord:
      return {command("runtime.record", {{"event", event()}, {"stream", stream()}})};
    case Verb::kWait:
      return {command("runtime.block", {{"event", event()}, {"stream", stream()}})};
    case Verb::kQueryEvent:
      return {command("runtime.query", {{"object", event()}})};
    case Verb::kQueryStream:
      return {command("runtime.query", {{"object", stream()}})};
    case Verb::kSyncEvent:
      return {command("runtime.synchronize", {{"object", event()}})};
    case Verb::kSyncStream:
      return {command("runtime.synchronize", {{"object", stream()}})};
    case Verb::kSyncDevice:
      return {
          command("runtime.synchronize_device", {{"device", session_.device(operation.device)}})};
    case Verb::kCopyIn:
    case Verb::kCopyInAsync:
    case Verb::kCopyOut:
    case Verb::kCopyOutAsync:
      return copy(operation);
    case Verb::kSet:
      return {command("core.copy_", {{"dst", objects_.buffer(operation.buffer)},
                                     {"src", host_word(operation.value)}})};
    case Verb::kGet:
      return {command("core.read", {{"tensor", objects_.buffer(operation.buffer)}})};
    default:
      return {};  // a signal only constrains the order of the calls
  }
}

Reply LitmusRun::in_thread(const std::string& thread, const Command& what) {
  std::vector<Reply> replies = session_.on(thread, {what});
  if (replies.empty()) throw BadReply("'on' answered without 'replies'");
  return std::move(replies.back());
}

std::int64_t LitmusRun::made(std::size_t call, const Command& what, const std::string& thread) {
  const Reply reply = thread == kMain ? session_.send(what) : in_thread(thread, what);
  const Operation& operation = *calls_[call].operation;
  return asks(operation) || operation.verb == Verb::kGet ? number_in(field(reply, "result")) : 0;
}

std::int64_t LitmusRun::asked_again(std::size_t call, const Command& query,
                                    const std::string& thread) {
  const auto end = std::chrono::steady_clock::now() + options_.patience;
  std::int64_t answer = made(call, query, thread);
  while (answer == 0 && std::chrono::steady_clock::now() < end) answer = made(call, query, thread);
  return answer;
}

litmus::Outcome LitmusRun::once(const litmus::CallOrder& calls) {
  for (const Block& block : {objects_.clear(), events()}) {
    for (const Command& one : block) session_.send(one);
  }
  Names names;
  std::map<std::size_t, std::int64_t> seen;
  for (const std::size_t call : calls) {
    const std::string& thread = calls_[call].thread;
    if (thread == litmus::kTimeoutThread) continue;
    for (const Command& one : commands(call, names)) {
      seen[call] =
          asks(*calls_[call].operation) ? asked_again(call, one, thread) : made(call, one, thread);
    }
  }
  for (const Command& one : objects_.wait_for_all()) session_.send(one);
  check_gates(names);
  for (const auto& [call, name] : names) {
    if (calls_[call].operation->verb != Verb::kLoad) continue;
    seen[call] = number_in(field(session_.send("core.read", {{"tensor", Ref{name}}}), "result"));
  }
  forget(names);
  return outcome_of(seen);
}

void LitmusRun::check_gates(const Names& names) {
  for (const auto& [call, name] : names) {
    const Operation& gate = *calls_[call].operation;
    if (gate.verb != Verb::kGate) continue;
    const Reply reply = session_.send("runtime.gate_state", {{"gate", Ref{name}}});
    const bool expired = field_as<std::string>(reply, "result") == "expired";
    const bool timed = timed_.contains(gate.object);
    if (expired && !timed) {
      throw GateExpired("gate '" + gate.object + "' timed out after " +
                        std::to_string(options_.gate_ms) + " ms, before the host opened it");
    }
    if (timed && !expired) {
      throw CheckFailed("gate '" + gate.object + "' opened before its timeout", "expired",
                        field_as<std::string>(reply, "result"), std::source_location::current());
    }
  }
}

void LitmusRun::forget(const Names& names) {
  for (const auto& [call, name] : names) session_.drop(name);
  for (const auto& [event, name] : events_) session_.drop(name);
  events_.clear();
  gates_.clear();
}

litmus::Outcome LitmusRun::outcome_of(const std::map<std::size_t, std::int64_t>& seen) const {
  litmus::Outcome outcome;
  for (std::size_t call = 0; call < calls_.size(); ++call) {
    if (calls_[call].operation->observes()) outcome.push_back(seen.at(call));
  }
  return outcome;
}

bool LitmusRun::fits_together(const litmus::Program& program) {
  const auto plain = [](const Operation& operation) {
    return operation.verb == Verb::kStore || operation.verb == Verb::kLoad ||
           operation.verb == Verb::kKernel || operation.verb == Verb::kSignal;
  };
  if (program.threads.size() == 1) return true;
  for (const litmus::Thread& thread : program.threads) {
    const bool last = thread.name == kMain && &thread == &program.threads.back();
    if (!last && !std::ranges::all_of(thread.operations, plain)) return false;
  }
  const auto& operations = program.operations();
  return std::ranges::none_of(operations, [](const Operation* operation) {
    return operation->verb == Verb::kGate || operation->verb == Verb::kRecord;
  });
}

// Rounds inside the subject, with the block command `together`.

namespace {

/// The replies to the commands of `observe` in one round.
const std::vector<Value>& seen_in(const Value& outcome, std::int64_t& times) {
  const List* seen = nullptr;
  for (const auto& [name, value] : held_in<Dict>(outcome).items) {
    const std::string& key = held_in<std::string>(name);
    if (key == "seen") seen = &held_in<List>(value);
    if (key == "times") times = held_in<std::int64_t>(value);
  }
  if (seen == nullptr) throw BadReply("an outcome of 'together' lacks 'seen'");
  return seen->items;
}

std::int64_t number_of(const Value& fields) {
  const Dict* dict = fields.get_if<Dict>();
  if (dict != nullptr && dict->items.size() == 1) {
    const Value& result = dict->items.front().second;
    if (const bool* answer = result.get_if<bool>()) return *answer ? 1 : 0;
    if (const TensorValue* tensor = result.tensor()) {
      return static_cast<std::int64_t>(tensor->bits_at(0));
    }
  }
  throw BadReply("an outcome of 'together' lacks an observed word");
}

}  // namespace

LitmusHistogram LitmusRun::together(std::int64_t rounds) {
  Names names;
  std::map<std::size_t, std::size_t> places;  // of each observation in `observe`
  std::vector<std::pair<std::string, Block>> threads;
  const bool alone = program_.threads.size() == 1;
  Block observe = alone ? events() : Block();
  for (std::size_t call = 0; call < calls_.size(); ++call) {
    const std::string& thread = calls_[call].thread;
    const bool last = alone || thread == kMain;
    if (!last && (threads.empty() || threads.back().first != thread))
      threads.push_back({thread, {}});
    Block& block = last ? observe : threads.back().second;
    places[call] = block.size();
    for (Command& one : commands(call, names)) block.push_back(std::move(one));
  }
  for (Command& one : objects_.wait_for_all()) observe.push_back(std::move(one));
  for (const auto& [call, name] : names) {
    if (calls_[call].operation->verb != litmus::Verb::kLoad) continue;
    places[call] = observe.size();
    Command read;
    read.verb = "core.read";
    read.with = {{"tensor", Ref{name}}};
    observe.push_back(std::move(read));
  }
  for (Command& one : objects_.clear()) observe.push_back(std::move(one));
  if (threads.empty()) threads.push_back({std::string(kMain), {}});

  for (const Command& one : objects_.clear()) session_.send(one);
  const Reply reply = session_.together(std::move(threads), rounds, std::move(observe));
  LitmusHistogram histogram;
  for (const Value& outcome : field_as<List>(reply, "outcomes").items) {
    std::int64_t times = 0;
    const std::vector<Value>& answers = seen_in(outcome, times);
    std::map<std::size_t, std::int64_t> seen;
    for (std::size_t call = 0; call < calls_.size(); ++call) {
      if (calls_[call].operation->observes()) seen[call] = number_of(answers.at(places[call]));
    }
    histogram[outcome_of(seen)] += times;
  }
  events_.clear();
  gates_.clear();
  return histogram;
}

}  // namespace assay

// Generates operations, and random litmus programs of them.
#include "harness/program/litmus_random.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/check/ordering_axioms.hpp"

namespace assay::litmus {

// Operations.

namespace {

constexpr std::initializer_list<Verb> kVerbs = {
    Verb::kStore,       Verb::kStore,     Verb::kStore,      Verb::kLoad,       Verb::kLoad,
    Verb::kLoad,        Verb::kKernel,    Verb::kRecord,     Verb::kRecord,     Verb::kRecord,
    Verb::kWait,        Verb::kWait,      Verb::kWait,       Verb::kQueryEvent, Verb::kQueryEvent,
    Verb::kQueryStream, Verb::kSyncEvent, Verb::kSyncStream, Verb::kSyncDevice, Verb::kCopyIn};

Stream stream(char kind, std::size_t number, int device) {
  constexpr std::string_view kLetters = "SBLP";
  std::string name(1, kind);
  if (kind == 'S' || kind == 'B') name += std::to_string(number);
  if (device != 0) name += "@" + std::to_string(device);
  return {name, static_cast<StreamKind>(kLetters.find(kind)), device};
}

}  // namespace

Draw::Draw(Random& random, const DrawOptions& options) : random_(random), options_(options) {
  const std::size_t streams = 2 + random.below(3);
  bool legacy = false;
  for (std::size_t i = 0; i < streams; ++i) {
    char kind = random.of({'S', 'S', 'S', 'B', 'B', 'P', 'L'});
    if (kind == 'P' && !options.per_thread) kind = 'S';
    if (kind == 'L' && std::exchange(legacy, true)) kind = 'B';
    const int device = options.devices > 1 && random.one_in(8) ? 1 : 0;
    streams_.push_back(stream(kind, i, device));
  }
  events_ = 1 + random.below(3);
  if (!options.copies) return;
  declarations_.push_back({.verb = Verb::kPinned, .buffer = "p"});
  declarations_.push_back({.verb = Verb::kPageable, .buffer = "v"});
}

Operation Draw::operation() {
  Operation drawn{.verb = random_.of(kVerbs)};
  if (drawn.verb == Verb::kCopyIn && declarations_.empty()) drawn.verb = Verb::kRecord;
  switch (drawn.verb) {
    case Verb::kStore:
      drawn.value = ++last_value_;
      [[fallthrough]];
    case Verb::kLoad:
      drawn.stream = any_stream();
      drawn.location = location(drawn.stream);
      return drawn;
    case Verb::kCopyIn:
      return copy();
    case Verb::kKernel:
      drawn.stream = any_stream();
      return drawn;
    case Verb::kRecord:
      drawn.stream = any_stream();
      drawn.object = event(drawn.stream.device);
      return drawn;
    case Verb::kWait:
      drawn.stream = any_stream();
      [[fallthrough]];
    case Verb::kQueryEvent:
    case Verb::kSyncEvent:
      drawn.object = event(any_stream().device);
      return drawn;
    case Verb::kSyncDevice:
      drawn.device = any_stream().device;
      return drawn;
    default:
      drawn.stream = stream_to_ask();
      return drawn;
  }
}

Operation Draw::gate() {
  return {.verb = Verb::kGate, .stream = any_stream(), .object = "g" + std::to_string(gates_++)};
}

/// It is unspecified what a wait for the legacy stream covers (§5.2).
Stream Draw::stream_to_ask() {
  const Stream& drawn = any_stream();
  return drawn.kind == StreamKind::kLegacy ? stream('S', 9, drawn.device) : drawn;
}

/// A location belongs to one device.
std::string Draw::location(const Stream& user) {
  return (random_.one_in(3) ? "y" : "x") + std::string(user.device == 0 ? "" : "1");
}

/// An event belongs to the device where it was first recorded (EVT-005).
std::string Draw::event(int device) {
  return std::string(1, "efh"[random_.below(events_)]) + (device == 0 ? "" : "1");
}

Operation Draw::copy() {
  Operation drawn{.verb = random_.of({Verb::kCopyIn, Verb::kCopyInAsync, Verb::kCopyOut,
                                      Verb::kCopyOutAsync, Verb::kSet, Verb::kGet})};
  drawn.buffer = random_.one_in(2) ? "p" : "v";
  if (drawn.verb == Verb::kSet) drawn.value = ++last_value_;
  if (drawn.verb == Verb::kSet || drawn.verb == Verb::kGet) return drawn;
  drawn.stream = any_stream();
  drawn.location = location(drawn.stream);
  return drawn;
}

// Programs.

namespace {

std::vector<Thread> threads_of(Random& random, std::size_t most) {
  std::vector<Thread> threads(random.one_in(3) ? 1 + random.below(most) : 1);
  for (std::size_t i = 0; i < threads.size(); ++i) {
    threads[i].name = threads.size() == 1 ? "main" : std::string(1, "ABCD"[i]);
  }
  return threads;
}

/// The position of an operation.
struct Position {
  std::size_t thread;
  std::size_t place;
};

/// Inserts operations at random positions.
class Scatter {
 public:
  Scatter(Random& random, Program& program) : random_(random), program_(program) {}

  /// Inserts into any thread; after `behind` if that is in the same thread.
  Position insert(Operation operation, std::optional<Position> behind = {}) {
    const std::size_t thread = random_.below(program_.threads.size());
    std::vector<Operation>& list = program_.threads[thread].operations;
    const std::size_t first = behind && behind->thread == thread ? behind->place + 1 : 0;
    const std::size_t place = first + random_.below(list.size() - first + 1);
    list.insert(list.begin() + static_cast<std::ptrdiff_t>(place), std::move(operation));
    return {thread, place};
  }

 private:
  Random& random_;
  Program& program_;
};

/// Extends a program call by call, using only calls that return.
class Growth {
 public:
  Growth(Random& random, Draw& draw) : random_(random), draw_(draw) {
    program_.threads = threads_of(random, 3);
  }

  LongProgram grow(std::size_t operations) {
    while (who_.size() < operations) {
      if (!closed_.empty() && random_.one_in(6)) {
        open();
      } else if (gates_ < 2 && random_.one_in(8)) {
        ++gates_;
        closed_.push_back(call(draw_.gate()).object);
      } else {
        call_if_it_returns(draw_.operation());
      }
    }
    while (!closed_.empty()) open();
    LongProgram made{program_, calls()};
    Thread& first = made.program.threads.front();
    first.operations.insert(first.operations.begin(), draw_.declarations().begin(),
                            draw_.declarations().end());
    std::erase_if(made.program.threads, [](const Thread& one) { return one.operations.empty(); });
    return made;
  }

 private:
  const Operation& call(Operation operation) {
    who_.push_back(random_.below(program_.threads.size()));
    return program_.threads[who_.back()].operations.emplace_back(std::move(operation));
  }

  void call_if_it_returns(Operation operation) {
    call(std::move(operation));
    Program whole = program_;
    auto& first = whole.threads.front().operations;
    first.insert(first.begin(), draw_.declarations().begin(), draw_.declarations().end());
    const NumberedProgram numbered(whole);
    const CallOrder made = calls();
    const FixedOrder order(numbered, made);
    if (order.comes(order.points().returned(made.back()))) return;
    program_.threads[who_.back()].operations.pop_back();
    who_.pop_back();
  }

  /// Opens a random closed gate, not necessarily the oldest.
  void open() {
    const auto which = static_cast<std::ptrdiff_t>(random_.below(closed_.size()));
    Operation operation{.verb = Verb::kOpen};
    operation.object = closed_[static_cast<std::size_t>(which)];
    closed_.erase(closed_.begin() + which);
    call(std::move(operation));
  }

  CallOrder calls() const {
    std::vector<std::size_t> next(program_.threads.size());
    for (std::size_t i = 1; i < next.size(); ++i) {
      next[i] = next[i - 1] + program_.threads[i - 1].operations.size();
    }
    CallOrder order;
    for (const std::size_t thread : who_) order.push_back(next[thread]++);
    return order;
  }

  Random& random_;
  Draw& draw_;
  Program program_;
  std::vector<std::size_t> who_;  ///< the thread of each call
  std::vector<std::string> closed_;
  std::size_t gates_ = 0;
};

}  // namespace

Program random_program(Random& random, const RandomShape& shape) {
  Draw draw(random, {shape.devices, random.one_in(4)});
  Program program{threads_of(random, shape.most_threads)};
  Scatter scatter(random, program);
  std::size_t left =
      shape.least_operations + random.below(shape.most_operations - shape.least_operations + 1);
  std::size_t on_device = 0;
  for (std::size_t gates = random.below(3); gates > 0 && left > 3; --gates, left -= 2) {
    const Operation gate = draw.gate();
    const Position at = scatter.insert(gate);
    ++on_device;
    // Occasionally leaves a gate closed.
    if (random.one_in(12)) continue;
    scatter.insert({.verb = Verb::kOpen, .object = gate.object}, at);
  }
  for (; left > 0; --left) {
    Operation operation = draw.operation();
    if (operation.on_device() && ++on_device > shape.most_device_operations) continue;
    scatter.insert(std::move(operation));
  }
  if (program.threads.size() > 1 && random.one_in(2)) {
    scatter.insert({.verb = Verb::kAwait, .object = "s"},
                   scatter.insert({.verb = Verb::kSignal, .object = "s"}));
  }
  auto& first = program.threads.front().operations;
  first.insert(first.begin(), draw.declarations().begin(), draw.declarations().end());
  std::erase_if(program.threads, [](const Thread& thread) { return thread.operations.empty(); });
  return program;
}

LongProgram random_long_program(Random& random, const DrawOptions& options) {
  Draw draw(random, options);
  return Growth(random, draw).grow(5 + random.below(36));
}

}  // namespace assay::litmus

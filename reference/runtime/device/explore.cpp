// Depth-first search over the states of a litmus program.
#include "reference/runtime/device/explore.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_set>

namespace assay::reference {
namespace {

/// What the calls that a thread has still to make may do, all together.
struct Future {
  std::uint64_t reads = 0;
  std::uint64_t writes = 0;
  std::uint64_t touches = 0;
  std::uint64_t queried_events = 0;
  std::uint64_t queried_queues = 0;
};

struct Position {
  std::size_t next = 0;
  std::vector<ItemId> awaited = {};  ///< of its last call: it has not returned before
};

struct State {
  Machine machine;
  std::vector<Position> threads;
  std::vector<std::int64_t> places;
  std::vector<std::int64_t> staged;  ///< by item: what a copy read when it was called
  LitmusOutcome seen;
  std::uint64_t signals = 0;
};

std::uint64_t bit(std::uint64_t number) { return std::uint64_t{1} << number; }

class Explorer {
 public:
  explicit Explorer(const LitmusProgram& program) : program_(program) {
    steps_.push_back(nullptr);  // items count from 1
    for (const auto& thread : program.threads) {
      for (const LitmusStep& step : thread) steps_.push_back(&step);
      futures_.push_back(futures_of(thread));
    }
  }

  Exploration run() {
    visit(first());
    while (!open_.empty()) {
      State state = std::move(open_.back());
      open_.pop_back();
      branch(state);
    }
    return std::move(found_);
  }

 private:
  static std::vector<Future> futures_of(const std::vector<LitmusStep>& steps) {
    std::vector<Future> futures(steps.size() + 1);
    for (std::size_t i = steps.size(); i-- > 0;) {
      const LitmusStep& step = steps[i];
      Future future = futures[i + 1];
      future.reads |= step.reads;
      future.writes |= step.writes;
      future.touches |= step.touches;
      if (step.verb == LitmusVerb::kQueryEvent) future.queried_events |= bit(step.event);
      if (step.verb == LitmusVerb::kQueryQueue) future.queried_queues |= bit(step.queue);
      futures[i] = future;
    }
    return futures;
  }

  State first() const {
    State state;
    for (const auto& queue : program_.queues) {
      state.machine.add_queue(queue.id, queue.device, queue.kind);
    }
    state.threads.resize(program_.threads.size());
    state.places = program_.places;
    state.staged.resize(steps_.size());
    state.seen.resize(static_cast<std::size_t>(program_.observations));
    return state;
  }

  /// Takes all steps that need no choice, and puts what comes of it aside for its choices.
  void visit(State state) {
    while (take_certain_step(state)) continue;
    if (!known_.insert(key_of(state)).second) return;
    found_.states += 1;
    open_.push_back(std::move(state));
  }

  void branch(const State& state) {
    bool has_choice = false;
    for (std::size_t thread = 0; thread < state.threads.size(); ++thread) {
      if (!can_call(state, thread)) continue;
      has_choice = true;
      State next = state;
      call(next, thread);
      visit(std::move(next));
    }
    for (const ItemId item : state.machine.completable()) {
      has_choice = true;
      State next = state;
      complete(next, item);
      visit(std::move(next));
    }
    if (!has_choice) end(state);
  }

  void end(const State& state) {
    bool is_over = state.machine.pending_count() == 0;
    for (std::size_t i = 0; i < state.threads.size(); ++i) {
      is_over = is_over && state.threads[i].next == program_.threads[i].size();
    }
    if (is_over) {
      found_.outcomes.insert(state.seen);
    } else {
      found_.hangs = true;
    }
  }

  // A step that commutes with all that anybody else could ever do before it needs no alternative:
  // whatever is reached without it first is reached with it first, too.

  bool take_certain_step(State& state) const {
    for (std::size_t thread = 0; thread < state.threads.size(); ++thread) {
      if (!can_call(state, thread) || !is_certain_call(state, thread)) continue;
      call(state, thread);
      return true;
    }
    for (const ItemId item : state.machine.completable()) {
      if (!is_certain_completion(state, item)) continue;
      complete(state, item);
      return true;
    }
    return false;
  }

  bool is_certain_call(const State& state, std::size_t thread) const {
    const LitmusStep& step = next_of(state, thread);
    for (std::size_t other = 0; other < state.threads.size(); ++other) {
      if (other == thread) continue;
      const Future& future = futures_[other][state.threads[other].next];
      if ((future.touches & step.touches) != 0) return false;
      if (is_access_at_call(step) && conflict(step, future.reads, future.writes)) return false;
    }
    if (step.verb == LitmusVerb::kQueryEvent || step.verb == LitmusVerb::kQueryQueue) {
      return answer(state, step);  // true for ever; false only until something completes
    }
    if (!is_access_at_call(step)) return true;
    const std::vector<ItemId> pending = state.machine.pending();
    return std::none_of(pending.begin(), pending.end(), [&](ItemId item) {
      return conflict(step, steps_[item]->reads, steps_[item]->writes);
    });
  }

  static bool is_access_at_call(const LitmusStep& step) {
    return step.verb == LitmusVerb::kHostRead || step.verb == LitmusVerb::kHostWrite ||
           step.source == LitmusStep::Source::kPlaceAtCall;
  }

  static bool conflict(const LitmusStep& step, std::uint64_t reads, std::uint64_t writes) {
    return (step.writes & (reads | writes)) != 0 || (step.reads & writes) != 0;
  }

  /// Nobody can ask whether it is complete, and what it moves is nobody else's business now.
  bool is_certain_completion(const State& state, ItemId item) const {
    const LitmusStep& step = *steps_[item];
    for (std::size_t thread = 0; thread < state.threads.size(); ++thread) {
      const Future& future = futures_[thread][state.threads[thread].next];
      const bool is_asked_for =
          (future.queried_queues & bit(step.queue)) != 0 ||
          (step.verb == LitmusVerb::kRecord && (future.queried_events & bit(step.event)) != 0);
      if (is_asked_for || conflict(step, future.reads, future.writes)) return false;
    }
    if (step.reads == 0 && step.writes == 0) return true;
    for (const ItemId other : state.machine.pending()) {
      if (other == item || !conflict(step, steps_[other]->reads, steps_[other]->writes)) continue;
      const std::vector<ItemId> before = state.machine.needed({other});
      if (std::find(before.begin(), before.end(), item) == before.end()) return false;
    }
    return true;
  }

  const LitmusStep& next_of(const State& state, std::size_t thread) const {
    return program_.threads[thread][state.threads[thread].next];
  }

  bool can_call(const State& state, std::size_t thread) const {
    const Position& position = state.threads[thread];
    if (position.next == program_.threads[thread].size()) return false;
    const LitmusStep& step = next_of(state, thread);
    if (step.verb == LitmusVerb::kAwait && (state.signals & bit(signal_of(step))) == 0) {
      return false;
    }
    return state.machine.are_complete(position.awaited);
  }

  static std::uint64_t signal_of(const LitmusStep& step) {
    return static_cast<std::uint64_t>(step.signal);
  }

  static bool answer(const State& state, const LitmusStep& step) {
    return step.verb == LitmusVerb::kQueryEvent ? state.machine.is_event_ready(step.event)
                                                : state.machine.is_queue_idle(step.queue);
  }

  void call(State& state, std::size_t thread) const {
    const LitmusStep& step = next_of(state, thread);
    Position& position = state.threads[thread];
    position.next += 1;
    position.awaited.clear();
    switch (step.verb) {
      case LitmusVerb::kSubmit:
        state.machine.submit(step.item, step.queue, step.gate);
        if (step.is_sync) position.awaited = {step.item};
        if (step.source == LitmusStep::Source::kPlaceAtCall) {
          state.staged[step.item] = place(state, step.from);
        }
        return;
      case LitmusVerb::kRecord:
        return state.machine.record(step.item, step.queue, step.event);
      case LitmusVerb::kWait:
        return state.machine.wait(step.item, step.queue, step.event);
      case LitmusVerb::kOpen:
        return state.machine.open(step.gate);
      case LitmusVerb::kSyncEvent:
        position.awaited = state.machine.version_of(step.event);
        return;
      case LitmusVerb::kSyncQueue:
        position.awaited = state.machine.work_of_queue(step.queue);
        return;
      case LitmusVerb::kSyncDevice:
        position.awaited = state.machine.work_of_device(step.device);
        return;
      case LitmusVerb::kSignal:
        state.signals |= bit(signal_of(step));
        return;
      case LitmusVerb::kAwait:
        return;
      case LitmusVerb::kHostWrite:
        place(state, step.to) = step.value;
        return;
      case LitmusVerb::kHostRead:
        return see(state, step, place(state, step.from));
      case LitmusVerb::kQueryEvent:
      case LitmusVerb::kQueryQueue:
        return see(state, step, answer(state, step) ? 1 : 0);
    }
  }

  void complete(State& state, ItemId item) const {
    const LitmusStep& step = *steps_[item];
    std::int64_t value = step.value;
    if (step.source == LitmusStep::Source::kPlace) value = place(state, step.from);
    if (step.source == LitmusStep::Source::kPlaceAtCall) value = state.staged[item];
    if (step.to >= 0) place(state, step.to) = value;
    see(state, step, value);
    state.staged[item] = 0;
    state.machine.complete(item);
  }

  static std::int64_t& place(State& state, int number) {
    return state.places[static_cast<std::size_t>(number)];
  }

  static void see(State& state, const LitmusStep& step, std::int64_t value) {
    if (step.seen_as >= 0) state.seen[static_cast<std::size_t>(step.seen_as)] = value;
  }

  /// Equal for states that go on in the same way.
  static std::string key_of(const State& state) {
    std::vector<std::uint64_t> words;
    for (const Position& position : state.threads) {
      words.push_back(position.next);
      for (const ItemId item : position.awaited) {
        if (!state.machine.is_complete(item)) words.push_back(bit(63) | item);
      }
    }
    words.push_back(state.signals);
    state.machine.describe(words);
    for (const auto* values : {&state.places, &state.staged, &state.seen}) {
      for (const std::int64_t value : *values) words.push_back(static_cast<std::uint64_t>(value));
    }
    const auto* bytes = reinterpret_cast<const char*>(words.data());
    return {bytes, words.size() * sizeof(std::uint64_t)};
  }

  const LitmusProgram& program_;
  std::vector<const LitmusStep*> steps_;  ///< by item
  std::vector<std::vector<Future>> futures_;
  std::vector<State> open_;
  std::unordered_set<std::string> known_;
  Exploration found_;
};

}  // namespace

Exploration explore(const LitmusProgram& program) { return Explorer(program).run(); }

}  // namespace assay::reference

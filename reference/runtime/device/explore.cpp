// Explores the states of a litmus program depth-first.
#include "reference/runtime/device/explore.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

#include "reference/runtime/device/litmus_program.hpp"
#include "reference/runtime/device/machine.hpp"

namespace assay::reference {

// The state of a running litmus program: machine, position of each thread, and observations.

/// A value type: copies are independent.
class LitmusState {
 public:
  explicit LitmusState(const LitmusProgram& program);

  std::size_t threads() const { return threads_.size(); }
  /// The number of calls that the thread has made.
  std::size_t made(std::size_t thread) const { return threads_[thread].next; }
  const Machine& machine() const { return machine_; }
  const LitmusOutcome& seen() const { return seen_; }

  /// Has the thread's last call returned, and was the signal given that `step` waits for?
  bool can_call(std::size_t thread, const LitmusStep& step) const;
  /// `step` must be the thread's next one.
  void call(std::size_t thread, const LitmusStep& step);
  /// The present result of a query.
  bool answer(const LitmusStep& step) const;
  /// Completes the item of `step`.
  void complete(const LitmusStep& step);

  /// Equal for states with the same continuations.
  std::string key() const;

 private:
  struct Position {
    std::size_t next = 0;
    std::vector<ItemId> awaited = {};  ///< what its last call waits for before it returns
  };

  void submit(Position& position, const LitmusStep& step);
  std::vector<ItemId> awaited_by(const LitmusStep& step) const;
  std::int64_t& place(int number) { return places_[static_cast<std::size_t>(number)]; }
  void see(const LitmusStep& step, std::int64_t value);

  Machine machine_;
  std::vector<Position> threads_;
  std::vector<std::int64_t> places_;
  std::vector<std::int64_t> staged_;  ///< by item: the value that a staged copy read at its call
  LitmusOutcome seen_;
  std::uint64_t signals_ = 0;
};

namespace {

std::uint64_t bit_of(int number) { return std::uint64_t{1} << number; }

}  // namespace

LitmusState::LitmusState(const LitmusProgram& program)
    : threads_(program.threads.size()),
      places_(program.places),
      seen_(static_cast<std::size_t>(program.observations)) {
  for (const auto& queue : program.queues) machine_.add_queue(queue.id, queue.device, queue.kind);
  std::size_t items = 1;  // numbered from 1
  for (const auto& thread : program.threads) items += thread.size();
  staged_.resize(items);
}

bool LitmusState::can_call(std::size_t thread, const LitmusStep& step) const {
  const bool is_held = step.verb == LitmusVerb::kAwait && (signals_ & bit_of(step.signal)) == 0;
  return !is_held && machine_.are_complete(threads_[thread].awaited);
}

void LitmusState::call(std::size_t thread, const LitmusStep& step) {
  Position& position = threads_[thread];
  position.next += 1;
  position.awaited = awaited_by(step);
  switch (step.verb) {
    case LitmusVerb::kSubmit:
      return submit(position, step);
    case LitmusVerb::kRecord:
      return machine_.record(step.item, step.queue, step.event);
    case LitmusVerb::kWait:
      return machine_.wait(step.item, step.queue, step.event);
    case LitmusVerb::kOpen:
      return machine_.open(step.gate);
    case LitmusVerb::kSignal:
      signals_ |= bit_of(step.signal);
      return;
    case LitmusVerb::kHostWrite:
      place(step.to) = step.value;
      return;
    case LitmusVerb::kHostRead:
      return see(step, place(step.from));
    case LitmusVerb::kQueryEvent:
    case LitmusVerb::kQueryQueue:
      return see(step, answer(step) ? 1 : 0);
    case LitmusVerb::kAwait:
    case LitmusVerb::kSyncEvent:
    case LitmusVerb::kSyncQueue:
    case LitmusVerb::kSyncDevice:
      return;
  }
}

/// Determined at the time of the call (ORD-A6).
std::vector<ItemId> LitmusState::awaited_by(const LitmusStep& step) const {
  if (step.verb == LitmusVerb::kSyncEvent) return machine_.version_of(step.event);
  if (step.verb == LitmusVerb::kSyncQueue) return machine_.work_of_queue(step.queue);
  if (step.verb == LitmusVerb::kSyncDevice) return machine_.work_of_device(step.device);
  return {};
}

void LitmusState::submit(Position& position, const LitmusStep& step) {
  machine_.submit(step.item, step.queue, step.gate);
  if (step.is_sync) position.awaited = {step.item};
  if (step.source == LitmusStep::Source::kPlaceAtCall) staged_[step.item] = place(step.from);
}

bool LitmusState::answer(const LitmusStep& step) const {
  return step.verb == LitmusVerb::kQueryEvent ? machine_.is_event_ready(step.event)
                                              : machine_.is_queue_idle(step.queue);
}

void LitmusState::complete(const LitmusStep& step) {
  std::int64_t value = step.value;
  if (step.source == LitmusStep::Source::kPlace) value = place(step.from);
  if (step.source == LitmusStep::Source::kPlaceAtCall) value = staged_[step.item];
  if (step.to >= 0) place(step.to) = value;
  see(step, value);
  staged_[step.item] = 0;
  machine_.complete(step.item);
}

void LitmusState::see(const LitmusStep& step, std::int64_t value) {
  if (step.seen_as >= 0) seen_[static_cast<std::size_t>(step.seen_as)] = value;
}

std::string LitmusState::key() const {
  std::vector<std::uint64_t> words;
  for (const Position& position : threads_) {
    words.push_back(position.next);
    for (const ItemId item : position.awaited) {
      if (!machine_.is_complete(item)) words.push_back(bit_of(63) | item);
    }
  }
  words.push_back(signals_);
  machine_.describe(words);
  for (const auto* values : {&places_, &staged_, &seen_}) {
    for (const std::int64_t value : *values) words.push_back(static_cast<std::uint64_t>(value));
  }
  const auto* bytes = reinterpret_cast<const char*>(words.data());
  return {bytes, words.size() * sizeof(std::uint64_t)};
}

// The exploration.

namespace {

/// The combined effects of all calls that a thread has yet to make.
struct Future {
  std::uint64_t reads = 0;
  std::uint64_t writes = 0;
  std::uint64_t touches = 0;
  std::uint64_t queried_events = 0;
  std::uint64_t queried_queues = 0;
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
    visit(LitmusState(program_));
    while (!open_.empty()) {
      LitmusState state = std::move(open_.back());
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

  /// Takes all steps without alternatives, then queues one successor state for each choice.
  void visit(LitmusState state) {
    while (take_certain_step(state)) continue;
    if (!known_.insert(state.key()).second) return;
    found_.states += 1;
    open_.push_back(std::move(state));
  }

  void branch(const LitmusState& state) {
    bool has_choice = false;
    for (std::size_t thread = 0; thread < state.threads(); ++thread) {
      if (!can_call(state, thread)) continue;
      has_choice = true;
      LitmusState next = state;
      call(next, thread);
      visit(std::move(next));
    }
    for (const ItemId item : state.machine().completable()) {
      has_choice = true;
      LitmusState next = state;
      next.complete(*steps_[item]);
      visit(std::move(next));
    }
    if (!has_choice) end(state);
  }

  void end(const LitmusState& state) {
    bool is_over = state.machine().pending_count() == 0;
    for (std::size_t i = 0; i < state.threads(); ++i) {
      is_over = is_over && state.made(i) == program_.threads[i].size();
    }
    if (is_over) {
      found_.outcomes.insert(state.seen());
    } else {
      found_.hangs = true;
    }
  }

  // Partial-order reduction: a step that commutes with everything that others could do before it
  // needs no alternative, because every outcome is also reached by taking it first.

  bool take_certain_step(LitmusState& state) const {
    for (std::size_t thread = 0; thread < state.threads(); ++thread) {
      if (!can_call(state, thread) || !is_certain_call(state, thread)) continue;
      call(state, thread);
      return true;
    }
    for (const ItemId item : state.machine().completable()) {
      if (!is_certain_completion(state, item)) continue;
      state.complete(*steps_[item]);
      return true;
    }
    return false;
  }

  bool is_certain_call(const LitmusState& state, std::size_t thread) const {
    const LitmusStep& step = next_of(state, thread);
    for (std::size_t other = 0; other < state.threads(); ++other) {
      if (other == thread) continue;
      const Future& future = futures_[other][state.made(other)];
      if ((future.touches & step.touches) != 0) return false;
      if (is_access_at_call(step) && conflict(step, future.reads, future.writes)) return false;
    }
    if (step.verb == LitmusVerb::kQueryEvent || step.verb == LitmusVerb::kQueryQueue) {
      return state.answer(step);  // true is final; false may change when an item completes
    }
    if (!is_access_at_call(step)) return true;
    const std::vector<ItemId> pending = state.machine().pending();
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

  /// Its completion cannot be queried, and no other step conflicts with its memory accesses.
  bool is_certain_completion(const LitmusState& state, ItemId item) const {
    const LitmusStep& step = *steps_[item];
    for (std::size_t thread = 0; thread < state.threads(); ++thread) {
      const Future& future = futures_[thread][state.made(thread)];
      const bool is_asked_for =
          (future.queried_queues & bit(step.queue)) != 0 ||
          (step.verb == LitmusVerb::kRecord && (future.queried_events & bit(step.event)) != 0);
      if (is_asked_for || conflict(step, future.reads, future.writes)) return false;
    }
    if (step.reads == 0 && step.writes == 0) return true;
    for (const ItemId other : state.machine().pending()) {
      if (other == item || !conflict(step, steps_[other]->reads, steps_[other]->writes)) continue;
      const std::vector<ItemId> before = state.machine().needed({other});
      if (std::find(before.begin(), before.end(), item) == before.end()) return false;
    }
    return true;
  }

  const LitmusStep& next_of(const LitmusState& state, std::size_t thread) const {
    return program_.threads[thread][state.made(thread)];
  }

  bool can_call(const LitmusState& state, std::size_t thread) const {
    return state.made(thread) < program_.threads[thread].size() &&
           state.can_call(thread, next_of(state, thread));
  }

  void call(LitmusState& state, std::size_t thread) const {
    const LitmusStep& step = next_of(state, thread);
    state.call(thread, step);
  }

  const LitmusProgram& program_;
  std::vector<const LitmusStep*> steps_;  ///< indexed by item
  std::vector<std::vector<Future>> futures_;
  std::vector<LitmusState> open_;
  std::unordered_set<std::string> known_;
  Exploration found_;
};

}  // namespace

Exploration explore(const LitmusProgram& program) { return Explorer(program).run(); }

}  // namespace assay::reference

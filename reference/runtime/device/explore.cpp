// Explores the states of a litmus program depth-first.
#include "reference/runtime/device/explore.hpp"

#include <algorithm>
#include <string>
#include <unordered_set>

#include "reference/runtime/device/litmus_state.hpp"

namespace assay::reference {
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

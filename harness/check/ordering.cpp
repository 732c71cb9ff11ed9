// Enumerates all outcomes of a small program: orders of calls, observations, orders of stores, and
// sources of loads; and finds orders of calls in which each call returns.
#include "harness/check/ordering.hpp"

#include <algorithm>
#include <numeric>

#include "harness/check/ordering_axioms.hpp"

namespace assay::litmus {
namespace {

constexpr std::size_t kMostOperations = 64;
constexpr std::size_t kMostWork = 4'000'000;  ///< a second or two

/// Limits the work over a whole program. A step copies a relation, which grows with the square of
/// the number of points.
class Budget {
 public:
  explicit Budget(std::size_t points) : step_(1 + points * points / kBitsInTime) {}

  void spend() {
    spent_ += step_;
    if (spent_ > kMostWork) throw TooLarge("the program has too many orders to enumerate them");
  }

 private:
  /// Copying so many bits takes as long as the rest of a step.
  static constexpr std::size_t kBitsInTime = 4096;

  std::size_t step_;
  std::size_t spent_ = 0;
};

/// The outcomes for one order of the calls. Makes one decision after another, adds the edges of
/// each decision, and backtracks when they close a cycle.
class Outcomes {
 public:
  Outcomes(const NumberedProgram& program, const FixedOrder& fixed, std::set<Outcome>& found,
           Budget& budget)
      : program_(program),
        fixed_(fixed),
        points_(fixed.points()),
        found_(found),
        budget_(budget),
        answers_(program.items.size()),
        sources_(program.reads.size()) {}

  void search() { query(0, fixed_.order()); }

 private:
  /// ORD-A7: true means that it is complete before the call; false, that it completes after it.
  void query(std::size_t place, const HappensBefore& order) {
    budget_.spend();
    if (place == fixed_.calls().size()) return store_order(0, 1, order);
    const std::size_t here = fixed_.calls()[place];
    const Verb verb = program_.items[here].operation->verb;
    if (verb != Verb::kQueryEvent && verb != Verb::kQueryStream) return query(place + 1, order);

    const auto asked = fixed_.captured(place);
    HappensBefore complete = order;
    answers_[here] = 1;
    if (!asked) return query(place + 1, order);
    if (complete.add(points_.done(*asked), points_.call(here))) query(place + 1, complete);
    HappensBefore pending = order;
    answers_[here] = 0;
    if (pending.add(points_.call(here), points_.done(*asked))) query(place + 1, pending);
  }

  /// ORD-A9: stores to one location have a total order.
  void store_order(std::size_t left, std::size_t right, const HappensBefore& order) {
    budget_.spend();
    const std::vector<Access>& writes = program_.writes;
    if (left + 1 >= writes.size()) return source(0, order);
    if (right == writes.size()) return store_order(left + 1, left + 2, order);
    if (writes[left].location != writes[right].location) return store_order(left, right + 1, order);

    HappensBefore upright = order;
    if (upright.add(points_.of(writes[left]), points_.of(writes[right]))) {
      store_order(left, right + 1, upright);
    }
    HappensBefore reversed = order;
    if (reversed.add(points_.of(writes[right]), points_.of(writes[left]))) {
      store_order(left, right + 1, reversed);
    }
  }

  /// ORD-A9: a load reads one store, or the initial value, and no later store precedes it.
  void source(std::size_t read, const HappensBefore& order) {
    budget_.spend();
    if (read == program_.reads.size()) return keep();
    for (std::size_t write = 0; write <= program_.writes.size(); ++write) {
      const bool initial = write == program_.writes.size();
      const Access& access = program_.reads[read];
      if (!initial && program_.writes[write].location != access.location) continue;
      HappensBefore next = order;
      if (!read_from(access, initial ? nullptr : &program_.writes[write], next)) continue;
      sources_[read] = write;
      source(read + 1, next);
    }
  }

  bool read_from(const Access& read, const Access* write, HappensBefore& order) const {
    if (write != nullptr && !order.add(points_.of(*write), points_.of(read))) return false;
    for (const Access& other : program_.writes) {
      if (other.location != read.location || &other == write) continue;
      const bool later = write == nullptr || order.before(points_.of(*write), points_.of(other));
      if (later && !order.add(points_.of(read), points_.of(other))) return false;
    }
    return true;
  }

  std::int64_t value_read(std::size_t read) const {
    const std::size_t write = sources_[read];
    if (write == program_.writes.size()) return program_.initial[program_.reads[read].location];
    const std::size_t writer = program_.writes[write].item;
    for (std::size_t copied = 0; copied < program_.reads.size(); ++copied) {
      if (program_.reads[copied].item == writer) return value_read(copied);
    }
    return program_.items[writer].operation->value;
  }

  void keep() {
    for (std::size_t read = 0; read < program_.reads.size(); ++read) {
      answers_[program_.reads[read].item] = value_read(read);
    }
    Outcome outcome;
    for (std::size_t item = 0; item < program_.items.size(); ++item) {
      if (program_.items[item].operation->observes()) outcome.push_back(answers_[item]);
    }
    found_.insert(std::move(outcome));
  }

  const NumberedProgram& program_;
  const FixedOrder& fixed_;
  const Points points_;
  std::set<Outcome>& found_;
  Budget& budget_;
  std::vector<std::int64_t> answers_;  ///< indexed by item
  std::vector<std::size_t> sources_;   ///< by read: a write, or their number for the initial value
};

/// Enumerates the orders in which the threads can make their calls, one call at a time.
class CallOrders {
 public:
  explicit CallOrders(const NumberedProgram& program)
      : program_(program), next_(program.threads.size()), budget_(3 * program.items.size()) {}

  Permitted search() {
    extend(FixedOrder(program_));
    return std::move(result_);
  }

 private:
  void extend(const FixedOrder& made) {
    budget_.spend();
    if (made.calls().size() == program_.items.size()) return finish(made);
    bool stuck = true;
    for (std::size_t thread = 0; thread < next_.size(); ++thread) {
      if (!can_call(thread, made)) continue;
      stuck = false;
      FixedOrder more = made;
      more.add_call(program_.threads[thread][next_[thread]++]);
      extend(more);
      --next_[thread];
    }
    if (stuck) result_.hangs = true;
  }

  bool can_call(std::size_t thread, const FixedOrder& made) const {
    if (next_[thread] == program_.threads[thread].size()) return false;
    const auto before = program_.items[program_.threads[thread][next_[thread]]].before;
    return !before || made.comes(made.points().returned(*before));
  }

  void finish(const FixedOrder& made) {
    const bool ends = std::ranges::all_of(made.calls(), [&](std::size_t item) {
      return made.comes(made.points().done(item)) && made.comes(made.points().returned(item));
    });
    if (!ends) {
      result_.hangs = true;
      return;
    }
    Outcomes(program_, made, result_.outcomes, budget_).search();
  }

  const NumberedProgram& program_;
  std::vector<std::size_t> next_;  ///< for each thread, the number of calls made
  Permitted result_;
  Budget budget_;
};

}  // namespace

Permitted permitted(const Program& program) {
  const NumberedProgram numbered(program);
  if (numbered.items.size() > kMostOperations) {
    throw TooLarge("the program has more than " + std::to_string(kMostOperations) +
                   " operations, too many to enumerate its orders");
  }
  return CallOrders(numbered).search();
}

std::string to_text(const Permitted& permitted) {
  std::string text;
  for (const Outcome& outcome : permitted.outcomes) {
    text += (text.empty() ? "" : " | ") + to_text(outcome);
  }
  if (permitted.hangs) text += text.empty() ? "hangs" : ", and hangs";
  return text;
}

// Orders of calls in which each call returns.

namespace {

/// Makes one call after another, and only calls that return.
class Driver {
 public:
  explicit Driver(const Program& program)
      : program_(program), numbered_(program), made_(numbered_), next_(program.threads.size()) {}

  std::optional<CallOrder> drive(const std::function<std::size_t(std::size_t)>& pick) {
    while (made_.calls().size() < numbered_.items.size()) {
      std::vector<std::size_t> ready = threads_that_return(false);
      if (ready.empty()) ready = threads_that_return(true);
      if (ready.empty()) return std::nullopt;
      const std::size_t thread = ready[pick(ready.size())];
      made_.add_call(numbered_.threads[thread][next_[thread]++]);
    }
    for (const std::size_t item : made_.calls()) {
      if (!made_.comes(made_.points().done(item))) return std::nullopt;
    }
    return made_.calls();
  }

 private:
  std::vector<std::size_t> threads_that_return(bool timeout) const {
    std::vector<std::size_t> ready;
    for (std::size_t thread = 0; thread < next_.size(); ++thread) {
      const bool is_timeout = program_.threads[thread].name == kTimeoutThread;
      if (is_timeout == timeout && returns(thread)) ready.push_back(thread);
    }
    return ready;
  }

  bool returns(std::size_t thread) const {
    if (next_[thread] == numbered_.threads[thread].size()) return false;
    const std::size_t item = numbered_.threads[thread][next_[thread]];
    FixedOrder more = made_;
    more.add_call(item);
    return more.comes(more.points().returned(item));
  }

  const Program& program_;
  NumberedProgram numbered_;
  FixedOrder made_;
  std::vector<std::size_t> next_;
};

}  // namespace

CallOrder program_order(const Program& program) {
  CallOrder calls(NumberedProgram(program).items.size());
  std::iota(calls.begin(), calls.end(), std::size_t{0});
  return calls;
}

std::optional<CallOrder> one_by_one(const Program& program,
                                    const std::function<std::size_t(std::size_t)>& pick) {
  return Driver(program).drive(pick);
}

std::optional<CallOrder> one_by_one(const Program& program) {
  return one_by_one(program, [](std::size_t) { return std::size_t{0}; });
}

}  // namespace assay::litmus

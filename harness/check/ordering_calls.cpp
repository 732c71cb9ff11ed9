// Finds orders of a program's calls in which each call returns.
#include <numeric>

#include "harness/check/ordering.hpp"
#include "harness/check/ordering_axioms.hpp"

namespace assay::litmus {
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

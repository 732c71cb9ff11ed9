// The outcomes that a litmus program may have by the axioms of streams and events (ORD-A1 to
// ORD-A10). Nothing is executed.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>

#include "harness/check/litmus.hpp"
#include "harness/check/ordering_axioms.hpp"

namespace assay::litmus {

/// The program has too many orders and outcomes to enumerate.
class TooLarge : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct Permitted {
  std::set<Outcome> outcomes;
  /// Some order of the calls leaves a thread or a device waiting forever.
  bool hangs = false;

  bool operator==(const Permitted&) const = default;
};

/// All outcomes for which some order of the calls keeps the edges acyclic. Throws
/// TooLarge.
Permitted permitted(const Program& program);

/// `0 1 | 1 1`, and `hangs`
std::string to_text(const Permitted& permitted);

/// Why `seen` is not permitted; nothing if it is. `calls` lists operation numbers, counted over all
/// threads without declarations; each call was made after the previous one had returned. A racing
/// load may have read any store that is not hidden: the exact set is not enforced (ORD-A9). Runs in
/// time polynomial in the length, so programs may be long.
std::optional<std::string> judge(const Program& program, const CallOrder& calls,
                                 const Outcome& seen);

/// The order of the program, one thread after another.
CallOrder program_order(const Program& program);

/// An order in which each call returns before the next one, so that a single host thread can make
/// all calls; nothing if the search finds none. `pick(n)` chooses the next of n threads. Calls of
/// the thread `timeout` are made only if no other call returns.
std::optional<CallOrder> one_by_one(const Program& program,
                                    const std::function<std::size_t(std::size_t)>& pick);
/// The same, running each thread as far as possible.
std::optional<CallOrder> one_by_one(const Program& program);

/// The thread that stands for the time-outs of gates.
inline constexpr std::string_view kTimeoutThread = "timeout";

}  // namespace assay::litmus

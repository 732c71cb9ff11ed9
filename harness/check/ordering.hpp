// What a litmus program may show, from the axioms of streams and events alone (ORD-A1 to ORD-A10):
// nothing here runs anything.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>

#include "harness/check/litmus.hpp"
#include "harness/check/ordering_program.hpp"

namespace assay::litmus {

/// A program with so many orders and outcomes that nobody can wait for them all.
class TooLarge : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct Permitted {
  std::set<Outcome> outcomes;
  /// Some order of the calls leaves a thread or a device waiting for ever.
  bool hangs = false;

  bool operator==(const Permitted&) const = default;
};

/// Every outcome for which some order of the calls makes all edges together acyclic. Throws
/// TooLarge.
Permitted permitted(const Program& program);

/// `0 1 | 1 1`, and `hangs`
std::string to_text(const Permitted& permitted);

/// What is wrong with `seen`, in a sentence; nothing if it is permitted. `calls` numbers operations
/// through all threads, declarations left out; each call was made when the one before it had
/// returned. A load that races may have read any store that is not hidden: the exact set is not
/// demanded (ORD-A9). In time polynomial in the length, so that programs may be long.
std::optional<std::string> judge(const Program& program, const CallOrder& calls,
                                 const Outcome& seen);

/// The order of the program, one thread after another.
CallOrder program_order(const Program& program);

/// An order in which each call returns before the next is made, so that one host can make them all;
/// nothing if there is none on the way taken. `pick(n)` says which of n threads is next. Calls of
/// the thread `timeout` come when no other call returns.
std::optional<CallOrder> one_by_one(const Program& program,
                                    const std::function<std::size_t(std::size_t)>& pick);
/// The same, each thread as far as it goes.
std::optional<CallOrder> one_by_one(const Program& program);

/// The thread whose only deeds are those that the time-outs of gates do.
inline constexpr std::string_view kTimeoutThread = "timeout";

}  // namespace assay::litmus

// A litmus program in numbered form, the happens-before relation between its points, and the edges
// that ORD-A1 to ORD-A8 add for one order of the calls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "harness/check/litmus.hpp"

namespace assay::litmus {

// The happens-before relation between the points of an execution, transitively closed.

class HappensBefore {
 public:
  explicit HappensBefore(std::size_t points)
      : points_(points), words_((points + 63) / 64), after_(points * words_) {}

  /// Adds `first` before `second`. Returns false and changes nothing if that would close a cycle.
  bool add(std::size_t first, std::size_t second);
  bool before(std::size_t first, std::size_t second) const {
    return (after_[first * words_ + second / 64] >> (second % 64) & 1) != 0;
  }

 private:
  std::size_t points_;
  std::size_t words_;
  std::vector<std::uint64_t> after_;  ///< for each point, a bit for each later point
};

// Operations numbered, streams resolved to queues, memory accesses listed.

/// Operation numbers in the order of their calls.
using CallOrder = std::vector<std::size_t>;

/// An operation's position in one of the program's threads and in one queue of a device.
struct Item {
  const Operation* operation = nullptr;
  std::size_t thread = 0;
  std::optional<std::size_t> before = {};  ///< the previous item of its thread
  std::size_t queue = 0;                   ///< for items with a stream
  StreamKind kind = StreamKind::kNonBlocking;
  int device = 0;
  /// The call blocks the host until something completes.
  bool waits = false;
};

/// One read or write of a word: by the host if `at_call`, else by a device when the operation
/// completes.
struct Access {
  std::size_t item;
  std::size_t location;
  bool at_call = false;
};

struct NumberedProgram {
  explicit NumberedProgram(const Program& program);

  std::vector<Item> items;
  std::vector<CallOrder> threads;
  std::vector<Access> reads;
  std::vector<Access> writes;
  std::vector<std::int64_t> initial;  ///< the initial value of each location
};

// The axioms.

/// The points of item i in the axioms: its call, the return of its call, and its completion on the
/// device.
struct Points {
  const NumberedProgram& program;

  std::size_t call(std::size_t item) const { return 3 * item; }
  std::size_t returned(std::size_t item) const {
    return 3 * item + (program.items[item].waits ? 1U : 0U);
  }
  std::size_t done(std::size_t item) const { return 3 * item + 2; }
  std::size_t of(const Access& access) const {
    return access.at_call ? call(access.item) : done(access.item);
  }
  std::size_t count() const { return 3 * program.items.size(); }
};

/// The edges that hold for a given order of the calls whatever is observed. Covers all items, or
/// only the first ones.
class FixedOrder {
 public:
  explicit FixedOrder(const NumberedProgram& program)
      : program_(&program), order_(program.items.size() * 3) {}
  FixedOrder(const NumberedProgram& program, const CallOrder& calls);

  /// Adds the next call. Everything that it waits for, except later calls, must be added (ORD-A1).
  void add_call(std::size_t item);
  /// States that each call was made after the previous one had returned, across threads.
  void one_after_another();

  const CallOrder& calls() const { return calls_; }
  const HappensBefore& order() const { return order_; }
  Points points() const { return {*program_}; }
  /// True if the point can occur given the calls so far: it is not behind a gate that has not been
  /// opened or a signal that has not been given.
  bool comes(std::size_t point) const;
  /// What a query or a wait at this position of `calls` refers to: the latest record of its event,
  /// or the last operation of its stream.
  std::optional<std::size_t> captured(std::size_t place) const;

 private:
  const Item& item(std::size_t place) const { return program_->items[calls_[place]]; }
  void add(std::size_t first, std::size_t second) { order_.add(first, second); }
  void host_order();
  void stream_order();
  void event_edge();
  void host_wait();
  void gate();
  void key();

  const NumberedProgram* program_;
  CallOrder calls_;
  HappensBefore order_;
  std::vector<std::size_t> held_;  ///< items behind an unopened gate or a signal not given
};

}  // namespace assay::litmus

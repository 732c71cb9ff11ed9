// The edges that ORD-A1 to ORD-A8 add for one order of the calls.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "harness/check/happens_before.hpp"
#include "harness/check/ordering_program.hpp"

namespace assay::litmus {

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

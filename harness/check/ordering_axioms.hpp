// The edges that the axioms ORD-A1 to ORD-A8 draw for one order of the calls.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "harness/check/happens_before.hpp"
#include "harness/check/ordering_program.hpp"

namespace assay::litmus {

/// The axioms' points of item i: when it is called, when its call returns, when it is complete on
/// its device.
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

/// What must be so, whatever is observed, when the calls are made in a given order: of all items,
/// or of some, the rest being still to come.
class FixedOrder {
 public:
  explicit FixedOrder(const NumberedProgram& program)
      : program_(&program), order_(program.items.size() * 3) {}
  FixedOrder(const NumberedProgram& program, const CallOrder& calls);

  /// The next call. All but what it waits for must have come (ORD-A1).
  void add_call(std::size_t item);
  /// Each call was made when the one before it had returned, whatever its thread.
  void one_after_another();

  const CallOrder& calls() const { return calls_; }
  const HappensBefore& order() const { return order_; }
  Points points() const { return {*program_}; }
  /// Can it happen by what was called so far? Not behind a gate that nobody has opened, nor a
  /// signal that nobody has given.
  bool comes(std::size_t point) const;
  /// What a query or a wait at this place of `calls` is about: the newest record of its event, the
  /// last operation of its stream.
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
  std::vector<std::size_t> held_;  ///< items behind a gate or a signal that has not come
};

}  // namespace assay::litmus

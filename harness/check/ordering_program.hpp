// A litmus program as the axioms see it: operations numbered, streams resolved to queues, accesses
// to memory listed.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "harness/check/litmus.hpp"

namespace assay::litmus {

/// Operations by number, in the order of their calls.
using CallOrder = std::vector<std::size_t>;

/// An operation's place: in one of the program's threads, in one queue of a device.
struct Item {
  const Operation* operation = nullptr;
  std::size_t thread = 0;
  std::optional<std::size_t> before = {};  ///< the one before it in its thread
  std::size_t queue = 0;                   ///< of what has a stream
  StreamKind kind = StreamKind::kNonBlocking;
  int device = 0;
  /// The call ends later than it begins: the host waits for something.
  bool waits = false;
};

/// One read or write of a word. `at_call`: the host does it; otherwise a device, when the operation
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
  std::vector<std::int64_t> initial;  ///< what each location holds at first
};

}  // namespace assay::litmus

// A litmus program in numbered form for the axioms: operations numbered, streams resolved to
// queues, memory accesses listed.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "harness/check/litmus.hpp"

namespace assay::litmus {

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

}  // namespace assay::litmus

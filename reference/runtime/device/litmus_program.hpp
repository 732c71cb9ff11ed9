// Litmus programs for `sim.permitted`: small programs of streams and events, parsed, with resolved
// names.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "reference/runtime/device/machine.hpp"

namespace assay::reference {

/// The text is not a valid program.
class BadLitmusProgram : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The kind of a host call.
enum class LitmusVerb {
  kSubmit,  ///< a kernel or a copy: accesses memory when it completes
  kRecord,
  kWait,
  kOpen,
  kQueryEvent,
  kQueryQueue,
  kSyncEvent,
  kSyncQueue,
  kSyncDevice,
  kSignal,
  kAwait,
  kHostWrite,
  kHostRead,
};

/// A place is a location of a device or a host buffer.
struct LitmusStep {
  /// The source of a value when an item completes or the host accesses memory.
  enum class Source { kNone, kValue, kPlace, kPlaceAtCall };

  LitmusVerb verb = LitmusVerb::kSubmit;
  ItemId item = 0;  ///< unique over all threads; counted from 1
  QueueId queue = 0;
  EventId event = 0;
  GateId gate = 0;
  int device = 0;
  int signal = 0;
  Source source = Source::kNone;
  std::int64_t value = 0;
  int from = -1;         ///< index of a place
  int to = -1;           ///< index of a place
  int seen_as = -1;      ///< index of the observation
  bool is_sync = false;  ///< the host waits for the item

  // Bit sets.
  std::uint64_t reads = 0;    ///< places
  std::uint64_t writes = 0;   ///< places
  std::uint64_t touches = 0;  ///< visible to other threads' calls: queues, events
};

struct LitmusProgram {
  struct Queue {
    QueueId id;
    int device;
    QueueKind kind;
  };

  std::vector<std::vector<LitmusStep>> threads;
  std::vector<Queue> queues;
  std::vector<std::int64_t> places;  ///< initial values
  int observations = 0;
};

/// Parses the language of harness/protocol/areas/sim.md. Throws BadLitmusProgram, also if there are
/// more than 60 objects of one kind.
LitmusProgram read_litmus_program(std::string_view text);

}  // namespace assay::reference

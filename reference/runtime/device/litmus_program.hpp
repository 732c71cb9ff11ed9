// Small programs of streams and events, as `sim.permitted` takes them: read from text, names
// resolved.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "reference/runtime/device/machine.hpp"

namespace assay::reference {

/// The text is no program.
class BadLitmusProgram : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What one call of a host thread does.
enum class LitmusVerb {
  kSubmit,  ///< a kernel or a copy: moves what it moves when it completes
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

/// Places are locations of devices and host buffers alike.
struct LitmusStep {
  /// Where a value comes from when an item completes, or when the host reads or writes.
  enum class Source { kNone, kValue, kPlace, kPlaceAtCall };

  LitmusVerb verb = LitmusVerb::kSubmit;
  ItemId item = 0;  ///< its own number, from 1 on, over all threads
  QueueId queue = 0;
  EventId event = 0;
  GateId gate = 0;
  int device = 0;
  int signal = 0;
  Source source = Source::kNone;
  std::int64_t value = 0;
  int from = -1;         ///< a place
  int to = -1;           ///< a place
  int seen_as = -1;      ///< the observation that it makes
  bool is_sync = false;  ///< the host waits for the item

  // Sets of small numbers, a bit each.
  std::uint64_t reads = 0;    ///< places
  std::uint64_t writes = 0;   ///< places
  std::uint64_t touches = 0;  ///< what other threads' calls may see: queues, events
};

struct LitmusProgram {
  struct Queue {
    QueueId id;
    int device;
    QueueKind kind;
  };

  std::vector<std::vector<LitmusStep>> threads;
  std::vector<Queue> queues;
  std::vector<std::int64_t> places;  ///< what each holds at first
  int observations = 0;
};

/// The language of harness/protocol/areas/sim.md. Throws BadLitmusProgram, also for one that names
/// more than 60 things of a kind.
LitmusProgram read_litmus_program(std::string_view text);

}  // namespace assay::reference

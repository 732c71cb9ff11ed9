// Litmus programs: operations of threads on streams and events, and their text format.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace assay::litmus {

/// The text is not a valid program. Gives the line, what was expected and what was found.
class BadProgram : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

enum class StreamKind : std::uint8_t {
  kNonBlocking,  ///< S
  kBlocking,     ///< B
  kLegacy,       ///< L: the legacy default stream of its device
  kPerThread,    ///< P: the default stream of the calling thread
};

struct Stream {
  std::string name;  ///< as written: `S1`, `B0@1`; empty if there is none
  StreamKind kind = StreamKind::kNonBlocking;
  int device = 0;
};

enum class Verb : std::uint8_t {
  kStore,
  kLoad,
  kKernel,
  kGate,
  kOpen,
  kRecord,
  kWait,
  kQueryEvent,
  kQueryStream,
  kSyncEvent,
  kSyncStream,
  kSyncDevice,
  kSignal,
  kAwait,
  kCopyIn,  ///< from the host to the device
  kCopyInAsync,
  kCopyOut,
  kCopyOutAsync,
  kPinned,
  kPageable,
  kSet,
  kGet,
  kAlias,
};

/// Members that the verb does not use are empty.
struct Operation {
  Verb verb = Verb::kKernel;
  Stream stream = {};         ///< the stream of the operation; the new name, for an alias
  Stream other = {};          ///< for an alias: the stream that it renames
  std::string object = {};    ///< an event, gate or signal
  std::string location = {};  ///< device memory
  std::string buffer = {};    ///< host memory
  std::int64_t value = 0;
  int device = 0;  ///< for kSyncDevice

  /// The device performs it; it completes some time after the call.
  bool on_device() const;
  /// Its result is part of the outcome.
  bool observes() const;
  /// It only declares a name and has no effect.
  bool declares() const {
    return verb == Verb::kPinned || verb == Verb::kPageable || verb == Verb::kAlias;
  }
};

struct Thread {
  std::string name;
  std::vector<Operation> operations;
};

/// The results of all `q`, `qs`, `ld` and `get`, in program order, one thread after
/// another.
using Outcome = std::vector<std::int64_t>;

struct Program {
  std::vector<Thread> threads;

  /// The operations of all threads, one thread after another.
  std::vector<const Operation*> operations() const;
  std::size_t device_operations() const;
  std::size_t observations() const;
};

/// Parses `st(S0,x,1); rec(e,S0)`: operations separated by `;` or line ends. `A:` starts the
/// operations of thread A; `#` starts a comment. Throws BadProgram.
Program parse(std::string_view text);

std::string to_text(const Operation& operation);
/// In the format of `parse`, on one line. The name of a single thread is omitted.
std::string to_text(const Program& program);
/// `0 1`
std::string to_text(const Outcome& outcome);
/// Parses values separated by spaces only; rejects `0,1` and `(0 1)`. Throws BadProgram.
Outcome parse_outcome(std::string_view text);

}  // namespace assay::litmus

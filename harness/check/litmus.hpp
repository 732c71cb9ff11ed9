// Litmus programs: what threads ask of streams and events, and the text that they are written in.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace assay::litmus {

/// The text is not a program. Says which line, what was expected and what stands there.
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
  std::string name;  ///< as written: `S1`, `B0@1`; empty: none
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

/// Members that the verb does not have are empty.
struct Operation {
  Verb verb = Verb::kKernel;
  Stream stream = {};         ///< that it goes into; of an alias, the new name
  Stream other = {};          ///< of an alias, the stream that it is another name of
  std::string object = {};    ///< event, gate or signal
  std::string location = {};  ///< on a device
  std::string buffer = {};    ///< on the host
  std::int64_t value = 0;
  int device = 0;  ///< of kSyncDevice

  /// Something that a device does: it completes some time after the call.
  bool on_device() const;
  /// Its result is part of the outcome.
  bool observes() const;
  /// Says what a name is; nothing happens.
  bool declares() const {
    return verb == Verb::kPinned || verb == Verb::kPageable || verb == Verb::kAlias;
  }
};

struct Thread {
  std::string name;
  std::vector<Operation> operations;
};

/// What every `q`, `qs`, `ld` and `get` showed, in the order of the program, one thread after
/// another.
using Outcome = std::vector<std::int64_t>;

struct Program {
  std::vector<Thread> threads;

  /// Of every thread, one after another.
  std::vector<const Operation*> operations() const;
  std::size_t device_operations() const;
  std::size_t observations() const;
};

/// `st(S0,x,1); rec(e,S0)`, one operation after another, separated by `;` or line ends; `A:` begins
/// those of thread A; `#` and what follows it is a comment. Throws BadProgram.
Program parse(std::string_view text);

std::string to_text(const Operation& operation);
/// As `parse` reads it, in one line. The only thread of a program is not named.
std::string to_text(const Program& program);
/// `0 1`
std::string to_text(const Outcome& outcome);
/// `0 1`, `(0,1)`, `01` are none of our business: values stand apart by spaces. Throws BadProgram.
Outcome parse_outcome(std::string_view text);

}  // namespace assay::litmus

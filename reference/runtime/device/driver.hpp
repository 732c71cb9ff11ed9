// The driver of the simulated devices: calls that answer with a code, as those of a CUDA runtime
// do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference/core/runtime.hpp"
#include "reference/runtime/device/codes.hpp"
#include "reference/runtime/device/fault_plan.hpp"
#include "reference/runtime/device/schedule.hpp"

namespace assay::reference {

/// 0 is the legacy default stream of the current device, 1 the same by its own name, 2 the calling
/// thread's default stream; others are made by `stream_create` and are even.
using StreamHandle = std::uint64_t;
inline constexpr StreamHandle kLegacyStream = 1;
inline constexpr StreamHandle kPerThreadStream = 2;
/// 0 is none.
using EventHandle = std::uint64_t;
using GateHandle = std::uint64_t;
using Address = std::uint64_t;

enum class EventFlags : unsigned {
  kDefault = 0,
  kBlockingSync = 1,
  kDisableTiming = 2,
  kInterprocess = 4,
};

/// What a launch puts into a stream.
struct Work {
  std::string name;                ///< as the log shows it
  std::function<void()> run = {};  ///< on the device, once everything before it is complete
  std::int64_t virtual_ns = 1000;  ///< how long it takes by the devices' own clock
  Code fails = Code::kSuccess;     ///< what its running ends with: found by a later call (FLT-010)
};

/// What a capture has made: works in an order that they may run in.
using CapturedWork = std::vector<Work>;

struct LaunchShape {
  std::int64_t grid[3] = {1, 1, 1};
  std::int64_t block[3] = {1, 1, 1};
  std::int64_t shared_bytes = 0;
  std::int64_t registers = 0;  ///< of one thread
};

enum class CaptureStatus { kNone, kActive, kInvalidated };
enum class CaptureMode { kGlobal, kThreadLocal, kRelaxed };
enum class GateState { kClosed, kOpen, kExpired };

struct PriorityRange {
  int least = 0;
  int greatest = -5;
};

/// How the machine is made; `sim.machine` changes it before its first use.
struct MachineShape {
  int devices = Runtime::kCudaDevices;
  PriorityRange priorities = {};
  std::uint64_t memory_bytes = std::uint64_t{80} << 30;  ///< of each device
  bool has_driver = true;                                ///< without one every call answers 35
};

/// One for all threads of a Runtime: `driver_of(runtime)`. Every member may be called from any
/// thread. Each call that can fail answers with a code, which it also leaves in the calling
/// thread's error register (FLT-001); out-parameters are written on success only. A call that waits
/// for the device runs what it waits for, or waits until another thread opens the gate before it.
class Driver {
 public:
  explicit Driver(Runtime& runtime);
  ~Driver();
  /// Whoever waits returns; from now on every call answers kUnloading and does nothing.
  void shut_down();
  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;

  Code device_count(int& count);
  /// The calling thread's; it is the current device of the Runtime.
  Code get_device(int& index);
  Code set_device(int index);
  Code device_sync();
  Code mem_info(std::uint64_t& free_bytes, std::uint64_t& total_bytes);
  bool has_context(int device) const;

  Code priority_range(PriorityRange& range);
  /// On the current device.
  Code stream_create(StreamHandle& stream, bool non_blocking, int priority);
  Code stream_destroy(StreamHandle stream);
  Code stream_priority(StreamHandle stream, int& priority);
  /// kNotReady while work is pending.
  Code stream_query(StreamHandle stream);
  Code stream_sync(StreamHandle stream);
  /// `external`: a node of the graph that the stream captures, and no edge between captures; only
  /// a stream that captures may (EVT-030).
  Code stream_wait(StreamHandle stream, EventHandle event, bool external = false);

  Code event_create(EventHandle& event, unsigned flags);
  /// `external` as for `stream_wait`.
  Code event_record(EventHandle event, StreamHandle stream, bool external = false);
  Code event_query(EventHandle event);
  Code event_sync(EventHandle event);
  Code event_elapsed(float& milliseconds, EventHandle from, EventHandle to);
  Code event_destroy(EventHandle event);
  Code ipc_get(EventHandle event, std::string& bytes);
  Code ipc_open(EventHandle& event, const std::string& bytes);

  /// The stream must be one of the current device.
  Code launch(StreamHandle stream, Work work, const LaunchShape& shape = {});
  /// The work of a copy; the caller has decided what it may touch.
  Code memcpy_async(StreamHandle stream, Work work);

  Code malloc(Address& address, std::uint64_t size_bytes);
  /// Waits for the block's device first, as a real one does.
  Code free(Address address);
  Code host_alloc(Address& address, std::uint64_t size_bytes);
  Code host_free(Address address);
  /// The bytes behind an address within a block, of a device or of the host; null where none is.
  /// Poison until they are written, and again once the block is freed.
  std::byte* data(Address address);
  /// Ordered by the stream (MEM-024).
  Code malloc_async(Address& address, std::uint64_t size_bytes, StreamHandle stream);
  Code free_async(Address address, StreamHandle stream);

  Code capture_begin(StreamHandle stream, CaptureMode mode);
  /// `captured`: what a graph would run; null where nobody wants it.
  Code capture_end(StreamHandle stream, CapturedWork* captured = nullptr);
  Code capture_status(StreamHandle stream, CaptureStatus& status);
  /// The calling thread's: what it may do while somebody captures.
  Code exchange_capture_mode(CaptureMode& mode);
  /// Is any stream of the process capturing?
  bool is_capturing() const;
  /// Is this one? Not a call: neither logged nor planned.
  bool is_capturing(StreamHandle stream) const;
  /// Is it part of a valid capture that the other has begun? No call, either.
  bool is_in_capture(StreamHandle stream, StreamHandle origin) const;
  /// All of it, as one operation of the stream.
  Code graph_launch(StreamHandle stream, std::shared_ptr<const CapturedWork> graph);

  Code get_last_error();
  Code peek_last_error() const;

  /// A kernel that completes only once the gate is open, or `timeout_ms` after the host began to
  /// wait for it: then the gate is expired, and whoever looks must not conclude anything.
  Code gate(StreamHandle stream, GateHandle& gate, std::int64_t timeout_ms);
  void open(GateHandle gate);
  GateState gate_state(GateHandle gate) const;

  // What only a simulation has.
  void shape_machine(const MachineShape& shape);
  void set_schedule(Schedule schedule);
  /// Completes the next `count` operations of the stream, as far as nothing holds them back;
  /// answers how many it were.
  int step(StreamHandle stream, int count);
  /// Completes whatever can complete.
  void run_all();
  int pending(std::optional<StreamHandle> stream) const;
  std::int64_t now_ns() const;
  void advance_ns(std::int64_t ns);
  void set_fault_plan(FaultPlan plan);
  /// Calls since the log was last taken: `event_record(e1, s2)`, injected failures marked.
  std::vector<std::string> take_log();
  /// Objects that were created and are not destroyed, by kind.
  struct Live {
    int streams = 0;
    int events = 0;
    int device_blocks = 0;
    int host_blocks = 0;
  };
  Live live() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Made at first use. `Runtime::reset` shuts it down, and the next use makes a new one; a thread
/// that was in a call of the old one may return from it in peace.
Driver& driver_of(Runtime& runtime);

}  // namespace assay::reference

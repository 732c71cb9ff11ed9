// The driver of the simulated devices. Its calls return error codes, like those of the CUDA
// runtime.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "reference/core/runtime.hpp"
#include "reference/runtime/device/codes.hpp"

namespace assay::reference {

enum class ScheduleKind {
  kEager,   ///< completes all possible work before the call that enabled it returns
  kLazy,    ///< only work that the host waits for; after each query, one operation completes
  kManual,  ///< only work that the host waits for or that the program steps
  kRandom,  ///< after each call, a random number of operations
};

struct Schedule {
  ScheduleKind kind = ScheduleKind::kEager;
  std::uint64_t seed = 0;
};

/// 0 is the legacy default stream of the current device, 1 its explicit handle, and 2 the calling
/// thread's default stream. Handles from `stream_create` are even.
using StreamHandle = std::uint64_t;
inline constexpr StreamHandle kLegacyStream = 1;
inline constexpr StreamHandle kPerThreadStream = 2;
/// 0 is the null event.
using EventHandle = std::uint64_t;
using GateHandle = std::uint64_t;
using Address = std::uint64_t;

enum class EventFlags : unsigned {
  kDefault = 0,
  kBlockingSync = 1,
  kDisableTiming = 2,
  kInterprocess = 4,
};

/// Work submitted by a launch.
struct Work {
  std::string name;                ///< appears in the log
  std::function<void()> run = {};  ///< called when all preceding work is complete
  std::int64_t virtual_ns = 1000;  ///< the duration in the devices' virtual time
  Code fails = Code::kSuccess;     ///< the execution error, which a later call returns (FLT-010)
};

/// A node of a graph: work, or an external event that each launch records or waits for (EVT-034).
struct CapturedNode {
  Work work = {};
  EventHandle recorded = 0;  ///< 0: none
  EventHandle awaited = 0;   ///< 0: none

  bool is_work() const { return recorded == 0 && awaited == 0; }
};

/// The nodes of a graph, in an order that satisfies its edges.
using CapturedWork = std::vector<CapturedNode>;

struct LaunchShape {
  std::int64_t grid[3] = {1, 1, 1};
  std::int64_t block[3] = {1, 1, 1};
  std::int64_t shared_bytes = 0;
  std::int64_t registers = 0;  ///< per thread
};

enum class CaptureStatus { kNone, kActive, kInvalidated };
enum class CaptureMode { kGlobal, kThreadLocal, kRelaxed };
enum class GateState { kClosed, kOpen, kExpired };

struct PriorityRange {
  int least = 0;
  int greatest = -5;
};

/// The configuration of the machine; `sim.machine` changes it before the first use.
struct MachineShape {
  int devices = Runtime::kCudaDevices;
  PriorityRange priorities = {};
  std::uint64_t memory_bytes = std::uint64_t{80} << 30;  ///< per device
  int peers = Runtime::kCudaDevices;  ///< devices that access each other are in groups of this size
  bool blocks_launches = false;       ///< as CUDA_LAUNCH_BLOCKING=1 does (FLT-020)
  bool has_driver = true;             ///< without one, every call returns 35
};

/// One for each Runtime: `driver_of(runtime)`. Thread-safe. A call that can fail returns an error
/// code and also stores it in the calling thread's error register (FLT-001); out-parameters are
/// written only on success. A call that waits for the device executes the work that it waits for,
/// or blocks until another thread opens the gate in front of it.
class Driver {
 public:
  explicit Driver(Runtime& runtime);
  ~Driver();
  /// Ends all waits; afterwards every call returns kUnloading and has no effect.
  void shut_down();
  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;

  Code device_count(int& count);
  /// The calling thread's current device, which is that of the Runtime.
  Code get_device(int& index);
  Code set_device(int index);
  Code device_sync();
  /// Can kernels of `device` access memory of `peer`?
  Code can_access_peer(bool& can, int device, int peer);
  Code mem_info(std::uint64_t& free_bytes, std::uint64_t& total_bytes);
  bool has_context(int device) const;

  Code priority_range(PriorityRange& range);
  /// Creates a stream on the current device.
  Code stream_create(StreamHandle& stream, bool non_blocking, int priority);
  Code stream_destroy(StreamHandle stream);
  Code stream_priority(StreamHandle stream, int& priority);
  /// Returns kNotReady while work is pending.
  Code stream_query(StreamHandle stream);
  Code stream_sync(StreamHandle stream);
  /// `external`: creates a graph node instead of an edge between captures; valid only for a
  /// capturing stream (EVT-030).
  Code stream_wait(StreamHandle stream, EventHandle event, bool external = false);

  Code event_create(EventHandle& event, unsigned flags);
  /// `external`: see `stream_wait`.
  Code event_record(EventHandle event, StreamHandle stream, bool external = false);
  Code event_query(EventHandle event);
  Code event_sync(EventHandle event);
  Code event_elapsed(float& milliseconds, EventHandle from, EventHandle to);
  Code event_destroy(EventHandle event);
  Code ipc_get(EventHandle event, std::string& bytes);
  Code ipc_open(EventHandle& event, const std::string& bytes);

  /// The stream must be on the current device.
  Code launch(StreamHandle stream, Work work, const LaunchShape& shape = {});
  /// Submits a copy. The caller ensures that the memory is accessible.
  Code memcpy_async(StreamHandle stream, Work work);

  Code malloc(Address& address, std::uint64_t size_bytes);
  /// First waits for the block's device, like a real driver.
  Code free(Address address);
  Code host_alloc(Address& address, std::uint64_t size_bytes);
  Code host_free(Address address);
  /// The bytes at an address in a block of a device or the host; null if there is no block. They
  /// are poison until they are written, and after the block is freed.
  std::byte* data(Address address);
  /// Stream-ordered allocation (MEM-024).
  Code malloc_async(Address& address, std::uint64_t size_bytes, StreamHandle stream);
  Code free_async(Address address, StreamHandle stream);

  Code capture_begin(StreamHandle stream, CaptureMode mode);
  /// `captured` receives the graph's work; may be null.
  Code capture_end(StreamHandle stream, CapturedWork* captured = nullptr);
  Code capture_status(StreamHandle stream, CaptureStatus& status);
  /// Sets the calling thread's mode, which governs unsafe calls during captures.
  Code exchange_capture_mode(CaptureMode& mode);
  /// Returns whether any stream of the process is capturing.
  bool is_capturing() const;
  /// Is the stream capturing? Not a driver call: neither logged nor subject to fault plans.
  bool is_capturing(StreamHandle stream) const;
  /// A number of the valid capture that the stream belongs to; 0: none. Not a driver call.
  std::uint64_t capture_of(StreamHandle stream) const;
  /// Is the stream part of the valid capture that `origin` began? Not a driver call.
  bool is_in_capture(StreamHandle stream, StreamHandle origin) const;
  /// Submits the graph to the stream, in order: its work, in as few operations as its external
  /// events permit, and their records and waits.
  Code graph_launch(StreamHandle stream, std::shared_ptr<const CapturedWork> graph);

  Code get_last_error();
  Code peek_last_error() const;

  /// Submits a kernel that completes when the gate is opened, or expires `timeout_ms` after the
  /// host starts to wait for it. If a gate has expired, a test result is inconclusive.
  Code gate(StreamHandle stream, GateHandle& gate, std::int64_t timeout_ms);
  void open(GateHandle gate);
  GateState gate_state(GateHandle gate) const;

  // Controls of the simulation.
  void shape_machine(const MachineShape& shape);
  void set_schedule(Schedule schedule);
  /// Completes up to `count` operations of the stream
  /// that nothing blocks; returns their number.
  int step(StreamHandle stream, int count);
  /// Completes all work that can complete.
  void run_all();
  int pending(std::optional<StreamHandle> stream) const;
  std::int64_t now_ns() const;
  void advance_ns(std::int64_t ns);
  void set_fault_plan(FaultPlan plan);
  /// Takes the calls since the last time: `event_record(e1, s2)`, with injected failures marked.
  std::vector<std::string> take_log();
  /// The number of existing objects of each kind.
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

/// Created at its first use. `Runtime::reset` shuts it down and the next use creates a new one;
/// threads inside a call of the old driver can still return safely.
Driver& driver_of(Runtime& runtime);

}  // namespace assay::reference

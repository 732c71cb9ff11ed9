// The state of the driver, protected by one mutex, and the common handling of its calls; the
// scheduler and the simulated memory in it.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "reference/runtime/device/capture.hpp"
#include "reference/runtime/device/driver.hpp"
#include "reference/runtime/device/machine.hpp"

namespace assay::reference {

/// Selects among the items that the Machine permits to complete.
class Scheduler {
 public:
  explicit Scheduler(Schedule schedule) : kind_(schedule.kind), random_(schedule.seed) {}

  /// Called repeatedly after each host call, until it returns empty.
  std::optional<ItemId> after_call(const Machine& machine);
  /// After a query that returned "not ready": returns one of the items that it needs.
  std::optional<ItemId> after_query(const Machine& machine, const std::vector<ItemId>& awaited);
  /// While the host waits: returns empty if all needed items are blocked by closed gates.
  std::optional<ItemId> for_host(const Machine& machine, const std::vector<ItemId>& awaited);

 private:
  bool toss();
  std::size_t below(std::size_t end) {
    return std::uniform_int_distribution<std::size_t>(0, end - 1)(random_);
  }
  std::optional<ItemId> any(const std::vector<ItemId>& items);

  ScheduleKind kind_;
  std::mt19937_64 random_;
  std::size_t slowness_ = 2;  ///< the devices make progress in one of this many calls
};

using Address = std::uint64_t;

/// Addresses are never reused. The bytes of a block are created at the first access and contain
/// `kPoison` until they are written. Freed blocks are poisoned but kept until `sweep`, because
/// earlier work may still write to them.
class DeviceMemory {
 public:
  static constexpr std::byte kPoison{0xA5};
  static constexpr int kHost = -1;

  /// Allocates on device `device` or on the host.
  Address allocate(int device, std::uint64_t size_bytes);
  /// Returns false if no block of that device (or the host) begins at the address.
  bool free(int device, Address address);
  /// The device of the block that begins at the address.
  std::optional<int> device_of(Address address) const;
  /// Null if the address is not in a live block.
  std::byte* data(Address address);
  std::uint64_t used_bytes(int device) const;
  int blocks(bool of_host) const;
  /// Discards freed blocks; no work may be pending.
  void sweep() { freed_.clear(); }

 private:
  struct Block {
    int device;
    std::uint64_t size_bytes;
    std::vector<std::byte> bytes = {};
  };

  std::map<Address, Block> blocks_;
  std::map<int, Address> next_;
  std::vector<std::vector<std::byte>> freed_;
};

struct Driver::State {
  using Lock = std::unique_lock<std::mutex>;
  using SteadyClock = std::chrono::steady_clock;

  /// Thrown inside a call to return its error code.
  struct Refusal {
    Code code;
  };
  struct Stream {
    QueueId queue = 0;
    int device = 0;
    bool is_legacy = false;
    bool is_non_blocking = false;
    int priority = 0;
    std::int64_t finished_ns = 0;  ///< the completion time of its last item
  };
  /// Shared by all handles of an event (EVT-029).
  struct Event {
    EventId id = 0;
    int device = 0;
    unsigned flags = 0;
    ItemId version = 0;  ///< the record that defines its state; 0: never recorded
    std::int64_t finished_ns = 0;
  };
  struct Gate {
    GateState state = GateState::kClosed;
    std::chrono::milliseconds timeout{0};
    std::optional<SteadyClock::time_point> deadline = {};  ///< set when the host starts to wait
  };
  struct Thread {
    Code last_error = Code::kSuccess;
    CaptureMode capture_mode = CaptureMode::kGlobal;
  };
  /// The data of an incomplete item.
  struct Payload {
    QueueId queue = 0;
    Work work = {};
    std::shared_ptr<Event> recorded = {};
    std::int64_t ready_ns = 0;  ///< the completion time of its predecessors so far
  };
  /// A call, as seen by the log and the fault plan.
  struct Call {
    std::string_view name;
    std::string arguments = {};
    bool touches_device = true;  ///< fails with a sticky error of the device (FLT-002)
  };
  using Effect = std::function<void(Lock&)>;

  explicit State(Runtime& of) : runtime(of) { shape.has_driver = of.contract().cuda(); }

  /// Logs the call, applies the fault plan, runs the effect, advances the devices by the schedule,
  /// and stores an error in the thread's register (FLT-001).
  Code answer(const Call& call, const Effect& effect);
  /// For controls of the simulation: neither logged nor subject to fault plans.
  void control(const Effect& effect);

  // Steps of a call; they throw Refusal.
  Code run_effect(const Call& call, const Effect& effect, Lock& lock);
  void check_context(const Call& call);
  Stream& stream(StreamHandle handle);
  /// Like `stream`, for calls that use the stream's device.
  Stream& usable_stream(StreamHandle handle);
  std::shared_ptr<Event> event(EventHandle handle);
  Stream& legacy_stream(int device);
  Stream& thread_stream(int device);
  void touch(int device);
  int current_device();
  /// Returns whether it is the legacy stream of a device with a capturing blocking stream.
  bool is_blocked(const Stream& stream) const;
  /// Invalidates these captures if it is.
  void use_legacy(const Stream& stream);
  /// The host cannot query or wait for captured work (STR-029, EVT-030).
  void check_not_captured(const Stream& stream);
  void check_not_captured(const Event& event);
  /// Rejects unsafe calls during a capture, unless it is relaxed (FLT-016).
  void refuse_unsafe();
  Address allocate(std::uint64_t size_bytes);
  Thread& thread_state();

  /// Adds an item to the stream, or to the graph that the stream captures.
  ItemId submit(Stream& stream, Payload payload, GateId gate = 0);
  /// Submits a kernel. A machine that blocks launches waits for it (FLT-020).
  void launch(Lock& lock, Stream& stream, Payload payload, GateId gate = 0);
  ItemId add_payload(Stream& stream, Payload payload);
  void record(Stream& stream, const std::shared_ptr<Event>& event);
  void wait(Stream& stream, const Event& event);
  /// Adds the record of an external event, or a wait for one, to the graph that the stream
  /// captures.
  void add_external(const Stream& stream, CapturedNode node);
  /// Submits a graph's nodes.
  void replay(Stream& stream, const std::shared_ptr<const CapturedWork>& graph);
  void replay_event(Stream& stream, const CapturedNode& node);
  /// Advances the devices according to the schedule.
  void go_on(Lock& lock);
  /// Returns when all of `awaited` are complete; throws Refusal if that has become impossible.
  void wait_for(Lock& lock, std::vector<ItemId> awaited);
  void answer_query(Lock& lock, bool is_ready, const std::vector<ItemId>& awaited);
  void check_failed(const std::vector<ItemId>& needed) const;
  void wait_for_others(Lock& lock, const std::vector<ItemId>& needed);
  std::optional<SteadyClock::time_point> arm_gates(const std::vector<ItemId>& needed);
  void expire_gates();
  void open_gate(GateId id, GateState state);
  /// Runs one item at a time on all devices, without holding the mutex.
  void run_one(Lock& lock, ItemId item);
  void finish(ItemId item, Payload payload);
  void fail(ItemId item, const Payload& payload, Code code);
  /// Waits until no item is running. Returns false on the thread that runs one.
  bool claim(Lock& lock);
  void shut_down();

  std::mutex mutex;
  std::condition_variable changed;
  Runtime& runtime;
  bool is_closing = false;
  MachineShape shape;
  Machine machine;
  Scheduler scheduler{Schedule{}};
  std::optional<std::thread::id> runner;

  ItemId next_item = 1;
  std::unordered_map<ItemId, Payload> payloads;
  std::map<ItemId, Code> failed;
  std::vector<Work> done;  ///< destroyed without holding the mutex

  std::map<QueueId, Stream> streams;
  std::map<StreamHandle, QueueId> created_streams;
  std::map<std::pair<std::uint64_t, int>, QueueId> thread_streams;
  StreamHandle next_stream = 16;
  QueueId next_thread_stream = 1001;
  std::map<EventHandle, std::shared_ptr<Event>> events;
  EventId next_event = 1;
  std::map<GateHandle, Gate> gates;
  GateHandle next_gate = 1;
  Captures captures;
  DeviceMemory memory;

  std::map<std::uint64_t, Thread> threads;
  std::set<int> contexts;
  std::map<int, Code> lost;  ///< the sticky error of each device
  std::optional<Code> lost_by_plan;
  PlannedFaults faults;
  std::deque<std::string> log;
  std::int64_t now_ns = 0;
};

/// A number that is unique to the thread in this process.
std::uint64_t thread_number();

/// Names of objects in the log.
std::string stream_text(StreamHandle stream);
std::string event_text(EventHandle event);
std::string address_text(Address address);

}  // namespace assay::reference

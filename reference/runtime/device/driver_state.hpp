// What the driver keeps, behind one lock, and how each of its calls is answered.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "reference/runtime/device/capture.hpp"
#include "reference/runtime/device/device_memory.hpp"
#include "reference/runtime/device/driver.hpp"
#include "reference/runtime/device/machine.hpp"
#include "reference/runtime/device/scheduler.hpp"

namespace assay::reference {

struct Driver::State {
  using Lock = std::unique_lock<std::mutex>;
  using SteadyClock = std::chrono::steady_clock;

  /// Thrown inside a call: what it answers with.
  struct Refusal {
    Code code;
  };
  struct Stream {
    QueueId queue = 0;
    int device = 0;
    bool is_legacy = false;
    bool is_non_blocking = false;
    int priority = 0;
    std::int64_t finished_ns = 0;  ///< when its last complete item completed
  };
  /// One for each event, however many handles it has (EVT-029).
  struct Event {
    EventId id = 0;
    int device = 0;
    unsigned flags = 0;
    ItemId version = 0;  ///< the record that made it; 0: never recorded
    std::int64_t finished_ns = 0;
  };
  struct Gate {
    GateState state = GateState::kClosed;
    std::chrono::milliseconds timeout{0};
    std::optional<SteadyClock::time_point> deadline = {};  ///< since the host waits for it
  };
  struct Thread {
    Code last_error = Code::kSuccess;
    CaptureMode capture_mode = CaptureMode::kGlobal;
  };
  /// What belongs to an item that is not complete.
  struct Payload {
    QueueId queue = 0;
    Work work = {};
    std::shared_ptr<Event> recorded = {};
    std::int64_t ready_ns = 0;  ///< when what it has waited for so far was over
  };
  /// A call as the log and a plan of faults see it.
  struct Call {
    std::string_view name;
    std::string arguments = {};
    bool touches_device = true;  ///< fails once the device's context is lost (FLT-002)
  };
  using Effect = std::function<void(Lock&)>;

  explicit State(Runtime& of) : runtime(of) { shape.has_driver = of.contract().cuda(); }

  /// Logs the call, lets the plan of faults have its say, makes the call's effect, goes on as the
  /// schedule has it, and leaves a failure's code in the thread's register (FLT-001).
  Code answer(const Call& call, const Effect& effect);
  /// Neither logged nor planned: controls of the simulation.
  void control(const Effect& effect);

  // Parts of a call; they throw Refusal.
  Code run_effect(const Call& call, const Effect& effect, Lock& lock);
  void check_context(const Call& call);
  Stream& stream(StreamHandle handle);
  /// As `stream`, for calls that look at the stream's own device.
  Stream& usable_stream(StreamHandle handle);
  std::shared_ptr<Event> event(EventHandle handle);
  Stream& legacy_stream(int device);
  Stream& thread_stream(int device);
  void touch(int device);
  int current_device();
  /// Is it the legacy stream of a device on which a blocking stream captures?
  bool is_blocked(const Stream& stream) const;
  /// Spoils those captures if it is.
  void use_legacy(const Stream& stream);
  /// The host may not ask or wait for what a graph has (STR-029, EVT-030).
  void check_not_captured(const Stream& stream);
  void check_not_captured(const Event& event);
  /// Nor, but in relaxed captures, for anything else (FLT-016).
  void refuse_unsafe();
  Address allocate(std::uint64_t size_bytes);
  Thread& here();

  /// Puts an item into the stream, or into the graph that it captures.
  ItemId submit(Stream& stream, Payload payload, GateId gate = 0);
  ItemId add_payload(Stream& stream, Payload payload);
  void record(Stream& stream, const std::shared_ptr<Event>& event);
  void wait(Stream& stream, const Event& event);
  /// A record or wait that is no business of the capture's, but one of its nodes.
  void add_external(const Stream& stream);
  /// As the schedule has it.
  void go_on(Lock& lock);
  /// Returns once all of `awaited` are complete; throws Refusal if that cannot be any more.
  void wait_for(Lock& lock, std::vector<ItemId> awaited);
  void answer_query(Lock& lock, bool is_ready, const std::vector<ItemId>& awaited);
  void check_failed(const std::vector<ItemId>& needed) const;
  void wait_for_others(Lock& lock, const std::vector<ItemId>& needed);
  std::optional<SteadyClock::time_point> arm_gates(const std::vector<ItemId>& needed);
  void expire_gates();
  void open_gate(GateId id, GateState state);
  /// The devices do one thing at a time. The lock is free while it runs.
  void run_one(Lock& lock, ItemId item);
  void finish(ItemId item, Payload payload);
  void fail(ItemId item, const Payload& payload, Code code);
  /// Waits until nothing runs. False on the thread that is running something.
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
  std::vector<Work> done;  ///< dropped outside of the lock

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
  std::map<int, Code> lost;  ///< the code that each device's context was lost with
  std::optional<Code> lost_by_plan;
  PlannedFaults faults;
  std::deque<std::string> log;
  std::int64_t now_ns = 0;
};

/// Never the same for two threads of this process.
std::uint64_t thread_number();

/// How the log shows them.
std::string stream_text(StreamHandle stream);
std::string event_text(EventHandle event);
std::string address_text(Address address);

}  // namespace assay::reference

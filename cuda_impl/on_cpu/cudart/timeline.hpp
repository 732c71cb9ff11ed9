// Streams as lines of operations, and the threads that model them.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cuda_impl/on_cpu/scheduler/fibers/sanitizers.hpp"

namespace assay::cuda::on_cpu {

// Streams for the thread sanitizer: each is modelled as a thread, and only submissions, events and
// waits order it with others. Has no effect without the sanitizer, or unless
// ASSAY_ON_CPU_STREAM_THREADS=1.

inline bool streams_are_threads() {
  static const bool is_wanted = [] {
    const char* const told = std::getenv("ASSAY_ON_CPU_STREAM_THREADS");
    return has_thread_sanitizer() && told != nullptr && std::string_view(told) == "1";
  }();
  return is_wanted;
}

/// The synchronization points of an operation: submitted by the host, and completed.
struct OperationSync {
  SyncPoint submitted;
  SyncPoint done;
};
using OperationSyncPtr = std::shared_ptr<OperationSync>;

/// Null if streams are not modelled as threads.
inline OperationSyncPtr new_operation_sync() {
  return streams_are_threads() ? std::make_shared<OperationSync>() : nullptr;
}

/// Orders the caller after the completed operation.
inline void learn(const OperationSyncPtr& sync) {
  if (sync == nullptr) return;
  const Quiet quiet;
  sync->done.acquire();
}

/// While an instance exists in an operation, the stream executes the program's accesses, which may
/// race; other accesses are internal to the runtime and cannot.
class ProgramAccessScope {
 public:
  ProgramAccessScope() {
    if (streams_are_threads()) lifted_.emplace();
  }

 private:
  std::optional<NotQuiet> lifted_;
};

/// The thread that models a stream. Its accesses are ignored: see ProgramAccessScope.
class StreamThread {
 public:
  /// Ordered after its creator's work, like any thread; so it is created with the stream.
  StreamThread() {
    if (!streams_are_threads()) return;
    fiber_ = __tsan_create_fiber(kNoOrder);
    __tsan_set_fiber_name(fiber_, "a stream");
  }
  ~StreamThread() {
    if (fiber_ != nullptr) __tsan_destroy_fiber(fiber_);
  }
  StreamThread(const StreamThread&) = delete;
  StreamThread& operator=(const StreamThread&) = delete;

  /// Switches execution to the stream, without establishing an order.
  void enter() {
    if (!streams_are_threads()) return;
    host_ = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(fiber_, kNoOrder);
    quiet_.emplace();
  }
  void leave() {
    if (!streams_are_threads()) return;
    quiet_.reset();
    __tsan_switch_to_fiber(host_, kNoOrder);
  }

 private:
  static constexpr unsigned kNoOrder = 1;
  void* fiber_ = nullptr;
  void* host_ = nullptr;
  std::optional<Quiet> quiet_;
};

// The order of work on simulated devices: a stream is a line of operations, and points on a line
// can be waited for.

struct Line;
using LinePtr = std::shared_ptr<Line>;

/// Reached when this many operations of the line have completed.
struct Point {
  LinePtr line = nullptr;
  std::uint64_t count = 0;
  OperationSyncPtr sync = nullptr;  ///< of the operation before the point
};

/// Blocks a line until it is opened.
struct Gate {
  bool is_open = false;
  bool has_expired = false;
  std::int64_t timeout_ms = 2000;
  SyncPoint opened;
};

/// Thrown by device work: the device's context becomes invalid.
struct DeviceFault {
  int code = 719;
  std::string text = {};  ///< message for the user
};

struct Operation {
  std::function<void()> run;  ///< may be null; may throw a DeviceFault
  std::vector<Point> after;   ///< in addition to its predecessor in the line
  std::shared_ptr<Gate> gate = nullptr;
  int fails_with = 0;  ///< the error code of its execution
  std::int64_t takes_ns = 1000;
  OperationSyncPtr sync = nullptr;  ///< created at submission if null
};

enum class LineKind { kLegacy, kBlocking, kNonBlocking };

/// A stream. Its operations are executed in order.
struct Line {
  int device = 0;
  LineKind kind = LineKind::kNonBlocking;
  int priority = 0;
  std::uint64_t number = 0;  ///< as shown in the log
  std::uint64_t submitted = 0;
  std::uint64_t done = 0;
  std::int64_t clock_ns = 0;  ///< device time at the completion of the last operation
  std::deque<Operation> waiting;
  OperationSyncPtr newest = nullptr;  ///< of the latest submission
  StreamThread thread;

  bool is_idle() const { return done == submitted; }
};

inline bool is_reached(const Point& point) {
  return point.line == nullptr || point.line->done >= point.count;
}
inline Point end_of(const LinePtr& line) { return {line, line->submitted, line->newest}; }

/// Returns whether the first operation of the line can be executed now.
bool can_go_on(const Line& line);

}  // namespace assay::cuda::on_cpu

// Streams for the thread sanitizer: each is modelled as a thread, and only submissions, events and
// waits order it with others. Has no effect without the sanitizer, or unless
// ASSAY_ON_CPU_STREAM_THREADS=1.
#pragma once

#include <cstdlib>
#include <memory>
#include <optional>
#include <string_view>

#include "cuda_impl/on_cpu/scheduler/fibers/sanitizers.hpp"

namespace assay::cuda::on_cpu {

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

}  // namespace assay::cuda::on_cpu

// Streams as the thread sanitizer sees them: each is a thread of its own, and only submissions,
// events and waits put an order between it and the rest. Does nothing where a program has none, or
// was not told to with ASSAY_ON_CPU_STREAM_THREADS=1.
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

/// Of an operation: the host has submitted it, and it has been done.
struct Handover {
  SyncPoint submitted;
  SyncPoint done;
};
using HandoverPtr = std::shared_ptr<Handover>;

/// Null where streams are no threads.
inline HandoverPtr new_handover() {
  return streams_are_threads() ? std::make_shared<Handover>() : nullptr;
}

/// What was done before it is known to whoever calls this.
inline void learn(const HandoverPtr& handover) {
  if (handover == nullptr) return;
  const Quiet quiet;
  handover->done.acquire();
}

/// While one lives in an operation, its stream does what the program has asked for, which can be a
/// race; the rest is the runtime's bookkeeping, which cannot.
class OnBehalf {
 public:
  OnBehalf() {
    if (streams_are_threads()) lifted_.emplace();
  }

 private:
  std::optional<NotQuiet> lifted_;
};

/// The thread that a stream is. It is quiet: see OnBehalf.
class StreamThread {
 public:
  /// Knows what its maker knows so far, as any thread does; so it is made with the stream.
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

  /// From here on it is the stream that does things; nothing is known to it by that alone.
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

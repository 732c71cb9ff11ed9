// Streams as the thread sanitizer sees them: each is a thread of its own, and only submissions,
// events and waits put an order between it and the rest. Does nothing where a program has none, or
// was not told to with ASSAY_ON_CPU_STREAM_THREADS=1: what the program itself hands from stream to
// host without CUDA's knowledge would be a race as well.
#pragma once

#include <cstdlib>
#include <memory>
#include <string_view>

#include "cuda_impl/on_cpu/scheduler/sanitizers.hpp"

namespace assay::cuda::on_cpu {

inline bool streams_are_threads() {
  static const bool is_wanted = [] {
    const char* const told = std::getenv("ASSAY_ON_CPU_STREAM_THREADS");
    return has_thread_sanitizer() && told != nullptr && std::string_view(told) == "1";
  }();
  return is_wanted;
}

/// Of an operation: the host has submitted it, and it has been done.
struct Meeting {
  SyncPoint submitted;
  SyncPoint done;
};
using MeetingPtr = std::shared_ptr<Meeting>;

/// Null where streams are no threads.
inline MeetingPtr new_meeting() {
  return streams_are_threads() ? std::make_shared<Meeting>() : nullptr;
}

/// What was done before it is known to whoever calls this.
inline void learn(const MeetingPtr& meeting) {
  if (meeting == nullptr) return;
  const Quiet quiet;
  meeting->done.acquire();
}

/// The thread that a stream is.
class StreamThread {
 public:
  StreamThread() = default;
  ~StreamThread() {
    if (fiber_ != nullptr) __tsan_destroy_fiber(fiber_);
  }
  StreamThread(const StreamThread&) = delete;
  StreamThread& operator=(const StreamThread&) = delete;

  /// From here on it is the stream that does things; nothing is known to it by that alone.
  void enter() {
    if (!streams_are_threads()) return;
    host_ = __tsan_get_current_fiber();
    if (fiber_ == nullptr) {
      fiber_ = __tsan_create_fiber(kNoOrder);
      __tsan_set_fiber_name(fiber_, "a stream");
    }
    __tsan_switch_to_fiber(fiber_, kNoOrder);
  }
  void leave() {
    if (streams_are_threads()) __tsan_switch_to_fiber(host_, kNoOrder);
  }

 private:
  static constexpr unsigned kNoOrder = 1;
  void* fiber_ = nullptr;
  void* host_ = nullptr;
};

}  // namespace assay::cuda::on_cpu

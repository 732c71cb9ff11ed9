// The common part of every runtime call: sets the thread's last error, logs the call, and injects
// faults.
#pragma once

#include <driver_types.h>

#include <deque>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cuda_impl/on_cpu/cudart/machine.hpp"
#include "cuda_impl/on_cpu/cudart/shape.hpp"

namespace assay::cuda::on_cpu {

/// A call that is made to fail.
struct PlannedFault {
  std::string call;
  int occurrence = 1;  ///< counted from 1; 0: every occurrence
  bool has_effect = false;
  int code = 0;
  bool is_sticky = false;
  bool clears_register = false;
  std::string thread = {};  ///< count only calls on the thread of this name; empty: on all threads
};

/// The state of this thread: current device, last error, capture mode.
struct ThreadState {
  int device = 0;
  int last_error = 0;
  cudaStreamCaptureMode capture_mode = cudaStreamCaptureModeGlobal;
};
ThreadState& thread_state();

/// The log and faults of a process's calls. Requires the machine's lock.
class Calls {
 public:
  static Calls& get();

  void plan(std::vector<PlannedFault> faults);
  /// Returns the fault that applies to this call; null if there is none.
  const PlannedFault* strikes(const std::string& call);
  int sticky() const { return sticky_; }
  /// Only the newest lines are kept.
  void write(std::string text) {
    constexpr std::size_t kMostKept = 100'000;
    log_.push_back(std::move(text));
    if (log_.size() > kMostKept) log_.pop_front();
  }
  std::deque<std::string> take_log() { return std::exchange(log_, {}); }
  /// Reports a mistake of the caller. Printed to standard error if the program is linked with the
  /// simulation. Returns the code.
  int complain(int code, std::string text);
  std::vector<std::string> take_complaints() { return std::exchange(complaints_, {}); }
  void reset();

 private:
  std::vector<PlannedFault> plan_;
  std::map<std::string, int> counts_;  ///< calls since the plan; `call@thread` for one thread's
  int sticky_ = 0;
  std::deque<std::string> log_;
  std::vector<std::string> complaints_;
};

/// Stores an error code as the thread's last error; success does not change it.
inline cudaError_t answer(int code) {
  if (code != 0) thread_state().last_error = code;
  return static_cast<cudaError_t>(code);
}

/// Devices with a context.
std::set<int>& contexts();

/// Executes one call: `body(lock)` performs it and returns a code. `touches_device`: fails with the
/// sticky error of the device, if there is one.
template <typename Body>
cudaError_t call(const std::string& name, const std::string& arguments, bool touches_device,
                 const Body& body) {
  const Quiet quiet;
  auto lock = Machine::get().lock();
  Calls& calls = Calls::get();
  const PlannedFault* fault = calls.strikes(name);
  const std::string text = name + "(" + arguments + ")";
  if (fault != nullptr) {
    const PlannedFault struck = *fault;
    calls.write(text + "!" + std::to_string(struck.code));
    if (struck.has_effect) body(lock);
    if (struck.clears_register) return static_cast<cudaError_t>(struck.code);
    return answer(struck.code);
  }
  calls.write(text);
  if (!shape().has_driver) return answer(35);
  if (touches_device && calls.sticky() != 0) return answer(calls.sticky());
  if (touches_device && Machine::get().lost(thread_state().device) != 0) {
    return answer(Machine::get().lost(thread_state().device));
  }
  if (touches_device) contexts().insert(thread_state().device);
  return answer(body(lock));
}

/// The line of a stream handle on the calling thread; null for an invalid handle.
LinePtr line_of(cudaStream_t stream);
cudaStream_t handle_of(const LinePtr& line);
/// Formats as `s16`.
std::string shown(cudaStream_t stream);

}  // namespace assay::cuda::on_cpu

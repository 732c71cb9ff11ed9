// What every call of the runtime has in common: its code goes into the thread's register, it is
// logged, and it can be made to fail.
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

/// Which call fails on purpose.
struct PlannedFault {
  std::string call;
  int occurrence = 1;  ///< counted from 1; 0: every one
  bool has_effect = false;
  int code = 0;
  bool is_sticky = false;
  bool clears_register = false;
  std::string thread = {};  ///< the name of the one whose calls count; empty: every one
};

/// What this thread knows: its device, its register, its capture mode.
struct Here {
  int device = 0;
  int last_error = 0;
  cudaStreamCaptureMode capture_mode = cudaStreamCaptureModeGlobal;
};
Here& here();

/// What the calls of a process leave behind. With the machine's lock held.
class Calls {
 public:
  static Calls& get();

  void plan(std::vector<PlannedFault> faults);
  /// The fault that strikes this call, if one does.
  const PlannedFault* strikes(const std::string& call);
  int sticky() const { return sticky_; }
  /// The newest are kept, as many as somebody may still want to read.
  void write(std::string text) {
    constexpr std::size_t kMostKept = 100'000;
    log_.push_back(std::move(text));
    if (log_.size() > kMostKept) log_.pop_front();
  }
  std::deque<std::string> take_log() { return std::exchange(log_, {}); }
  /// What a caller did wrong, for people. Said on standard error where the program is linked with
  /// the simulation. Returns the code.
  int complain(int code, std::string text);
  std::vector<std::string> take_complaints() { return std::exchange(complaints_, {}); }
  void reset();

 private:
  std::vector<PlannedFault> plan_;
  std::map<std::string, int> counts_;  ///< calls since the plan was made; `call@thread` for one's
  int sticky_ = 0;
  std::deque<std::string> log_;
  std::vector<std::string> complaints_;
};

/// Leaves the code in the register; what succeeds leaves it alone.
inline cudaError_t answer(int code) {
  if (code != 0) here().last_error = code;
  return static_cast<cudaError_t>(code);
}

/// Devices on which something was made.
std::set<int>& contexts();

/// One call: `body(lock)` does it and returns a code. `touches_device`: a lost context answers for
/// it.
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
  if (touches_device && Machine::get().lost(here().device) != 0) {
    return answer(Machine::get().lost(here().device));
  }
  if (touches_device) contexts().insert(here().device);
  return answer(body(lock));
}

/// The line that a handle of the runtime means to the calling thread; null for none.
LinePtr line_of(cudaStream_t stream);
cudaStream_t handle_of(const LinePtr& line);
/// `s16`
std::string shown(cudaStream_t stream);

}  // namespace assay::cuda::on_cpu

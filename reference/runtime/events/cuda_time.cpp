// CUDA events: elapsed time and IPC handles.
#include "reference/core/types/error.hpp"
#include "reference/runtime/cuda_device.hpp"
#include "reference/runtime/events/checks.hpp"
#include "reference/runtime/events/cuda.hpp"
#include "reference/runtime/failure.hpp"

namespace assay::reference {

float CudaEvent::elapsed_ms(const CudaEvent& other) const {
  const Contract& contract = runtime_->contract();
  const bool is_late = contract.release >= Release::k2_11;
  const auto is_there = [&](const CudaEvent& event) {
    return contract.strict() ? event.recorded_ : event.created_;  // [DEV] of EVT-017
  };
  const bool has_record = is_there(*this) && is_there(other);
  if (is_late) check_timing(has_timing() && other.has_timing());
  // In strict mode, the additional check raises the error kind of 2.11 (EVT-017).
  const bool is_value = is_late || (contract.strict() && created_ && other.created_);
  check_recorded(has_record, is_value ? ErrorKind::kValue : ErrorKind::kError);
  check_one_device(contract, index_, other.index_);
  const OnCudaDevice on(*runtime_, index_);  // the query may create a context, too (EVT-019)
  if (is_late) check_complete(query() && other.query());
  return static_cast<float>(CudaEvents(*runtime_).elapsed_ms(handle_, other.handle_, index_));
}

std::string CudaEvent::ipc_handle() {
  if (!created_) create(cuda_current_device(*runtime_));
  const OnCudaDevice on(*runtime_, index_);
  std::string bytes;
  cuda_check(*runtime_, driver_of(*runtime_).ipc_get(handle_, bytes));
  return bytes;
}

CudaEvent CudaEvent::from_ipc(Runtime& runtime, int device_index, const std::string& handle) {
  CudaEvent event(runtime);
  const OnCudaDevice on(runtime, device_index);
  cuda_check(runtime, driver_of(runtime).ipc_open(event.handle_, handle));
  event.index_ = device_index;
  event.created_ = true;
  event.recorded_ = false;
  return event;
}

}  // namespace assay::reference

// Implements CUDA events.
#include "reference/runtime/events/cuda.hpp"

#include <utility>

#include "reference/core/types/error.hpp"
#include "reference/runtime/cuda_device.hpp"
#include "reference/runtime/events/checks.hpp"
#include "reference/runtime/failure.hpp"
#include "reference/runtime/logs.hpp"
#include "reference/runtime/streams/cuda.hpp"

namespace assay::reference {

CudaEvent::CudaEvent(Runtime& runtime, unsigned flags) : runtime_(&runtime), flags_(flags) {}

CudaEvent::~CudaEvent() { forget(); }

CudaEvent::CudaEvent(CudaEvent&& other) noexcept : CudaEvent(*other.runtime_) { swap(other); }

CudaEvent& CudaEvent::operator=(CudaEvent&& other) noexcept {
  if (this != &other) swap(other);
  return *this;
}

void CudaEvent::swap(CudaEvent& other) noexcept {
  std::swap(runtime_, other.runtime_);
  std::swap(flags_, other.flags_);
  std::swap(created_, other.created_);
  std::swap(recorded_, other.recorded_);
  std::swap(index_, other.index_);
  std::swap(handle_, other.handle_);
  // [DEV] of EVT-024: PyTorch does not move this flag.
  if (runtime_->contract().strict()) std::swap(external_, other.external_);
}

/// Destroys the driver's event and becomes empty.
void CudaEvent::forget() noexcept {
  // [DEV] of EVT-022: before 2.11, PyTorch ignored failures here.
  const bool warns =
      runtime_->contract().strict() || runtime_->contract().release >= Release::k2_11;
  if (created_) CudaEvents(*runtime_).destroy(handle_, index_, warns);
  created_ = false;
  recorded_ = false;
  index_ = -1;
  handle_ = 0;
}

void CudaEvent::create(int device_index) {
  const bool is_external = (flags_ & kExternalEvent) != 0;
  const OnCudaDevice on(*runtime_, device_index);
  cuda_check(*runtime_, driver_of(*runtime_).event_create(handle_, flags_ & ~kExternalEvent));
  log_trace(*runtime_, "create(" + std::to_string(handle_) + ")");
  external_ = external_ || is_external;  // after a failed record, the flag is only here
  flags_ &= ~kExternalEvent;
  index_ = device_index;
  created_ = true;
}

/// External records and waits are valid only in a capturing stream (EVT-030).
bool CudaEvent::is_external_in(const Stream& stream) const {
  if (!external_) return false;
  // [DEV] of EVT-034: PyTorch asks the current stream of the device instead.
  const bool strict = runtime_->contract().strict();
  const Stream asked = strict ? stream : current_stream(*runtime_, stream.device.index);
  CaptureStatus status = CaptureStatus::kNone;
  cuda_check(*runtime_, driver_of(*runtime_).capture_status(handle_of(*runtime_, asked), status));
  return status != CaptureStatus::kNone;
}

void CudaEvent::record(const Stream& given) {
  const Stream stream = cuda_stream(given, true);
  const bool was_empty = !created_;
  if (was_empty) create(stream.device.index);
  check(index_ == stream.device.index, [&] {
    const Contract& contract = runtime_->contract();
    return "Event device " + index_text(contract, index_) +
           " does not match recording stream's device " +
           index_text(contract, stream.device.index) + ".";
  });
  try {
    const OnCudaDevice on(*runtime_, index_);
    const StreamHandle handle = handle_of(*runtime_, stream);
    const std::string text =
        "record(" + std::to_string(handle_) + "," + std::to_string(handle) + ")";
    cuda_check(*runtime_,
               driver_of(*runtime_).event_record(handle_, handle, is_external_in(stream)));
    log_trace(*runtime_, text);
  } catch (const Error&) {
    // [DEV] of EVT-025: in PyTorch the event stays created but not recorded.
    if (was_empty && runtime_->contract().strict()) forget();
    throw;
  }
  recorded_ = true;
}

void CudaEvent::record_once(const Stream& stream) {
  if (!recorded_) record(stream);
}

void CudaEvent::block(const Stream& given) const {
  if (!created_) return;
  const Stream stream = cuda_stream(given, true);
  const OnCudaDevice on(*runtime_, stream.device.index);
  const StreamHandle handle = handle_of(*runtime_, stream);
  cuda_check(*runtime_, driver_of(*runtime_).stream_wait(handle, handle_, is_external_in(stream)));
  log_trace(*runtime_, "wait(" + std::to_string(handle_) + "," + std::to_string(handle) + ")");
}

bool CudaEvent::query() const {
  if (!created_) return true;
  return CudaEvents(*runtime_).query(handle_);
}

void CudaEvent::synchronize() const {
  if (created_) CudaEvents(*runtime_).synchronize(handle_);
}

bool CudaEvent::operator<(const CudaEvent& other) const { return handle_ < other.handle_; }

std::optional<Device> CudaEvent::device() const {
  if (!created_) return std::nullopt;
  return cuda_device(index_);
}

}  // namespace assay::reference

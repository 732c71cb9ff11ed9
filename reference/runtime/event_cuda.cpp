// An event of CUDA.
#include "reference/runtime/event_cuda.hpp"

#include <utility>

#include "reference/core/error.hpp"
#include "reference/core/fault.hpp"
#include "reference/runtime/cuda_device.hpp"
#include "reference/runtime/event_checks.hpp"
#include "reference/runtime/failure.hpp"
#include "reference/runtime/logs.hpp"
#include "reference/runtime/stream_cuda.hpp"

namespace assay::reference {

CudaEvent::CudaEvent(Runtime& runtime, unsigned flags) : runtime_(&runtime), flags_(flags) {}

CudaEvent::~CudaEvent() { forget(); }

CudaEvent::CudaEvent(CudaEvent&& other) noexcept : CudaEvent(*other.runtime_) { swap(other); }

CudaEvent& CudaEvent::operator=(CudaEvent&& other) noexcept {
  if (this != &other || fault("self_assigned_event_is_lost")) swap(other);
  if (this == &other && fault("self_assigned_event_is_lost")) forget();
  return *this;
}

void CudaEvent::swap(CudaEvent& other) noexcept {
  std::swap(runtime_, other.runtime_);
  if (!fault("cuda_event_moves_without_flags")) std::swap(flags_, other.flags_);
  std::swap(created_, other.created_);
  if (!fault("cuda_event_moves_without_record")) std::swap(recorded_, other.recorded_);
  if (!fault("cuda_event_moves_without_device")) std::swap(index_, other.index_);
  std::swap(handle_, other.handle_);
  // PyTorch forgets that one: [DEV] of EVT-024.
  const bool moves = runtime_->contract().strict() && !fault("cuda_event_moves_without_external");
  if (moves) std::swap(external_, other.external_);
}

/// Destroys what there is: empty again.
void CudaEvent::forget() noexcept {
  // PyTorch said nothing of a failure there before 2.11: [DEV] of EVT-022.
  const bool warns =
      runtime_->contract().strict() || runtime_->contract().release == Release::k2_11;
  if (created_) CudaEvents(*runtime_).destroy(handle_, index_, warns);
  created_ = false;
  recorded_ = false;
  index_ = -1;
  handle_ = 0;
}

void CudaEvent::create(int device_index) {
  const bool is_external = (flags_ & kExternalEvent) != 0;
  const OnCudaDevice on(*runtime_, fault("cuda_event_is_made_on_the_current_device")
                                       ? cuda_current_device(*runtime_)
                                       : device_index);
  const unsigned given =
      fault("external_flag_reaches_the_driver") ? flags_ : flags_ & ~kExternalEvent;
  cuda_check(*runtime_, driver_of(*runtime_).event_create(handle_, given));
  log_trace(*runtime_, "create(" + std::to_string(handle_) + ")");
  external_ = is_external;
  flags_ &= ~kExternalEvent;
  index_ = device_index;
  created_ = true;
}

/// Only a stream that captures knows external records and waits (EVT-030).
bool CudaEvent::is_external_in(StreamHandle stream) const {
  if (!external_ || fault("external_event_is_captured")) return false;
  CaptureStatus status = CaptureStatus::kNone;
  cuda_ignore(*runtime_, driver_of(*runtime_).capture_status(stream, status));
  return status != CaptureStatus::kNone;
}

void CudaEvent::record(const Stream& given) {
  const Stream stream = cuda_stream(given, true);
  const bool was_empty = !created_;
  if (was_empty) create(stream.device.index);
  check(index_ == stream.device.index || fault("cuda_event_changes_its_device"), [&] {
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
    if (fault("trace_of_a_record_comes_before_it")) log_trace(*runtime_, text);
    if (fault("record_waits_for_the_stream")) driver_of(*runtime_).stream_sync(handle);
    cuda_check(*runtime_,
               driver_of(*runtime_).event_record(handle_, handle, is_external_in(handle)));
    if (!fault("trace_of_a_record_comes_before_it")) log_trace(*runtime_, text);
  } catch (const Error&) {
    // PyTorch keeps it, created and not recorded: [DEV] of EVT-025.
    const bool stays = !runtime_->contract().strict() || fault("failed_record_leaves_an_event");
    if (was_empty && !stays) forget();
    throw;
  }
  recorded_ = true;
}

void CudaEvent::record_once(const Stream& stream) {
  const bool is_over = fault("record_once_asks_for_created") ? created_ : recorded_;
  if (!is_over || fault("record_once_records_again")) record(stream);
}

void CudaEvent::block(const Stream& given) const {
  if (!created_) return;
  const Stream stream = cuda_stream(given, true);
  const OnCudaDevice on(*runtime_, stream.device.index);
  const StreamHandle handle = handle_of(*runtime_, stream);
  if (fault("block_waits_for_nothing")) return;
  cuda_check(*runtime_, driver_of(*runtime_).stream_wait(handle, handle_, is_external_in(handle)));
  log_trace(*runtime_, "wait(" + std::to_string(handle_) + "," + std::to_string(handle) + ")");
}

bool CudaEvent::query() const {
  if (!created_) return !fault("empty_event_is_not_ready");
  return CudaEvents(*runtime_).query(handle_) != fault("event_query_is_inverted");
}

void CudaEvent::synchronize() const {
  if (created_) CudaEvents(*runtime_).synchronize(handle_);
}

bool CudaEvent::operator<(const CudaEvent& other) const {
  if (fault("empty_events_are_in_an_order") && handle_ == other.handle_) return this < &other;
  return handle_ < other.handle_;
}

std::optional<Device> CudaEvent::device() const {
  if (!created_ && !fault("empty_event_has_a_device")) return std::nullopt;
  return cuda_device(index_);
}

}  // namespace assay::reference

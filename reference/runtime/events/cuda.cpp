// Implements CUDA events: elapsed time and IPC handles (EVT-029), too.
#include "reference/runtime/events/cuda.hpp"

#include <string_view>
#include <utility>

#include "reference/core/types/error.hpp"
#include "reference/runtime/cuda_device.hpp"
#include "reference/runtime/events/common.hpp"
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

// Elapsed time and IPC handles.

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

// Events of other processes.

namespace {

constexpr std::size_t kHandleBytes = 64;
constexpr std::string_view kDigits = "0123456789abcdef";

}  // namespace

CudaEvent event_from_ipc(Runtime& runtime, Device device, const std::string& handle) {
  check(handle.size() == kHandleBytes, [&] {
    return "cudaIpcEventHandle_t expects byte-like object of size " + std::to_string(kHandleBytes) +
           ", but got " + std::to_string(handle.size());
  });
  check(device.is_cuda(),
        [&] { return "Event can only be created on CUDA devices, not on " + to_text(device); });
  const int index = device.index == -1 ? cuda_current_device(runtime) : device.index;
  return CudaEvent::from_ipc(runtime, index, handle);
}

std::string to_digits(const std::string& bytes) {
  std::string digits;
  for (const char byte : bytes) {
    const auto value = static_cast<unsigned char>(byte);
    digits += kDigits[value >> 4];
    digits += kDigits[value & 15];
  }
  return digits;
}

std::optional<std::string> from_digits(const std::string& digits) {
  if (digits.size() % 2 != 0) return std::nullopt;
  std::string bytes;
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    const auto high = kDigits.find(digits[i]);
    const auto low = kDigits.find(digits[i + 1]);
    if (high == std::string_view::npos || low == std::string_view::npos) return std::nullopt;
    bytes += static_cast<char>(high << 4 | low);
  }
  return bytes;
}

}  // namespace assay::reference

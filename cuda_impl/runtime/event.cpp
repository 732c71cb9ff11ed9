// Generic events: checks, then calls of the backend; event flags of each release, and error
// messages.
#include "cuda_impl/runtime/event.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cctype>
#include <span>
#include <utility>

#include "cuda_impl/core/contract.hpp"
#include "cuda_impl/core/error.hpp"
#include "cuda_impl/runtime/backends/backends.hpp"

namespace assay::cuda {

std::string upper_name(DeviceKind type) {
  std::string name(name_of(type, rules().release));
  std::ranges::transform(name, name.begin(), [](unsigned char letter) {
    return static_cast<char>(std::toupper(letter));
  });
  return name;
}

std::string shown_index(int index) {
  if (rules().is_strict) return std::to_string(index);
  return std::string(1, static_cast<char>(index));
}

void require_one_device(int from, int to) {
  require(!rules().is_strict || from == to, ErrorKind::kValue, [&] {
    return "there is no time between events of two devices: device " + std::to_string(from) +
           " and device " + std::to_string(to);
  });
}

namespace {

using Named = std::pair<std::string_view, int>;

constexpr Named kOldNames[] = {{"pytorch_default", 0},
                               {"backend_default", 1},
                               {"cuda_event_default", 2},
                               {"cuda_event_disable_timing", 3},
                               {"hip_event_default", 4},
                               {"hip_event_disable_timing", 5},
                               {"invalid", 6}};
constexpr Named kNames[] = {{"pytorch_default", 0}, {"backend_default", 1}, {"invalid", 2}};
constexpr int kOldCudaDefault = 2;
constexpr int kOldCudaDisableTiming = 3;

std::span<const Named> names_in(Release release) {
  if (release == Release::k1_13) return kOldNames;
  return kNames;
}

}  // namespace

std::optional<int> event_flag_named(std::string_view name, Release release) {
  const auto names = names_in(release);
  const auto found = std::ranges::find(names, name, &Named::first);
  if (found == names.end()) return std::nullopt;
  return found->second;
}

std::optional<std::string_view> name_of_event_flag(int flag, Release release) {
  const auto names = names_in(release);
  const auto found = std::ranges::find(names, flag, &Named::second);
  if (found == names.end()) return std::nullopt;
  return found->first;
}

bool takes_time(int flag, Release release) {
  return flag == kBackendDefault || (release == Release::k1_13 && flag == kOldCudaDefault);
}

unsigned driver_flags_of(int flag, Release release) {
  const bool is_old = release == Release::k1_13;
  if (flag == kPytorchDefault || (is_old && flag == kOldCudaDisableTiming)) {
    return cudaEventDisableTiming;
  }
  if (flag == kBackendDefault || (is_old && flag == kOldCudaDefault)) return cudaEventDefault;
  throw Error("CUDA event received unknown flag");
}

// The event.

namespace {

/// EVT-023: in later releases of PyTorch, a move takes the handle only.
bool keeps_state_when_moved() { return !rules().is_strict && rules().release != Release::k1_13; }

void require_type(DeviceKind own, DeviceKind streams, const char* whose) {
  require(own == streams, [&] {
    return "Event device type " + upper_name(own) + " does not match " + whose + " device type " +
           upper_name(streams) + ".";
  });
}

}  // namespace

Event::Event(DeviceKind type, int flag) : backend_(&backend_of(type)) { state_.flag = flag; }

Event::~Event() {
  if (state_.handle != nullptr) backend_->destroy_event(state_.handle, state_.device);
}

Event::Event(Event&& other) noexcept
    : backend_(other.backend_), state_(other.state_), was_recorded_(other.was_recorded_) {
  other.state_.handle = nullptr;
  if (keeps_state_when_moved()) return;
  other.state_.device = -1;
  other.was_recorded_ = false;
}

Event& Event::operator=(Event&& other) noexcept {
  std::swap(backend_, other.backend_);
  std::swap(state_, other.state_);
  std::swap(was_recorded_, other.was_recorded_);
  return *this;
}

void Event::record(const Stream& stream) {
  require_type(backend_->type(), stream.device.kind, "recording stream's");
  const bool fits = state_.device == -1 || state_.device == stream.device.index;
  require(fits, [&] {
    return "Event device index " + shown_index(state_.device) +
           " does not match recording stream's device index " + shown_index(stream.device.index) +
           ".";
  });
  state_.handle = backend_->record(state_, stream);
  state_.device = stream.device.index;
  was_recorded_ = true;
}

void Event::record_once(const Stream& stream) {
  if (!was_recorded_) record(stream);
}

void Event::block(const Stream& stream) const {
  if (!was_recorded_) return;  // EVT-011: before any check
  require_type(backend_->type(), stream.device.kind, "blocking stream's");
  if (state_.handle != nullptr) backend_->block(state_.handle, stream);
}

bool Event::query() const {
  return state_.handle == nullptr || backend_->query_event(state_.handle);
}

void Event::synchronize() const {
  if (state_.handle != nullptr) backend_->synchronize_event(state_.handle);
}

void Event::check_same_type(const Event& other) const {
  const DeviceKind own = backend_->type();
  const DeviceKind another = other.backend_->type();
  require(own == another, [&] {
    return "Event device type " + upper_name(own) + " does not match other's device type " +
           upper_name(another) + ".";
  });
}

void Event::check_elapsed_of_2_4(const Event& other) const {
  require(other.was_recorded_, [] { return "other was not marked for recording."; });
  require(was_recorded_, [] { return "self was not marked for recording."; });
  check_same_type(other);
}

void Event::check_elapsed(const Event& other) const {
  if (rules().release < Release::k2_11) return check_elapsed_of_2_4(other);
  check_same_type(other);
  const Release release = rules().release;
  const bool both_timed =
      takes_time(state_.flag, release) && takes_time(other.state_.flag, release);
  require(both_timed, ErrorKind::kValue, [] { return kBothTimed; });
  require(was_recorded_ && other.was_recorded_, ErrorKind::kValue, [] { return kBothRecorded; });
  require_one_device(state_.device, other.state_.device);
  require(query() && other.query(), [] { return kBothComplete; });
}

double Event::elapsed_ms(const Event& other) const {
  check_elapsed(other);
  require(state_.handle != nullptr && other.state_.handle != nullptr,
          [] { return kBothRecorded; });  // EVT-023: null after a move
  require_one_device(state_.device, other.state_.device);
  return backend_->elapsed_ms(state_.handle, other.state_.handle, state_.device);
}

}  // namespace assay::cuda

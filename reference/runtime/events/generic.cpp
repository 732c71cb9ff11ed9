// Implements generic events, and the checks before their elapsed time (EVT-018, EVT-020).
#include "reference/runtime/events/generic.hpp"

#include <algorithm>
#include <cctype>
#include <string>
#include <utility>

#include "reference/core/types/error.hpp"
#include "reference/runtime/backends/guard_backend.hpp"
#include "reference/runtime/events/common.hpp"

namespace assay::reference {
namespace {

/// [DEV] of EVT-023: in later releases of PyTorch, a moved-from event still counts as recorded.
bool move_empties(const Runtime& runtime) {
  const Contract& contract = runtime.contract();
  return contract.strict() || contract.release == Release::k1_13;
}

}  // namespace

std::string upper_name_of(DeviceType type, Release release) {
  std::string name(name_of(type, release));
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::toupper(c); });
  return name;
}

Stream stream_for_event(Runtime& runtime, DeviceType type) {
  const BackendRef backend = backend_of(runtime, type);
  const Device device = backend->get_device();
  return backend->get_stream(device);
}

Event::Event(Runtime& runtime, DeviceType type, int flag)
    : runtime_(&runtime), backend_(backend_of(runtime, type)), type_(type), flag_(flag) {}

Event::~Event() {
  if (handle_ != 0) backend_->destroy_event(handle_, index_);
}

Event::Event(Event&& other) noexcept
    : runtime_(other.runtime_),
      backend_(other.backend_),
      type_(other.type_),
      flag_(other.flag_),
      handle_(std::exchange(other.handle_, 0)),
      index_(other.index_),
      recorded_(other.recorded_) {
  if (!move_empties(*runtime_)) return;
  other.index_ = -1;
  other.recorded_ = false;
}

Event& Event::operator=(Event&& other) noexcept {
  swap(other);
  return *this;
}

void Event::swap(Event& other) noexcept {
  std::swap(runtime_, other.runtime_);
  std::swap(backend_, other.backend_);
  std::swap(type_, other.type_);
  std::swap(flag_, other.flag_);
  std::swap(handle_, other.handle_);
  std::swap(index_, other.index_);
  std::swap(recorded_, other.recorded_);
}

void Event::record(const Stream& stream) {
  const Release release = runtime_->contract().release;
  check(stream.device.type == type_, [&] {
    return "Event device type " + upper_name_of(type_, release) +
           " does not match recording stream's device type " +
           upper_name_of(stream.device.type, release) + ".";
  });
  backend_->record(handle_, stream, {index_, flag_});
  recorded_ = true;
  index_ = stream.device.index;
}

void Event::record_once(const Stream& stream) {
  if (!recorded_) record(stream);
}

void Event::block(const Stream& stream) const {
  // EVT-011: precedes the checks of the stream.
  if (!recorded_) return;
  const Release release = runtime_->contract().release;
  check(stream.device.type == type_, [&] {
    return "Event device type " + upper_name_of(type_, release) +
           " does not match blocking stream's device type " +
           upper_name_of(stream.device.type, release) + ".";
  });
  if (recorded_) backend_->block(handle_, stream);
}

bool Event::query() const {
  if (!recorded_) return true;
  return backend_->query_event(handle_);
}

void Event::synchronize() const {
  check(runtime_->contract().release != Release::k1_13, ErrorKind::kNotImplemented,
        [] { return "a generic event cannot be waited for in 1.13"; });
  if (recorded_) backend_->sync_event(handle_);
}

// Elapsed time.

void Event::check_elapsed_of_2_4(const Event& other) const {
  check(other.recorded_, [] { return "other was not marked for recording."; });
  check(recorded_, [] { return "self was not marked for recording."; });
}

void Event::check_elapsed(const Event& other) const {
  const Contract& contract = runtime_->contract();
  check(contract.release != Release::k1_13, ErrorKind::kNotImplemented,
        [] { return "generic events have no time between them in 1.13"; });
  const bool is_old = contract.release == Release::k2_4;
  const bool has_record = recorded_ && other.recorded_;
  if (is_old) check_elapsed_of_2_4(other);
  check(type_ == other.type_, [&] {
    return "Event device type " + upper_name_of(type_, contract.release) +
           " does not match other's device type " + upper_name_of(other.type_, contract.release) +
           ".";
  });
  if (!is_old) {
    check_timing(has_timing() && other.has_timing());
    check_recorded(has_record, ErrorKind::kValue);
  }
  check_one_device(contract, index_, other.index_);
  if (!is_old) check_complete(query() && other.query());
}

double Event::elapsed_ms(const Event& other) const {
  check_elapsed(other);
  return backend_->elapsed_ms(handle_, other.handle_, index_);
}

}  // namespace assay::reference

// An event of any type of device.
#include "reference/runtime/event_generic.hpp"

#include <algorithm>
#include <cctype>
#include <string>
#include <utility>

#include "reference/core/error.hpp"
#include "reference/core/fault.hpp"
#include "reference/runtime/backend_registry.hpp"

namespace assay::reference {
namespace {

/// PyTorch's later releases leave the moved-from event marked as recorded: [DEV] of EVT-023.
bool move_empties(const Runtime& runtime) {
  const Contract& contract = runtime.contract();
  return (contract.strict() || contract.release == Release::k1_13) &&
         !fault("moved_from_event_stays_recorded");
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
  if (fault("event_without_stream_takes_the_default_one")) return {device, 0};
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
      flag_(fault("moved_event_loses_its_flag") ? 0 : other.flag_),
      handle_(std::exchange(other.handle_, 0)),
      index_(other.index_),
      recorded_(fault("moved_event_loses_its_record") ? false : other.recorded_) {
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
  if (!fault("assigned_event_keeps_its_flag")) std::swap(flag_, other.flag_);
  std::swap(handle_, other.handle_);
  if (!fault("assigned_event_keeps_its_device")) std::swap(index_, other.index_);
  if (!fault("assigned_event_keeps_its_record")) std::swap(recorded_, other.recorded_);
}

void Event::record(const Stream& stream) {
  const Release release = runtime_->contract().release;
  check(stream.device.type == type_ || fault("event_records_on_any_type"), [&] {
    return "Event device type " + upper_name_of(type_, release) +
           " does not match recording stream's device type " +
           upper_name_of(stream.device.type, release) + ".";
  });
  if (fault("failed_record_counts")) recorded_ = true;
  backend_->record(handle_, stream, {index_, flag_});
  recorded_ = true;
  index_ =
      fault("event_device_is_the_current_one") ? backend_->get_device().index : stream.device.index;
}

void Event::record_once(const Stream& stream) {
  if (!recorded_ || fault("record_once_records_again")) record(stream);
}

void Event::block(const Stream& stream) const {
  // Before any look at the stream (EVT-011).
  if (!recorded_ && !fault("block_looks_at_the_stream_first")) return;
  const Release release = runtime_->contract().release;
  check(stream.device.type == type_ || fault("event_blocks_any_type"), [&] {
    return "Event device type " + upper_name_of(type_, release) +
           " does not match blocking stream's device type " +
           upper_name_of(stream.device.type, release) + ".";
  });
  if (recorded_) backend_->block(handle_, stream);
}

bool Event::query() const {
  if (!recorded_) return !fault("empty_event_is_not_ready");
  return backend_->query_event(handle_);
}

void Event::synchronize() const {
  check(runtime_->contract().release != Release::k1_13, ErrorKind::kNotImplemented,
        [] { return "a generic event cannot be waited for in 1.13"; });
  if (recorded_) backend_->sync_event(handle_);
}

}  // namespace assay::reference

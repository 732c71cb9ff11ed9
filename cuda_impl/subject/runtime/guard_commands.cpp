// Area runtime: guards.
#include <memory>
#include <variant>

#include "cuda_impl/runtime/guards.hpp"
#include "cuda_impl/subject/call.hpp"
#include "cuda_impl/subject/runtime/arguments.hpp"

namespace assay::cuda {
namespace {

/// A named guard; leaving destroys it.
class NamedGuard final : public Guard {
 public:
  using Held = std::variant<std::unique_ptr<DeviceGuard>, std::unique_ptr<OptionalDeviceGuard>,
                            std::unique_ptr<StreamGuard>, std::unique_ptr<OptionalStreamGuard>,
                            std::unique_ptr<MultiStreamGuard>>;
  explicit NamedGuard(Held held) : held_(std::move(held)) {}

  void leave() override {
    std::visit([](auto& guard) { guard.reset(); }, held_);
  }
  /// Null for another kind of guard, and after leaving.
  template <typename Sort>
  Sort* as() const {
    const auto* const held = std::get_if<std::unique_ptr<Sort>>(&held_);
    return held == nullptr ? nullptr : held->get();
  }

 private:
  Held held_;
};

void give(Call& call, NamedGuard::Held held) {
  std::shared_ptr<Guard> guard = std::make_shared<NamedGuard>(std::move(held));
  call.result(Object(std::move(guard), "guard"));
}

std::optional<DeviceKind> of_argument(Call& call) {
  if (!call.has("of")) return std::nullopt;
  return kind_argument(call, "of");
}

/// Its name keeps it alive during the command.
const NamedGuard& guard_argument(Call& call) {
  const auto guard = std::dynamic_pointer_cast<NamedGuard>(call.held<Guard>("guard", "guard"));
  if (guard == nullptr)
    throw InvalidArgument(call.command().verb + ": that is another sort of guard");
  return *guard;
}

[[noreturn]] void lacks(Call& call) {
  throw NotSupported("that guard has no " + call.command().verb);
}

/// Null if the guard has none or is empty.
const StreamGuard* streams_of(const NamedGuard& guard) {
  if (const auto* const plain = guard.as<StreamGuard>()) return plain;
  const auto* const optional = guard.as<OptionalStreamGuard>();
  return optional != nullptr && optional->guard() ? &*optional->guard() : nullptr;
}

const DeviceGuard* devices_of(const NamedGuard& guard) {
  if (const auto* const plain = guard.as<DeviceGuard>()) return plain;
  const auto* const optional = guard.as<OptionalDeviceGuard>();
  return optional != nullptr && optional->guard() ? &*optional->guard() : nullptr;
}

template <typename Sort>
void show_devices(Call& call, const Sort* guard) {
  if (guard == nullptr) return;
  call.set("original_device", to_waist(guard->original_device(), call.release()));
  call.set("current_device", to_waist(guard->current_device(), call.release()));
}

}  // namespace

void runtime_device_guard(Call& call) {
  const Device device = call.device_as_given("device");
  const bool is_virtual = call.arguments().boolean("virtual", false);
  const bool is_index = call.arguments().boolean("index", false);
  const DeviceKind type = of_argument(call).value_or(device.kind);
  if (is_virtual && is_index) throw InvalidArgument("a bare index has no backend to look up");
  if (is_virtual) return give(call, std::make_unique<DeviceGuard>(device));
  give(call, std::make_unique<DeviceGuard>(type, is_index ? Device{type, device.index} : device));
}

void runtime_optional_device_guard(Call& call) {
  std::optional<Device> device;
  if (!call.is_none("device")) device = call.device_as_given("device");
  give(call, std::make_unique<OptionalDeviceGuard>(of_argument(call), device));
}

void runtime_stream_guard(Call& call) {
  give(call, std::make_unique<StreamGuard>(stream_argument(call)));
}

void runtime_optional_stream_guard(Call& call) {
  give(call, std::make_unique<OptionalStreamGuard>(stream_or_none(call)));
}

void runtime_multi_stream_guard(Call& call) {
  give(call, std::make_unique<MultiStreamGuard>(streams_argument(call, "streams")));
}

void runtime_guard_set_device(Call& call) {
  const NamedGuard& guard = guard_argument(call);
  const Device device = call.device_as_given("device");
  auto* const plain = guard.as<DeviceGuard>();
  if (plain != nullptr && plain->is_static()) return plain->set_device(device);
  if (auto* const optional = guard.as<OptionalDeviceGuard>()) return optional->set_device(device);
  lacks(call);
}

void runtime_guard_reset_device(Call& call) {
  const NamedGuard& guard = guard_argument(call);
  const Device device = call.device_as_given("device");
  if (auto* const plain = guard.as<DeviceGuard>()) return plain->reset_device(device);
  if (auto* const optional = guard.as<OptionalDeviceGuard>()) return optional->reset_device(device);
  lacks(call);
}

void runtime_guard_set_index(Call& call) {
  const NamedGuard& guard = guard_argument(call);
  const int index = int_argument(call, "index", 0);
  if (auto* const plain = guard.as<DeviceGuard>()) return plain->set_index(index);
  auto* const optional = guard.as<OptionalDeviceGuard>();
  if (optional != nullptr && optional->is_static()) return optional->set_index(index);
  lacks(call);
}

void runtime_guard_reset_stream(Call& call) {
  const NamedGuard& guard = guard_argument(call);
  const Stream stream = stream_argument(call);
  if (auto* const plain = guard.as<StreamGuard>()) return plain->reset_stream(stream);
  if (auto* const optional = guard.as<OptionalStreamGuard>()) return optional->reset_stream(stream);
  lacks(call);
}

void runtime_guard_reset(Call& call) {
  const NamedGuard& guard = guard_argument(call);
  if (auto* const device = guard.as<OptionalDeviceGuard>()) return device->reset();
  if (auto* const stream = guard.as<OptionalStreamGuard>()) return stream->reset();
  lacks(call);
}

void runtime_guard_info(Call& call) {
  const NamedGuard& guard = guard_argument(call);
  for (const char* const name :
       {"original_device", "current_device", "original_stream", "current_stream"}) {
    call.set(name, Value());
  }
  show_devices(call, devices_of(guard));
  const StreamGuard* const streams = streams_of(guard);
  show_devices(call, streams);
  if (streams == nullptr) return;
  call.set("original_stream", value_of(streams->original_stream()));
  call.set("current_stream", value_of(streams->current_stream()));
}

}  // namespace assay::cuda

// Area runtime: guards.
#include <memory>
#include <utility>
#include <variant>

#include "reference/runtime/guards/stream.hpp"
#include "reference/subject/call.hpp"
#include "reference/subject/runtime/arguments.hpp"

namespace assay::reference {

// Runtime guards that clients hold by name.

/// A client's guard; leaving it ends the scope.
class RuntimeGuard final : public Guard {
 public:
  using Held =
      std::variant<std::unique_ptr<BackendDeviceGuard>, std::unique_ptr<OptionalDeviceGuard>,
                   std::unique_ptr<StreamGuard>, std::unique_ptr<OptionalStreamGuard>,
                   std::unique_ptr<MultiStreamGuard>>;

  explicit RuntimeGuard(Held held) : held_(std::move(held)) {}

  void leave() override {
    std::visit([](auto& guard) { guard.reset(); }, held_);
  }
  /// Null for another kind of guard, and after the scope.
  template <typename T>
  T* as() const {
    const auto* found = std::get_if<std::unique_ptr<T>>(&held_);
    return found == nullptr ? nullptr : found->get();
  }

 private:
  Held held_;
};

template <typename T, typename... Arguments>
void give_guard(Call& call, Arguments&&... arguments) {
  auto made = std::make_unique<T>(call.runtime(), std::forward<Arguments>(arguments)...);
  std::shared_ptr<Guard> guard = std::make_shared<RuntimeGuard>(std::move(made));
  call.result(Object(std::move(guard), "guard"));
}

namespace {

std::optional<DeviceType> of_argument(Call& call) {
  if (!call.has("of")) return std::nullopt;
  return device_type_argument(call, call.arguments().text("of"));
}

/// The name keeps it alive while the command runs.
RuntimeGuard& guard_argument(Call& call) {
  const auto guard = std::dynamic_pointer_cast<RuntimeGuard>(call.held<Guard>("guard", "guard"));
  if (guard == nullptr) throw InvalidArgument("that guard is of another area");
  return *guard;
}

[[noreturn]] void lacks(const char* what) {
  throw NotSupported("that guard, or what is left of it, has no " + std::string(what));
}

struct GuardInfo {
  std::optional<Device> original_device = {};
  std::optional<Device> current_device = {};
  std::optional<Stream> original_stream = {};
  std::optional<Stream> current_stream = {};
};

GuardInfo info_of(const StreamGuard& guard) {
  return {guard.original_device(), guard.current_device(), guard.original_stream(),
          guard.current_stream()};
}

GuardInfo info_of(const RuntimeGuard& guard) {
  if (const auto* plain = guard.as<BackendDeviceGuard>()) {
    return {plain->original_device(), plain->current_device()};
  }
  if (const auto* optional = guard.as<OptionalDeviceGuard>()) {
    return {optional->original_device(), optional->current_device()};
  }
  if (const auto* stream = guard.as<StreamGuard>()) return info_of(*stream);
  const auto* optional = guard.as<OptionalStreamGuard>();
  if (optional != nullptr && optional->guard() != nullptr) return info_of(*optional->guard());
  return {};
}

}  // namespace

void runtime_device_guard(Call& call) {
  const Device device = call.device("device");
  const std::optional<DeviceType> of = of_argument(call);
  const bool is_virtual = call.arguments().boolean("virtual", false);
  const bool by_index = call.arguments().boolean("index", false);
  if (is_virtual && by_index) throw InvalidArgument("a virtual guard is not made of an index");
  if (is_virtual) return give_guard<BackendDeviceGuard>(call, device);
  const DeviceType type = of.value_or(device.type);
  give_guard<BackendDeviceGuard>(call, type, by_index ? Device{type, device.index} : device);
}

void runtime_optional_device_guard(Call& call) {
  give_guard<OptionalDeviceGuard>(call, of_argument(call), call.device_or_none("device"));
}

void runtime_stream_guard(Call& call) { give_guard<StreamGuard>(call, stream_argument(call)); }

void runtime_optional_stream_guard(Call& call) {
  give_guard<OptionalStreamGuard>(call, stream_or_none(call));
}

void runtime_multi_stream_guard(Call& call) {
  std::vector<Stream> streams;
  for (const Value& item : call.arguments().items("streams")) {
    const auto* ref = item.get_if<Ref>();
    const Object object = ref == nullptr ? Object{} : call.names().get(ref->name);
    if (!object.is<Stream>()) throw InvalidArgument("streams must be references to streams");
    streams.push_back(*object.as<Stream>());
  }
  give_guard<MultiStreamGuard>(call, streams);
}

void runtime_guard_set_device(Call& call) {
  const RuntimeGuard& guard = guard_argument(call);
  const Device device = call.device("device");
  auto* plain = guard.as<BackendDeviceGuard>();
  if (plain != nullptr && plain->binding() == Binding::kStatic) return plain->set_device(device);
  if (auto* optional = guard.as<OptionalDeviceGuard>()) return optional->set_device(device);
  lacks("set_device");
}

void runtime_guard_reset_device(Call& call) {
  const RuntimeGuard& guard = guard_argument(call);
  const Device device = call.device("device");
  if (auto* plain = guard.as<BackendDeviceGuard>()) return plain->reset_device(device);
  if (auto* optional = guard.as<OptionalDeviceGuard>()) return optional->reset_device(device);
  lacks("reset_device");
}

void runtime_guard_set_index(Call& call) {
  const RuntimeGuard& guard = guard_argument(call);
  const int index = call.arguments().int32("index");
  if (auto* plain = guard.as<BackendDeviceGuard>()) return plain->set_index(index);
  auto* optional = guard.as<OptionalDeviceGuard>();
  if (optional != nullptr && optional->is_static()) return optional->set_index(index);
  lacks("set_index");
}

void runtime_guard_reset_stream(Call& call) {
  const RuntimeGuard& guard = guard_argument(call);
  const Stream stream = stream_argument(call);
  if (auto* plain = guard.as<StreamGuard>()) return plain->reset_stream(stream);
  if (auto* optional = guard.as<OptionalStreamGuard>()) return optional->reset_stream(stream);
  lacks("reset_stream");
}

void runtime_guard_reset(Call& call) {
  const RuntimeGuard& guard = guard_argument(call);
  if (auto* device = guard.as<OptionalDeviceGuard>()) return device->reset();
  if (auto* stream = guard.as<OptionalStreamGuard>()) return stream->reset();
  lacks("reset");
}

void runtime_guard_info(Call& call) {
  const GuardInfo found = info_of(guard_argument(call));
  const auto device = [&](const std::optional<Device>& of) {
    return of ? Value(to_protocol(call.runtime(), *of)) : Value();
  };
  const auto stream = [&](const std::optional<Stream>& of) {
    return of ? stream_value(call, *of) : Value();
  };
  call.set("original_device", device(found.original_device));
  call.set("current_device", device(found.current_device));
  call.set("original_stream", stream(found.original_stream));
  call.set("current_stream", stream(found.current_stream));
}

}  // namespace assay::reference

// Area runtime: PyTorch's device and stream guards.
#include <c10/core/DeviceGuard.h>
#include <c10/core/StreamGuard.h>
#include <c10/core/impl/InlineDeviceGuard.h>

#include <concepts>

#include "harness/adapters/libtorch/backends.hpp"
#include "harness/adapters/libtorch/command_table.hpp"
#include "harness/adapters/libtorch/runtime/arguments.hpp"
#include "harness/adapters/libtorch/tensors.hpp"

namespace assay::libtorch {
namespace {

Value shown(c10::Device device) { return to_waist(device); }
Value shown(const c10::Stream& stream) { return stream_value(stream); }
template <typename T>
Value shown(const c10::optional<T>& held) {
  return held ? shown(*held) : Value();
}

[[noreturn]] void lacks(const char* what) {
  throw NotSupported("this guard of PyTorch has ended, or has no " + std::string(what));
}

/// Any PyTorch guard; functions that its class lacks are unsupported.
class AnyGuard : public Guard {
 public:
  virtual void set_device(c10::Device device) = 0;
  virtual void reset_device(c10::Device device) = 0;
  virtual void set_index(c10::DeviceIndex index) = 0;
  virtual void reset_stream(const c10::Stream& stream) = 0;
  virtual void reset() = 0;
  virtual void tell(Call& call) const = 0;
};

template <typename T>
class GuardOf final : public AnyGuard {
 public:
  template <typename... A>
  explicit GuardOf(A&&... arguments) : held_(std::in_place, std::forward<A>(arguments)...) {}

  void leave() override { held_.reset(); }

  void set_device(c10::Device device) override {
    if constexpr (requires(T & guard) { guard.set_device(device); }) {
      if (held_) return held_->set_device(device);
    }
    lacks("set_device");
  }
  void reset_device(c10::Device device) override {
    if constexpr (requires(T & guard) { guard.reset_device(device); }) {
      if (held_) return held_->reset_device(device);
    }
    lacks("reset_device");
  }
  void set_index(c10::DeviceIndex index) override {
    if constexpr (requires(T & guard) { guard.set_index(index); }) {
      if (held_) return held_->set_index(index);
    }
    lacks("set_index");
  }
  void reset_stream(const c10::Stream& stream) override {
    if constexpr (requires(T & guard) { guard.reset_stream(stream); }) {
      if (held_) return static_cast<void>(held_->reset_stream(stream));
    }
    lacks("reset_stream");
  }
  void reset() override {
    if constexpr (requires(T & guard) { guard.reset(); }) {
      if (held_) return held_->reset();
    }
    lacks("reset");
  }

  void tell(Call& call) const override {
    Value devices[2];
    Value streams[2];
    if (held_) read(*held_, devices, streams);
    call.set("original_device", devices[0]);
    call.set("current_device", devices[1]);
    call.set("original_stream", streams[0]);
    call.set("current_stream", streams[1]);
  }

 private:
  static void read(const T& guard, Value* devices, Value* streams) {
    if constexpr (requires { guard.original_device(); }) {
      devices[0] = shown(guard.original_device());
      devices[1] = shown(guard.current_device());
    }
    if constexpr (std::same_as<T, c10::OptionalStreamGuard>) {
      // It has no device getters: these are its streams' devices.
      if (guard.original_stream()) devices[0] = shown(guard.original_stream()->device());
      if (guard.current_stream()) devices[1] = shown(guard.current_stream()->device());
    }
    if constexpr (requires { guard.original_stream(); }) {
      streams[0] = shown(guard.original_stream());
      streams[1] = shown(guard.current_stream());
    }
  }

  std::optional<T> held_;
};

template <typename T, typename... A>
void give_guard(Call& call, A&&... arguments) {
  std::shared_ptr<Guard> guard = std::make_shared<GuardOf<T>>(std::forward<A>(arguments)...);
  call.result(Object(std::move(guard), "guard"));
}

/// Calls `make` with the backend of that type, as needed by guards for a single device type.
template <typename Make>
void with_static_backend(c10::DeviceType type, const Make& make) {
  if (type == c10::DeviceType::HIP) return make(StaticBackend<c10::DeviceType::HIP>());
  if (type == c10::DeviceType::XPU) return make(StaticBackend<c10::DeviceType::XPU>());
  if (type == c10::DeviceType::CPU) return make(StaticBackend<c10::DeviceType::CPU>());
  throw NotSupported("a guard for " + c10::DeviceTypeName(type, true) + " is not compiled in");
}

c10::DeviceType of_argument(Call& call, c10::DeviceType otherwise) {
  return call.has("of") ? device_type_named(call.arguments().text("of")) : otherwise;
}

std::shared_ptr<AnyGuard> guard_argument(Call& call) {
  const auto guard = std::dynamic_pointer_cast<AnyGuard>(call.held<Guard>("guard", "guard"));
  if (guard == nullptr) throw InvalidArgument("that guard is of another area");
  return guard;
}

}  // namespace

void runtime_device_guard(Call& call) {
  const c10::Device device = device_argument(call);
  const bool by_index = call.arguments().boolean("index", false);
  if (call.arguments().boolean("virtual", false)) {
    if (by_index) throw InvalidArgument("a virtual guard takes a device, not an index");
    return give_guard<c10::DeviceGuard>(call, device);
  }
  with_static_backend(of_argument(call, device.type()), [&](auto backend) {
    using Made = c10::impl::InlineDeviceGuard<decltype(backend)>;
    if (by_index) return give_guard<Made>(call, device.index());
    give_guard<Made>(call, device);
  });
}

void runtime_optional_device_guard(Call& call) {
  c10::optional<c10::Device> device;
  const Value* given = call.arguments().optional("device");
  if (given != nullptr && !given->is_none()) device = device_argument(call);
  // c10::OptionalDeviceGuard is the same with fewer accessors.
  using Virtual = c10::impl::InlineOptionalDeviceGuard<c10::impl::VirtualGuardImpl>;
  if (!call.has("of")) return give_guard<Virtual>(call, device);
  with_static_backend(of_argument(call, c10::DeviceType::CPU), [&](auto backend) {
    give_guard<c10::impl::InlineOptionalDeviceGuard<decltype(backend)>>(call, device);
  });
}

void runtime_stream_guard(Call& call) {
  const c10::Stream stream = stream_argument(call);
  // GRD-022
  if (stream.device_index() < 0) throw NotSupported("PyTorch would use the stream of device -1");
  give_guard<c10::StreamGuard>(call, stream);
}

void runtime_optional_stream_guard(Call& call) {
  c10::optional<c10::Stream> stream;
  const Value* given = call.arguments().optional("stream");
  if (given != nullptr && !given->is_none()) stream = stream_argument(call);
  give_guard<c10::OptionalStreamGuard>(call, stream);
}

void runtime_multi_stream_guard(Call& call) {
  std::vector<c10::Stream> streams;
  for (const Value& item : call.arguments().items("streams")) {
    const auto* ref = item.get_if<Ref>();
    const Object object = ref == nullptr ? Object{} : call.names().get(ref->name);
    if (!object.is<c10::Stream>()) throw InvalidArgument("streams must be references to streams");
    streams.push_back(*object.as<c10::Stream>());
  }
  give_guard<c10::MultiStreamGuard>(call, at::ArrayRef<c10::Stream>(streams));
}

void runtime_guard_set_device(Call& call) {
  guard_argument(call)->set_device(device_argument(call));
}

void runtime_guard_reset_device(Call& call) {
  guard_argument(call)->reset_device(device_argument(call));
}

void runtime_guard_set_index(Call& call) {
  const auto index = static_cast<c10::DeviceIndex>(call.arguments().integer("index"));
  guard_argument(call)->set_index(index);
}

void runtime_guard_reset_stream(Call& call) {
  guard_argument(call)->reset_stream(stream_argument(call));
}

void runtime_guard_reset(Call& call) { guard_argument(call)->reset(); }

void runtime_guard_info(Call& call) { guard_argument(call)->tell(call); }

}  // namespace assay::libtorch

// Area runtime: stream values, sources of streams, backends and their current device.
#include <charconv>
#include <functional>
#include <sstream>

#include "harness/adapters/libtorch/backends.hpp"
#include "harness/adapters/libtorch/command_table.hpp"
#include "harness/adapters/libtorch/release.hpp"
#include "harness/adapters/libtorch/runtime/arguments.hpp"
#include "harness/adapters/libtorch/runtime/event.hpp"
#include "harness/adapters/libtorch/tensors.hpp"

namespace assay::libtorch {
namespace {

c10::DeviceType type_argument(Call& call) {
  return device_type_named(call.arguments().text("type"));
}

}  // namespace

void runtime_stream(Call& call) {
  const c10::Device device = device_argument(call);
  give_stream(call, c10::Stream(c10::Stream::UNSAFE, device, call.arguments().integer("id")));
}

void runtime_stream_info(Call& call) {
  const c10::Stream asked = stream_argument(call);
  expect_printable(asked);
  std::ostringstream text;
  text << asked;
  call.set("device", to_waist(asked.device()));
  call.set("id", asked.id());
  call.set("hash", sixteen_digits(std::hash<c10::Stream>{}(asked)));
  call.set("text", text.str());
}

void runtime_pack(Call& call) { give_packed(call, stream_argument(call)); }

void runtime_unpack(Call& call) { give_stream(call, unpacked_argument(call)); }

void runtime_equal(Call& call) {
  const Object a = call.object("a");
  const Object b = call.object("b");
  const bool are_streams = a.is<c10::Stream>() && b.is<c10::Stream>();
  call.result(Value(are_streams && *a.as<c10::Stream>() == *b.as<c10::Stream>()));
}

void runtime_query(Call& call) {
  const Object object = call.object("object");
  if (object.is<c10::Stream>()) return call.result(Value(object.as<c10::Stream>()->query()));
  call.result(Value(event_argument(call, "object").event.query()));
}

void runtime_synchronize(Call& call) {
  const Object object = call.object("object");
  if (object.is<c10::Stream>()) return object.as<c10::Stream>()->synchronize();
  wait_on_host(event_argument(call, "object").event);
}

void runtime_wait(Call& call) {
  const NamedEvent& asked = event_argument(call, "event");
  stream_argument(call).wait(asked.event);
}

void runtime_default_stream(Call& call) {
  const c10::Device device = device_argument(call);
  give_stream(call, backend_of(device.type())->getDefaultStream(device));
}

void runtime_current_stream(Call& call) {
  const c10::Device device = device_argument(call);
  give_stream(call, backend_of(device.type())->getStream(device));
}

void runtime_set_current_stream(Call& call) {
  const c10::Stream stream = stream_argument(call);
  backend_of(stream.device_type())->exchangeStream(stream);
}

void runtime_exchange_stream(Call& call) {
  const c10::Stream stream = stream_argument(call);
  give_stream(call, backend_of(stream.device_type())->exchangeStream(stream));
}

void runtime_pool_stream(Call& call) {
  const c10::Device device = device_argument(call);
  const bool is_high = call.arguments().boolean("high", false);
  give_stream(call, backend_of(device.type())->getStreamFromGlobalPool(device, is_high));
}

void runtime_new_stream(Call& call) {
  const c10::Device device = device_argument(call);
  const auto priority = static_cast<int>(call.arguments().integer("priority", 0));
  give_stream(call, libtorch::new_stream(*backend_of(device.type()), device, priority));
}

void runtime_device_count(Call& call) {
  if (!call.has("type")) throw NotSupported("this PyTorch has no CUDA");
  call.result(Value(std::int64_t{backend_of(type_argument(call))->deviceCount()}));
}

void runtime_get_device(Call& call) {
  call.result(Value(to_waist(backend_of(type_argument(call))->getDevice())));
}

void runtime_exchange_device(Call& call) {
  const c10::Device device = device_argument(call);
  call.result(Value(to_waist(backend_of(device.type())->exchangeDevice(device))));
}

void runtime_set_device(Call& call) {
  const c10::Device device = device_argument(call);
  const auto* backend = backend_of(device.type());
  if (call.arguments().boolean("unchecked", false)) return backend->uncheckedSetDevice(device);
  backend->setDevice(device);
}

void runtime_backend(Call& call) {
  add_backend(type_argument(call), call.arguments().text("kind", "logging"),
              static_cast<int>(call.arguments().integer("devices", 8)));
}

void runtime_has_backend(Call& call) {
  call.result(Value(c10::impl::hasDeviceGuardImpl(type_argument(call))));
}

void sim_log(Call& call) {
  if (call.arguments().text("level", "driver") != "backend") {
    throw NotSupported("this build of PyTorch has no device whose driver calls can be logged");
  }
  List list;
  for (std::string& text : take_backend_log()) list.items.emplace_back(std::move(text));
  call.result(Value(std::move(list)));
}

std::string sixteen_digits(std::uint64_t value) {
  char digits[16];
  const auto [end, error] = std::to_chars(digits, digits + 16, value, 16);
  const std::string text(digits, end);
  return std::string(16 - text.size(), '0') + text;
}

c10::Stream stream_argument(Call& call, std::string_view name) {
  return *call.held<c10::Stream>(name, "stream");
}

c10::Device device_argument(Call& call, std::string_view name) {
  if (!call.has(name)) throw NotSupported("this PyTorch has no CUDA");
  return to_torch(call.arguments().device(name));
}

void give_stream(Call& call, const c10::Stream& stream) {
  call.result(Object(std::make_shared<c10::Stream>(stream), "stream"));
  call.set("device", to_waist(stream.device()));
  call.set("id", stream.id());
}

Value stream_value(const c10::Stream& stream) {
  Dict dict;
  dict.items.emplace_back("device", to_waist(stream.device()));
  dict.items.emplace_back("id", stream.id());
  return dict;
}

const c10::impl::DeviceGuardImplInterface* backend_of(c10::DeviceType type) {
  return c10::impl::getDeviceGuardImpl(type);
}

}  // namespace assay::libtorch

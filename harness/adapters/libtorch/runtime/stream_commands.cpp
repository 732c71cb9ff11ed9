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

void stream(Call& call) {
  const c10::Device device = device_argument(call);
  give_stream(call, c10::Stream(c10::Stream::UNSAFE, device, call.arguments().integer("id")));
}

void stream_info(Call& call) {
  const c10::Stream asked = stream_argument(call);
  expect_printable(asked);
  std::ostringstream text;
  text << asked;
  call.set("device", to_waist(asked.device()));
  call.set("id", asked.id());
  call.set("hash", sixteen_digits(std::hash<c10::Stream>{}(asked)));
  call.set("text", text.str());
}

void pack(Call& call) { give_packed(call, stream_argument(call)); }
void unpack(Call& call) { give_stream(call, unpacked_argument(call)); }

void equal(Call& call) {
  const Object a = call.object("a");
  const Object b = call.object("b");
  const bool are_streams = a.is<c10::Stream>() && b.is<c10::Stream>();
  call.result(Value(are_streams && *a.as<c10::Stream>() == *b.as<c10::Stream>()));
}

void query(Call& call) {
  const Object object = call.object("object");
  if (object.is<c10::Stream>()) return call.result(Value(object.as<c10::Stream>()->query()));
  call.result(Value(event_argument(call, "object").event.query()));
}

void synchronize(Call& call) {
  const Object object = call.object("object");
  if (object.is<c10::Stream>()) return object.as<c10::Stream>()->synchronize();
  wait_on_host(event_argument(call, "object").event);
}

void wait(Call& call) {
  const NamedEvent& asked = event_argument(call, "event");
  stream_argument(call).wait(asked.event);
}

void default_stream(Call& call) {
  const c10::Device device = device_argument(call);
  give_stream(call, backend_of(device.type())->getDefaultStream(device));
}

void current_stream(Call& call) {
  const c10::Device device = device_argument(call);
  give_stream(call, backend_of(device.type())->getStream(device));
}

void set_current_stream(Call& call) {
  const c10::Stream stream = stream_argument(call);
  backend_of(stream.device_type())->exchangeStream(stream);
}

void exchange_stream(Call& call) {
  const c10::Stream stream = stream_argument(call);
  give_stream(call, backend_of(stream.device_type())->exchangeStream(stream));
}

void pool_stream(Call& call) {
  const c10::Device device = device_argument(call);
  const bool is_high = call.arguments().boolean("high", false);
  give_stream(call, backend_of(device.type())->getStreamFromGlobalPool(device, is_high));
}

void new_stream(Call& call) {
  const c10::Device device = device_argument(call);
  const auto priority = static_cast<int>(call.arguments().integer("priority", 0));
  give_stream(call, libtorch::new_stream(*backend_of(device.type()), device, priority));
}

// -- devices

c10::DeviceType type_argument(Call& call) {
  return device_type_named(call.arguments().text("type"));
}

void device_count(Call& call) {
  if (!call.has("type")) throw NotSupported("this PyTorch has no CUDA");
  call.result(Value(std::int64_t{backend_of(type_argument(call))->deviceCount()}));
}

void get_device(Call& call) {
  call.result(Value(to_waist(backend_of(type_argument(call))->getDevice())));
}

void exchange_device(Call& call) {
  const c10::Device device = device_argument(call);
  call.result(Value(to_waist(backend_of(device.type())->exchangeDevice(device))));
}

void set_device(Call& call) {
  const c10::Device device = device_argument(call);
  const auto* backend = backend_of(device.type());
  if (call.arguments().boolean("unchecked", false)) return backend->uncheckedSetDevice(device);
  backend->setDevice(device);
}

void backend(Call& call) {
  add_backend(type_argument(call), call.arguments().text("kind", "logging"),
              static_cast<int>(call.arguments().integer("devices", 8)));
}

void has_backend(Call& call) {
  call.result(Value(c10::impl::hasDeviceGuardImpl(type_argument(call))));
}

void log(Call& call) {
  if (call.arguments().text("level", "driver") != "backend") {
    throw NotSupported("this PyTorch has no device whose driver could be watched");
  }
  List list;
  for (std::string& text : take_backend_log()) list.items.emplace_back(std::move(text));
  call.result(Value(std::move(list)));
}

}  // namespace

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
  call.result(Object::of(std::make_shared<c10::Stream>(stream), "stream"));
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

void add_runtime_stream_commands(CommandTable& table) {
  table.add("runtime.stream", stream);
  table.add("runtime.stream_info", stream_info);
  table.add("runtime.pack", pack);
  table.add("runtime.unpack", unpack);
  table.add("runtime.equal", equal);
  table.add("runtime.query", query);
  table.add("runtime.synchronize", synchronize);
  table.add("runtime.wait", wait);
  table.add("runtime.default_stream", default_stream);
  table.add("runtime.current_stream", current_stream);
  table.add("runtime.set_current_stream", set_current_stream);
  table.add("runtime.exchange_stream", exchange_stream);
  table.add("runtime.pool_stream", pool_stream);
  table.add("runtime.new_stream", new_stream);
  table.add("runtime.device_count", device_count);
  table.add("runtime.get_device", get_device);
  table.add("runtime.exchange_device", exchange_device);
  table.add("runtime.set_device", set_device);
  table.add("runtime.backend", backend);
  table.add("runtime.has_backend", has_backend);
  table.add("sim.log", log);
}

}  // namespace assay::libtorch

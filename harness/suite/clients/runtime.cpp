// The typed calls of the area runtime for streams, work and failures.
#include "harness/suite/clients/runtime.hpp"

#include "harness/suite/clients/dispatch_fields.hpp"

namespace assay {
namespace {

Fields with_device(const std::optional<Device>& device) {
  Fields with;
  set_if(with, "device", device);
  return with;
}

List ints_of(const std::vector<std::int64_t>& numbers) {
  List list;
  for (const std::int64_t number : numbers) list.items.emplace_back(number);
  return list;
}

template <typename T>
std::optional<T> shown(const Reply& reply, std::string_view name) {
  const Value* value = reply.ok.find(name);
  const T* held = value == nullptr ? nullptr : value->get_if<T>();
  return held == nullptr ? std::nullopt : std::optional(*held);
}

}  // namespace

RuntimeClient Session::runtime() { return RuntimeClient(*this); }

StreamObject RuntimeClient::make_stream(std::string verb, Fields with) const {
  std::string name = session_->fresh_name("stream");
  const Reply reply = session_->send(std::move(verb), std::move(with), name);
  return {*session_, std::move(name), session_->recording() ? StreamValue() : stream_from(reply)};
}

std::int64_t RuntimeClient::device_count(const std::optional<std::string>& type,
                                         std::optional<bool> ensure) const {
  Fields with;
  set_if(with, "type", type);
  set_if(with, "ensure", ensure);
  return session_->read<std::int64_t>("runtime.device_count", std::move(with));
}

Device RuntimeClient::get_device(const std::string& type) const {
  return session_->read<Device>("runtime.get_device", {{"type", type}});
}

Device RuntimeClient::exchange_device(const Device& device) const {
  return session_->read<Device>("runtime.exchange_device", {{"device", device}});
}

void RuntimeClient::set_device(const Device& device, std::optional<bool> unchecked) const {
  Fields with{{"device", device}};
  set_if(with, "unchecked", unchecked);
  session_->send("runtime.set_device", std::move(with));
}

void RuntimeClient::synchronize_device(const std::optional<Device>& device) const {
  session_->send("runtime.synchronize_device", with_device(device));
}

void RuntimeClient::sync_debug_mode(const std::string& mode) const {
  session_->send("runtime.sync_debug_mode", {{"mode", mode}});
}

StreamObject RuntimeClient::stream(const Device& device, std::int64_t id) const {
  return make_stream("runtime.stream", {{"device", device}, {"id", id}});
}

StreamObject RuntimeClient::default_stream(const std::optional<Device>& device) const {
  return make_stream("runtime.default_stream", with_device(device));
}

StreamObject RuntimeClient::current_stream(const std::optional<Device>& device) const {
  return make_stream("runtime.current_stream", with_device(device));
}

void RuntimeClient::set_current_stream(const Value& stream) const {
  session_->send("runtime.set_current_stream", {{"stream", stream}});
}

StreamObject RuntimeClient::exchange_stream(const Value& stream) const {
  return make_stream("runtime.exchange_stream", {{"stream", stream}});
}

StreamObject RuntimeClient::pool_stream(const PoolStreamOptions& options) const {
  Fields with = with_device(options.device);
  set_if(with, "priority", options.priority);
  set_if(with, "high", options.high);
  set_if(with, "non_capturing", options.non_capturing);
  return make_stream("runtime.pool_stream", std::move(with));
}

StreamObject RuntimeClient::new_stream(const Device& device,
                                       std::optional<std::int64_t> priority) const {
  Fields with{{"device", device}};
  set_if(with, "priority", priority);
  return make_stream("runtime.new_stream", std::move(with));
}

RawStream RuntimeClient::raw_stream(const RawStreamOptions& options) const {
  Fields with = with_device(options.device);
  set_if(with, "blocking", options.blocking);
  set_if(with, "priority", options.priority);
  std::string name = session_->fresh_name("stream");
  const Reply reply = session_->send("runtime.raw_stream", std::move(with), name);
  if (session_->recording()) return {{*session_, std::move(name), {}}, 0};
  return {{*session_, std::move(name), stream_from(reply)},
          field_as<std::int64_t>(reply, "handle")};
}

void RuntimeClient::destroy_raw_stream(const Value& stream) const {
  session_->send("runtime.destroy_raw_stream", {{"stream", stream}});
}

StreamObject RuntimeClient::external_stream(std::int64_t handle, const Device& device) const {
  return make_stream("runtime.external_stream", {{"handle", handle}, {"device", device}});
}

StreamObject RuntimeClient::wrap(const Value& stream, std::optional<bool> unchecked) const {
  Fields with{{"stream", stream}};
  set_if(with, "unchecked", unchecked);
  return make_stream("runtime.wrap", std::move(with));
}

PriorityRange RuntimeClient::priority_range() const {
  const Reply reply = session_->send("runtime.priority_range");
  if (session_->recording()) return {};
  return {field_as<std::int64_t>(reply, "least"), field_as<std::int64_t>(reply, "greatest")};
}

PackedStream RuntimeClient::pack(const Value& stream) const {
  const Reply reply = session_->send("runtime.pack", {{"stream", stream}});
  return {.word = shown<std::string>(reply, "result"),
          .id = shown<std::int64_t>(reply, "id"),
          .device_index = shown<std::int64_t>(reply, "device_index"),
          .device_type = shown<std::int64_t>(reply, "device_type")};
}

StreamObject RuntimeClient::unpack(const PackedStream& packed) const {
  Fields with;
  set_if(with, "text", packed.word);
  set_if(with, "id", packed.id);
  set_if(with, "device_index", packed.device_index);
  set_if(with, "device_type", packed.device_type);
  return make_stream("runtime.unpack", std::move(with));
}

bool RuntimeClient::equal(const Value& a, const Value& b) const {
  return session_->read<bool>("runtime.equal", {{"a", a}, {"b", b}});
}

void RuntimeClient::kernel(const WorkOptions& work) const {
  Fields with;
  set_if(with, "stream", work.stream);
  set_if(with, "name", work.name);
  set_if(with, "ns", work.ns);
  set_if(with, "fails", work.fails);
  session_->send("runtime.kernel", std::move(with));
}

void RuntimeClient::store(const Value& tensor, const Value& value,
                          const std::optional<Value>& stream) const {
  Fields with{{"tensor", tensor}, {"value", value}};
  set_if(with, "stream", stream);
  session_->send("runtime.store", std::move(with));
}

Ref RuntimeClient::load(const Value& tensor, const std::optional<Value>& stream) const {
  Fields with{{"tensor", tensor}};
  set_if(with, "stream", stream);
  Ref name{session_->fresh_name("loaded")};
  session_->send("runtime.load", std::move(with), name.name);
  return name;
}

std::int64_t RuntimeClient::launch(const LaunchOptions& options) const {
  Fields with;
  set_if(with, "stream", options.stream);
  if (options.grid) with.set("grid", ints_of(*options.grid));
  if (options.block) with.set("block", ints_of(*options.block));
  set_if(with, "shared", options.shared);
  set_if(with, "registers", options.registers);
  set_if(with, "n", options.n);
  return session_->read<std::int64_t>("runtime.launch", std::move(with), "runs");
}

void RuntimeClient::launch_check() const { session_->send("runtime.launch_check"); }

GateObject RuntimeClient::gate(const Value& stream, std::optional<std::int64_t> timeout_ms) const {
  Fields with{{"stream", stream}};
  set_if(with, "timeout_ms", timeout_ms);
  return make<GateObject>("gate", "runtime.gate", std::move(with));
}

void RuntimeClient::capture_begin(const Value& stream,
                                  const std::optional<std::string>& mode) const {
  Fields with{{"stream", stream}};
  set_if(with, "mode", mode);
  session_->send("runtime.capture_begin", std::move(with));
}

void RuntimeClient::capture_end(const Value& stream) const {
  session_->send("runtime.capture_end", {{"stream", stream}});
}

std::string RuntimeClient::capture_status(const Value& stream) const {
  return session_->read<std::string>("runtime.capture_status", {{"stream", stream}});
}

std::int64_t RuntimeClient::last_error() const {
  return session_->read<std::int64_t>("runtime.last_error");
}

std::int64_t RuntimeClient::peek_last_error() const {
  return session_->read<std::int64_t>("runtime.peek_last_error");
}

std::int64_t RuntimeClient::checked(const CheckedCall& call) const {
  Fields with{{"call", call.call}};
  set_if(with, "arguments", call.arguments);
  set_if(with, "how", call.how);
  return session_->read<std::int64_t>("runtime.checked", std::move(with));
}

}  // namespace assay

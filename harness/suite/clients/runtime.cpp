// Implements what the typed client of the area runtime adds to the generated calls.
#include "harness/suite/clients/runtime.hpp"

namespace assay {
namespace {

std::optional<StreamValue> stream_or_none(const Reply& reply, std::string_view name) {
  const Value& value = field(reply, name);
  if (value.is_none()) return std::nullopt;
  return StreamValue{member_as<Device>(value, "device"), member_as<std::int64_t>(value, "id")};
}

}  // namespace

RuntimeClient Session::runtime() { return RuntimeClient(*this); }

StreamValue stream_from(const Reply& reply) {
  return {field_to<std::optional<Device>>(reply, "device"), field_to<std::int64_t>(reply, "id")};
}

StreamHandleInfo StreamHandleInfo::from(const Reply& reply) {
  using Number = std::optional<std::int64_t>;
  return {.handle = field_to<std::int64_t>(reply, "result"),
          .kind = reported_field<std::string>(reply, "kind"),
          .level = reported_field<Number>(reply, "level"),
          .index = reported_field<Number>(reply, "index")};
}

EventInfo EventInfo::from(const Reply& reply) {
  return {.recorded = reported_field<bool>(reply, "recorded"),
          .created = reported_field<bool>(reply, "created"),
          .device = field_to<std::optional<Device>>(reply, "device"),
          .id = field_to<std::int64_t>(reply, "id"),
          .flag = reported_field<Value>(reply, "flag")};
}

GuardInfo GuardInfo::from(const Reply& reply) {
  return {.original_device = field_to<std::optional<Device>>(reply, "original_device"),
          .current_device = field_to<std::optional<Device>>(reply, "current_device"),
          .original_stream = stream_or_none(reply, "original_stream"),
          .current_stream = stream_or_none(reply, "current_stream")};
}

void GateObject::expect_not_expired() const {
  if (state() == "expired") throw Unsupported("a gate timed out before it was opened");
}

void GuardObject::leave() const { session().send("leave", {{"guard", *this}}); }

Device RuntimeClient::get_device(const std::string& type) const {
  return read_field<Device>("runtime.get_device", {{"type", type}});
}

RawStream RuntimeClient::raw_stream(const RawStreamOptions& options) const {
  Fields with;
  put(with, "device", options.device);
  put(with, "blocking", options.blocking);
  put(with, "priority", options.priority);
  std::string name = session().fresh_name("stream");
  const Reply reply = session().send("runtime.raw_stream", std::move(with), name);
  const auto handle = session().recording() ? 0 : field_to<std::int64_t>(reply, "handle");
  return {StreamObject(session(), std::move(name), reply), handle};
}

StreamObject RuntimeClient::unpack(const PackedStream& packed) const {
  Fields with;
  put(with, "text", packed.result);
  put(with, "id", packed.id);
  put(with, "device_index", packed.device_index);
  put(with, "device_type", packed.device_type);
  return make_object<StreamObject>("stream", "runtime.unpack", std::move(with));
}

}  // namespace assay

// The typed calls of the area core for dtypes, scalars, devices and boxed values.
#include <utility>

#include "harness/suite/clients/core.hpp"

namespace assay {
namespace {

template <typename T>
T field_of(const Session& session, const Reply& reply, std::string_view name) {
  return session.recording() ? T{} : field_as<T>(reply, name);
}

template <typename T>
std::optional<T> optional_field(const Reply& reply, std::string_view name) {
  if (field(reply, name).is_none()) return std::nullopt;
  return field_as<T>(reply, name);
}

}  // namespace

DtypeInfo CoreClient::dtype(Dtype dtype) {
  const Reply reply = session_.send("core.dtype", {{"dtype", dtype}});
  if (session_.recording()) return {};
  return {.number = field_as<std::int64_t>(reply, "number"),
          .size = optional_field<std::int64_t>(reply, "size"),
          .floating = field_as<bool>(reply, "floating"),
          .complex = field_as<bool>(reply, "complex"),
          .integral = field_as<bool>(reply, "integral"),
          .integral_or_bool = field_as<bool>(reply, "integral_or_bool"),
          .is_signed = optional_field<bool>(reply, "signed")};
}

Dtype CoreClient::promote_types(Dtype a, Dtype b) {
  const Reply reply = session_.send("core.promote_types", {{"a", a}, {"b", b}});
  return field_of<Dtype>(session_, reply, "result");
}

bool CoreClient::can_cast(Dtype from, Dtype to) {
  const Reply reply = session_.send("core.can_cast", {{"from", from}, {"to", to}});
  return field_of<bool>(session_, reply, "result");
}

Dtype CoreClient::result_type(std::vector<Value> operands, std::optional<Dtype> default_dtype) {
  Fields with = {{"operands", List{std::move(operands)}}};
  if (default_dtype) with.set("default", *default_dtype);
  const Reply reply = session_.send("core.result_type", std::move(with));
  return field_of<Dtype>(session_, reply, "result");
}

ScalarInfo CoreClient::scalar(const std::optional<Value>& value) {
  Fields with;
  if (value) with.set("value", *value);
  const Reply reply = session_.send("core.scalar", std::move(with));
  if (session_.recording()) return {};
  return {field_as<std::string>(reply, "kind"), field(reply, "value")};
}

TensorValue CoreClient::scalar_to(const Value& value, Dtype dtype) {
  return tensor_result("core.scalar_to", {{"value", value}, {"dtype", dtype}});
}

bool CoreClient::scalar_equal(const Value& a, const Value& b) {
  const Reply reply = session_.send("core.scalar_equal", {{"a", a}, {"b", b}});
  return field_of<bool>(session_, reply, "result");
}

Value CoreClient::scalar_negate(const Value& a) { return result("core.scalar_negate", {{"a", a}}); }

DeviceInfo CoreClient::device(const std::string& text) {
  const Reply reply = session_.send("core.device", {{"text", text}});
  if (session_.recording()) return {};
  return {.type = field_as<std::string>(reply, "type"),
          .index = field_as<std::int64_t>(reply, "index"),
          .text = field_as<std::string>(reply, "text")};
}

std::string CoreClient::device_new(const std::string& type, std::int64_t index) {
  const Reply reply = session_.send("core.device_new", {{"type", type}, {"index", index}});
  return field_of<std::string>(session_, reply, "text");
}

std::int64_t CoreClient::device_type(const std::string& type) {
  const Reply reply = session_.send("core.device_type", {{"type", type}});
  return field_of<std::int64_t>(session_, reply, "number");
}

std::string CoreClient::device_key(const std::string& type) {
  const Reply reply = session_.send("core.device_key", {{"type", type}});
  return field_of<std::string>(session_, reply, "result");
}

Device CoreClient::current_device() {
  const Reply reply = session_.send("core.current_device");
  return field_of<Device>(session_, reply, "result");
}

void CoreClient::set_device(const Device& device) {
  session_.send("core.set_device", {{"device", device}});
}

Block CoreClient::device_guard(const Device& device) {
  Command command;
  command.verb = "core.device_guard";
  command.with = {{"device", device}};
  return {command};
}

Boxed CoreClient::ivalue(const Value& value) {
  Ref name{session_.fresh_name("v")};
  const Reply reply = session_.send("core.ivalue", {{"value", value}}, name.name);
  return {field_of<std::string>(session_, reply, "kind"), name};
}

Value CoreClient::ivalue_to(const Ref& ivalue, const std::string& kind) {
  return result("core.ivalue_to", {{"ivalue", ivalue}, {"kind", kind}});
}

Ref CoreClient::ivalue_copy(const Ref& ivalue) {
  return named("core.ivalue_copy", {{"ivalue", ivalue}});
}

std::pair<Ref, std::string> CoreClient::ivalue_move(const Ref& ivalue) {
  Ref name{session_.fresh_name("v")};
  const Reply reply = session_.send("core.ivalue_move", {{"ivalue", ivalue}}, name.name);
  return {name, field_of<std::string>(session_, reply, "moved_from")};
}

void CoreClient::ivalue_push(const Ref& ivalue, const Value& value) {
  session_.send("core.ivalue_push", {{"ivalue", ivalue}, {"value", value}});
}

}  // namespace assay

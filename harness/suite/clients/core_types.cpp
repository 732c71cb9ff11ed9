// The typed calls of the area core for dtypes, scalars, devices and boxed values.
#include <utility>

#include "harness/suite/clients/core.hpp"

namespace assay {
namespace {

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

Dtype CoreClient::result_type(std::vector<Value> operands, std::optional<Dtype> default_dtype) {
  Fields with = {{"operands", List{std::move(operands)}}};
  if (default_dtype) with.set("default", *default_dtype);
  return session_.read<Dtype>("core.result_type", std::move(with));
}

ScalarInfo CoreClient::scalar(const std::optional<Value>& value) {
  Fields with;
  if (value) with.set("value", *value);
  const Reply reply = session_.send("core.scalar", std::move(with));
  if (session_.recording()) return {};
  return {field_as<std::string>(reply, "kind"), field(reply, "value")};
}

DeviceInfo CoreClient::device(const std::string& text) {
  const Reply reply = session_.send("core.device", {{"text", text}});
  if (session_.recording()) return {};
  return {.type = field_as<std::string>(reply, "type"),
          .index = field_as<std::int64_t>(reply, "index"),
          .text = field_as<std::string>(reply, "text")};
}

Block CoreClient::device_guard(const Device& device) {
  Command command;
  command.verb = "core.device_guard";
  command.with = {{"device", device}};
  return {command};
}

Boxed CoreClient::ivalue(const Value& value) {
  Ref name{session_.fresh_name("v")};
  return {session_.read<std::string>("core.ivalue", {{"value", value}}, "kind", name.name), name};
}

std::pair<Ref, std::string> CoreClient::ivalue_move(const Ref& ivalue) {
  Ref name{session_.fresh_name("v")};
  return {name, session_.read<std::string>("core.ivalue_move", {{"ivalue", ivalue}}, "moved_from",
                                           name.name)};
}

}  // namespace assay

// Reads streams, events and guards in replies of the area runtime.
#include "harness/suite/clients/dispatch_fields.hpp"
#include "harness/suite/clients/runtime.hpp"

namespace assay {
namespace {

std::optional<Device> device_or_none(const Reply& reply, std::string_view name) {
  if (field(reply, name).is_none()) return std::nullopt;
  return field_as<Device>(reply, name);
}

std::optional<StreamValue> stream_or_none(const Reply& reply, std::string_view name) {
  const Value& value = field(reply, name);
  if (value.is_none()) return std::nullopt;
  return StreamValue{member_as<Device>(value, "device"), member_as<std::int64_t>(value, "id")};
}

}  // namespace

StreamValue stream_from(const Reply& reply) {
  return {device_or_none(reply, "device"), field_as<std::int64_t>(reply, "id")};
}

EventInfo event_info_from(const Reply& reply) {
  return {.recorded = reported_field<bool>(reply, "recorded", field_as<bool>),
          .created = reported_field<bool>(reply, "created", field_as<bool>),
          .device = device_or_none(reply, "device"),
          .id = field_as<std::int64_t>(reply, "id"),
          .flag = reported_field<Value>(reply, "flag", field)};
}

GuardInfo guard_info_from(const Reply& reply) {
  return {.original_device = device_or_none(reply, "original_device"),
          .current_device = device_or_none(reply, "current_device"),
          .original_stream = stream_or_none(reply, "original_stream"),
          .current_stream = stream_or_none(reply, "current_stream")};
}

}  // namespace assay

// Queries of named streams, gates, events and guards.
#include "harness/suite/clients/dispatch_fields.hpp"
#include "harness/suite/clients/runtime.hpp"

namespace assay {
namespace {

std::optional<std::int64_t> int_or_none(const Reply& reply, std::string_view name) {
  const Value* value = reply.ok.find(name);
  const auto* number = value == nullptr ? nullptr : value->get_if<std::int64_t>();
  return number == nullptr ? std::nullopt : std::optional(*number);
}

Fields with_stream(const char* name, const Value& object, const std::optional<Value>& stream) {
  Fields with{{name, object}};
  set_if(with, "stream", stream);
  return with;
}

}  // namespace

StreamInfo StreamObject::info() const {
  const Reply reply = send("runtime.stream_info", {{"stream", *this}});
  if (session().recording()) return {};
  return {.device = field_as<Device>(reply, "device"),
          .id = field_as<std::int64_t>(reply, "id"),
          .hash = field_as<std::string>(reply, "hash"),
          .text = field_as<std::string>(reply, "text")};
}

StreamHandleInfo StreamObject::handle() const {
  const Reply reply = send("runtime.handle", {{"stream", *this}});
  if (session().recording()) return {};
  return {.handle = field_as<std::int64_t>(reply, "result"),
          .kind = reported_field<std::string>(reply, "kind", field_as<std::string>),
          .level = reported_field<std::optional<std::int64_t>>(reply, "level", int_or_none),
          .index = reported_field<std::optional<std::int64_t>>(reply, "index", int_or_none)};
}

std::int64_t StreamObject::priority() const {
  return session().read<std::int64_t>("runtime.priority", {{"stream", *this}});
}

bool StreamObject::query() const {
  const Reply reply = send("runtime.query", {{"object", *this}});
  return !session().recording() && field_as<bool>(reply, "result");
}

void StreamObject::synchronize() const { send("runtime.synchronize", {{"object", *this}}); }

void StreamObject::wait(const Value& event) const {
  send("runtime.wait", {{"stream", *this}, {"event", event}});
}

void GateObject::open() const { send("runtime.open", {{"gate", *this}}); }

std::string GateObject::state() const {
  return session().read<std::string>("runtime.gate_state", {{"gate", *this}});
}

void GateObject::expect_not_expired() const {
  if (state() == "expired") throw Unsupported("a gate gave up before it was opened");
}

void EventObject::record(const std::optional<Value>& stream) const {
  send("runtime.record", with_stream("event", *this, stream));
}

void EventObject::record_once(const std::optional<Value>& stream) const {
  send("runtime.record_once", with_stream("event", *this, stream));
}

void EventObject::block(const std::optional<Value>& stream) const {
  send("runtime.block", with_stream("event", *this, stream));
}

bool EventObject::query() const {
  const Reply reply = send("runtime.query", {{"object", *this}});
  return !session().recording() && field_as<bool>(reply, "result");
}

void EventObject::synchronize() const { send("runtime.synchronize", {{"object", *this}}); }

EventInfo EventObject::info() const {
  const Reply reply = send("runtime.event_info", {{"event", *this}});
  return session().recording() ? EventInfo() : event_info_from(reply);
}

double EventObject::elapsed(const Value& to) const {
  return session().read<double>("runtime.elapsed", {{"from", *this}, {"to", to}});
}

EventObject EventObject::move() const {
  std::string name = session().fresh_name("event");
  send("runtime.move_event", {{"event", *this}}, name);
  return {session(), std::move(name)};
}

void EventObject::assign_from(const Value& from) const {
  send("runtime.assign_event", {{"to", *this}, {"from", from}});
}

std::string EventObject::ipc_handle() const {
  return session().read<std::string>("runtime.ipc_handle", {{"event", *this}});
}

void GuardObject::leave() const { send("leave", {{"guard", *this}}); }

GuardInfo GuardObject::info() const {
  const Reply reply = send("runtime.guard_info", {{"guard", *this}});
  return session().recording() ? GuardInfo() : guard_info_from(reply);
}

void GuardObject::set_device(const Device& device) const {
  send("runtime.guard_set_device", {{"guard", *this}, {"device", device}});
}

void GuardObject::reset_device(const Device& device) const {
  send("runtime.guard_reset_device", {{"guard", *this}, {"device", device}});
}

void GuardObject::set_index(std::int64_t index) const {
  send("runtime.guard_set_index", {{"guard", *this}, {"index", index}});
}

void GuardObject::reset_stream(const Value& stream) const {
  send("runtime.guard_reset_stream", {{"guard", *this}, {"stream", stream}});
}

void GuardObject::reset() const { send("runtime.guard_reset", {{"guard", *this}}); }

}  // namespace assay

// The typed calls of the area runtime for events, Python contexts, guards and backends.
#include "harness/suite/clients/dispatch_fields.hpp"
#include "harness/suite/clients/runtime.hpp"

namespace assay {

EventObject RuntimeClient::event(const EventOptions& options) const {
  Fields with;
  set_if(with, "api", options.api);
  set_if(with, "device", options.device);
  set_if(with, "flag", options.flag);
  set_if(with, "timing", options.timing);
  set_if(with, "blocking", options.blocking);
  set_if(with, "interprocess", options.interprocess);
  set_if(with, "external", options.external);
  return make<EventObject>("event", "runtime.event", std::move(with));
}

std::int64_t RuntimeClient::distinct_events(const std::vector<Value>& events) const {
  return session_->read<std::int64_t>("runtime.distinct_events", {{"events", List{events}}});
}

EventObject RuntimeClient::event_from_ipc(const Device& device, const std::string& handle) const {
  return make<EventObject>("event", "runtime.event_from_ipc",
                           {{"device", device}, {"handle", handle}});
}

StreamObject RuntimeClient::python_stream(const PythonStreamOptions& options) const {
  Fields with;
  set_if(with, "device", options.device);
  set_if(with, "priority", options.priority);
  set_if(with, "stream_id", options.stream_id);
  set_if(with, "device_index", options.device_index);
  set_if(with, "device_type", options.device_type);
  set_if(with, "handle", options.handle);
  set_if(with, "generic", options.generic);
  return make_stream("runtime.python_stream", std::move(with));
}

void RuntimeClient::python_set_stream(const Value& stream) const {
  session_->send("runtime.python_set_stream", {{"stream", stream}});
}

EventObject RuntimeClient::record_event(const Value& stream,
                                        const std::optional<Value>& event) const {
  Fields with{{"stream", stream}};
  set_if(with, "event", event);
  return make<EventObject>("event", "runtime.record_event", std::move(with));
}

void RuntimeClient::wait_event(const Value& stream, const Value& event) const {
  session_->send("runtime.wait_event", {{"stream", stream}, {"event", event}});
}

void RuntimeClient::wait_stream(const Value& stream, const Value& other) const {
  session_->send("runtime.wait_stream", {{"stream", stream}, {"other", other}});
}

GuardObject RuntimeClient::stream_context(const Value& stream) const {
  return make<GuardObject>("guard", "runtime.stream_context", {{"stream", stream}});
}

GuardObject RuntimeClient::device_context(const Value& device) const {
  return make<GuardObject>("guard", "runtime.device_context", {{"device", device}});
}

GuardObject RuntimeClient::reenter(const Value& context) const {
  return make<GuardObject>("guard", "runtime.reenter", {{"context", context}});
}

GuardObject RuntimeClient::device_of(const Value& tensor) const {
  return make<GuardObject>("guard", "runtime.device_of", {{"tensor", tensor}});
}

GuardObject RuntimeClient::device_guard(const Device& device,
                                        const DeviceGuardOptions& options) const {
  Fields with{{"device", device}};
  set_if(with, "index", options.index);
  set_if(with, "virtual", options.is_virtual);
  set_if(with, "of", options.of);
  return make<GuardObject>("guard", "runtime.device_guard", std::move(with));
}

GuardObject RuntimeClient::optional_device_guard(const std::optional<Device>& device,
                                                 const std::optional<std::string>& of) const {
  Fields with;
  set_if(with, "device", device);
  set_if(with, "of", of);
  return make<GuardObject>("guard", "runtime.optional_device_guard", std::move(with));
}

GuardObject RuntimeClient::stream_guard(const Value& stream) const {
  return make<GuardObject>("guard", "runtime.stream_guard", {{"stream", stream}});
}

GuardObject RuntimeClient::optional_stream_guard(const std::optional<Value>& stream) const {
  Fields with;
  set_if(with, "stream", stream);
  return make<GuardObject>("guard", "runtime.optional_stream_guard", std::move(with));
}

GuardObject RuntimeClient::multi_stream_guard(const std::vector<Value>& streams) const {
  return make<GuardObject>("guard", "runtime.multi_stream_guard", {{"streams", List{streams}}});
}

void RuntimeClient::backend(const std::string& type, const std::optional<std::string>& kind,
                            std::optional<std::int64_t> devices) const {
  Fields with{{"type", type}};
  set_if(with, "kind", kind);
  set_if(with, "devices", devices);
  session_->send("runtime.backend", std::move(with));
}

bool RuntimeClient::has_backend(const std::string& type) const {
  return session_->read<bool>("runtime.has_backend", {{"type", type}});
}

}  // namespace assay

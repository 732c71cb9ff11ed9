// Implements the typed client of the area module.
#include "harness/suite/clients/module.hpp"

namespace assay {
namespace {

template <typename T>
void set_if(Fields& fields, std::string name, const std::optional<T>& value) {
  if (value) fields.set(std::move(name), *value);
}

std::vector<std::string> texts(const Reply& reply, std::string_view name) {
  std::vector<std::string> found;
  for (const Value& item : field_as<List>(reply, name).items) {
    const auto* text = item.get_if<std::string>();
    if (text == nullptr) throw BadReply("'" + std::string(name) + "' holds something but texts");
    found.push_back(*text);
  }
  return found;
}

}  // namespace

Reply ModuleHandle::send(std::string verb, Fields with, std::string as) const {
  with.set("module", *this);
  return session_->send(std::move(verb), std::move(with), std::move(as));
}

Ref ModuleHandle::named(std::string verb, Fields with) const {
  const std::string name = session_->fresh_name("tensor");
  send(std::move(verb), std::move(with), name);
  return {name};
}

Ref ModuleHandle::itself(std::string verb, Fields with) const {
  const Reply reply = send(std::move(verb), std::move(with));
  return session_->recording() ? Ref{} : field_as<Ref>(reply, "result");
}

Ref ModuleHandle::set_parameter(const std::string& name, Value tensor,
                                const ParameterOptions& how) const {
  Fields with{{"name", name}, {"tensor", std::move(tensor)}};
  set_if(with, "requires_grad", how.requires_grad);
  set_if(with, "raw", how.raw);
  return named("module.set_parameter", std::move(with));
}

Ref ModuleHandle::set_buffer(const std::string& name, Value tensor,
                             std::optional<bool> persistent) const {
  Fields with{{"name", name}, {"tensor", std::move(tensor)}};
  set_if(with, "persistent", persistent);
  return named("module.set_buffer", std::move(with));
}

void ModuleHandle::set_empty_parameter(const std::string& name) const {
  send("module.set_parameter", {{"name", name}, {"tensor", None{}}});
}

void ModuleHandle::set_empty_buffer(const std::string& name) const {
  send("module.set_buffer", {{"name", name}, {"tensor", None{}}});
}

void ModuleHandle::set_child(const std::string& name, const Value& child) const {
  send("module.set_child", {{"name", name}, {"child", child}});
}

void ModuleHandle::set_attribute(const std::string& name, Value value) const {
  send("module.set_attribute", {{"name", name}, {"value", std::move(value)}});
}

Ref ModuleHandle::parameter(const std::string& path) const {
  return named("module.parameter", {{"path", path}});
}

Ref ModuleHandle::buffer(const std::string& path) const {
  return named("module.buffer", {{"path", path}});
}

Value ModuleHandle::parameter_value(const std::string& path) const {
  const Reply reply = send("module.parameter", {{"path", path}});
  return session_->recording() ? Value() : field(reply, "result");
}

Ref ModuleHandle::attribute(const std::string& path) const {
  return named("module.attribute", {{"path", path}});
}

std::vector<Ref> ModuleHandle::attributes(const std::string& path) const {
  const std::string name = session_->fresh_name("tensor");
  const Reply reply = send("module.attribute", {{"path", path}}, name);
  std::vector<Ref> found;
  if (session_->recording()) return found;
  for (std::size_t i = 0; i < field_as<List>(reply, "result").items.size(); ++i) {
    found.push_back({name + "." + std::to_string(i)});
  }
  return found;
}

ModuleList ModuleHandle::list() const {
  const Reply reply = send("module.list");
  if (session_->recording()) return {};
  return {.parameters = texts(reply, "parameters"), .buffers = texts(reply, "buffers")};
}

void ModuleHandle::train(bool value) const { send("module.train", {{"value", value}}); }

bool ModuleHandle::is_training() const {
  const Reply reply = send("module.is_training");
  return !session_->recording() && field_as<bool>(reply, "result");
}

Ref ModuleHandle::to(const ModuleMove& how) const {
  Fields with;
  set_if(with, "dtype", how.dtype);
  set_if(with, "device", how.device);
  set_if(with, "like", how.like);
  set_if(with, "non_blocking", how.non_blocking);
  set_if(with, "copy", how.copy);
  if (!how.memory_format.empty()) with.set("memory_format", how.memory_format);
  return itself("module.to", std::move(with));
}

Ref ModuleHandle::cuda(const std::optional<Device>& device) const {
  Fields with;
  set_if(with, "device", device);
  return itself("module.cuda", std::move(with));
}

Ref ModuleHandle::move(const std::string& how) const { return itself("module." + how); }

Ref ModuleHandle::type(Dtype dtype) const { return itself("module.type", {{"dtype", dtype}}); }

Ref ModuleHandle::to_empty(const Device& device, std::optional<bool> recurse) const {
  Fields with{{"device", device}};
  set_if(with, "recurse", recurse);
  return itself("module.to_empty", std::move(with));
}

Ref ModuleHandle::apply_tensors(const Callable& function, std::optional<bool> recurse) const {
  Fields with{{"function", function}};
  set_if(with, "recurse", recurse);
  return itself("module.apply_tensors", std::move(with));
}

Value ModuleHandle::forward(std::vector<Value> args, std::string as) const {
  const Reply reply = send("module.forward", {{"args", List{std::move(args)}}}, std::move(as));
  return session_->recording() ? Value() : field(reply, "result");
}

ModuleHandle ModuleClient::make(std::string kind, Fields with) const {
  with.set("kind", std::move(kind));
  const std::string name = session_->fresh_name("module");
  session_->send("module.new", std::move(with), name);
  return {*session_, name};
}

ModuleHandle ModuleClient::linear(Value weight, std::optional<Value> bias) const {
  Fields with{{"weight", std::move(weight)}};
  set_if(with, "bias", bias);
  return make("linear", std::move(with));
}

ModuleHandle ModuleClient::sequential(std::vector<Value> modules) const {
  return make("sequential", {{"modules", List{std::move(modules)}}});
}

void ModuleClient::flags(const ConversionFlagArguments& flags) const {
  Fields with;
  set_if(with, "overwrite", flags.overwrite);
  set_if(with, "swap", flags.swap);
  session_->send("module.flags", std::move(with));
}

ModuleClient Session::modules() { return ModuleClient(*this); }

}  // namespace assay

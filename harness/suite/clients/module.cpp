// Implements what the typed client of the area module adds to the generated calls.
#include "harness/suite/clients/module.hpp"

namespace assay {

void ModuleHandle::set_empty_parameter(const std::string& path) const {
  session().send("module.set_parameter", {{"name", path}, {"tensor", None{}}, {"module", *this}});
}

void ModuleHandle::set_empty_buffer(const std::string& path) const {
  session().send("module.set_buffer", {{"name", path}, {"tensor", None{}}, {"module", *this}});
}

Value ModuleHandle::parameter_value(const std::string& path) const {
  return read_field<Value>("module.parameter", {{"path", path}, {"module", *this}});
}

std::vector<Ref> ModuleHandle::attributes(const std::string& path) const {
  const std::string as = session().fresh_name("tensor");
  const List list =
      session().read<List>("module.attribute", {{"path", path}, {"module", *this}}, "result", as);
  std::vector<Ref> found;
  for (std::size_t i = 0; i < list.items.size(); ++i) {
    found.push_back({as + "." + std::to_string(i)});
  }
  return found;
}

Ref ModuleHandle::move(const std::string& how) const {
  return read_field<Ref>("module." + how, {{"module", *this}});
}

Value ModuleHandle::forward(std::vector<Value> args, std::string as) const {
  return session().read<Value>("module.forward",
                               {{"args", List{std::move(args)}}, {"module", *this}}, "result",
                               std::move(as));
}

ModuleHandle ModuleClient::make(std::string kind, Fields with) const {
  with.set("kind", std::move(kind));
  return make_object<ModuleHandle>("module", "module.new", std::move(with));
}

ModuleHandle ModuleClient::linear(Value weight, std::optional<Value> bias) const {
  Fields with{{"weight", std::move(weight)}};
  put(with, "bias", bias);
  return make("linear", std::move(with));
}

ModuleHandle ModuleClient::sequential(std::vector<Value> modules) const {
  return make("sequential", {{"modules", List{std::move(modules)}}});
}

ModuleClient Session::modules() { return ModuleClient(*this); }

}  // namespace assay

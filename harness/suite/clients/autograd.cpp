// Implements what the typed client of the area autograd adds to the generated calls.
#include "harness/suite/clients/autograd.hpp"

namespace assay {
namespace {

Block one_command(std::string verb, bool value) {
  Command command;
  command.verb = std::move(verb);
  command.with = {{"value", value}};
  return {std::move(command)};
}

}  // namespace

Block AutogradClient::grad_mode(bool value) const {
  return one_command("autograd.grad_mode", value);
}

Block AutogradClient::inference_mode(bool value) const {
  return one_command("autograd.inference_mode", value);
}

void AutogradClient::backward(const Value& tensor, const Value& gradient, bool retain_graph) const {
  Fields with{{"tensor", tensor}};
  if (!gradient.is_none()) with.set("gradient", gradient);
  if (retain_graph) with.set("retain_graph", true);
  session().send("autograd.backward", std::move(with));
}

std::vector<Value> AutogradClient::grad(const Value& output, std::vector<Value> inputs,
                                        const Value& gradient) const {
  Fields with{{"output", output}, {"inputs", List{std::move(inputs)}}};
  if (!gradient.is_none()) with.set("gradient", gradient);
  return read_field<std::vector<Value>>("autograd.grad", std::move(with));
}

NodeInfo NodeInfo::from(const Reply& reply) {
  return {.kind = field_to<std::string>(reply, "kind"),
          .next = field_to<std::vector<std::string>>(reply, "next")};
}

NodeInfo AutogradClient::node(const Value& tensor) const {
  return read_reply<NodeInfo>("autograd.node", {{"tensor", tensor}});
}

std::vector<Dtype> AutogradClient::saved(const Value& tensor) const {
  return read_field<std::vector<Dtype>>("autograd.node", {{"tensor", tensor}}, "saved");
}

Ref AutogradClient::function(const Callable& forward, const Callable& backward,
                             const std::optional<CustomCasts>& casts) const {
  Fields with{{"forward", forward}, {"backward", backward}};
  if (casts) {
    Dict dict;
    dict.items.emplace_back("device", casts->device);
    dict.items.emplace_back("inputs", casts->inputs ? Value(*casts->inputs) : Value());
    with.set("casts", std::move(dict));
  }
  return make_object<Ref>("y", "autograd.function", std::move(with));
}

AutogradClient Session::autograd() { return AutogradClient(*this); }

}  // namespace assay

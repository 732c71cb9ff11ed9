// Implements the typed client of the area autograd.
#include "harness/suite/clients/autograd.hpp"

#include <utility>

namespace assay {
namespace {

Block one_command(std::string verb, bool value) {
  Command command;
  command.verb = std::move(verb);
  command.with = {{"value", value}};
  return {std::move(command)};
}

template <typename T>
std::vector<T> items_of(const Reply& reply, std::string_view name) {
  std::vector<T> items;
  for (const Value& item : field_as<List>(reply, name).items) {
    const T* held = item.get_if<T>();
    if (held == nullptr) throw BadReply("'" + std::string(name) + "' has a wrong item");
    items.push_back(*held);
  }
  return items;
}

}  // namespace

Block AutogradClient::grad_mode(bool value) const {
  return one_command("autograd.grad_mode", value);
}

Block AutogradClient::inference_mode(bool value) const {
  return one_command("autograd.inference_mode", value);
}

bool AutogradClient::is_grad_enabled() const {
  return session_->read<bool>("autograd.is_grad_enabled");
}

bool AutogradClient::is_inference_mode() const {
  return session_->read<bool>("autograd.is_inference_mode");
}

bool AutogradClient::is_inference(const Value& tensor) const {
  return session_->read<bool>("autograd.is_inference", {{"tensor", tensor}});
}

void AutogradClient::backward(const Value& tensor, const Value& gradient, bool retain_graph) const {
  Fields with{{"tensor", tensor}};
  if (!gradient.is_none()) with.set("gradient", gradient);
  if (retain_graph) with.set("retain_graph", true);
  session_->send("autograd.backward", std::move(with));
}

std::vector<Value> AutogradClient::grad(const Value& output, std::vector<Value> inputs,
                                        const Value& gradient) const {
  Fields with{{"output", output}, {"inputs", List{std::move(inputs)}}};
  if (!gradient.is_none()) with.set("gradient", gradient);
  const Reply reply = session_->send("autograd.grad", std::move(with));
  return session_->recording() ? std::vector<Value>() : field_as<List>(reply, "result").items;
}

NodeInfo AutogradClient::node(const Value& tensor) const {
  const Reply reply = session_->send("autograd.node", {{"tensor", tensor}});
  if (session_->recording()) return {};
  return {.kind = field_as<std::string>(reply, "kind"),
          .next = items_of<std::string>(reply, "next")};
}

std::vector<Dtype> AutogradClient::saved(const Value& tensor) const {
  const Reply reply = session_->send("autograd.node", {{"tensor", tensor}});
  return session_->recording() ? std::vector<Dtype>() : items_of<Dtype>(reply, "saved");
}

bool AutogradClient::same_node(const Value& a, const Value& b) const {
  return session_->read<bool>("autograd.same_node", {{"a", a}, {"b", b}});
}

void AutogradClient::hook(const Value& tensor, double factor) const {
  session_->send("autograd.hook", {{"tensor", tensor}, {"factor", factor}});
}

Ref AutogradClient::named(std::string verb, Fields with) const {
  Ref name{session_->fresh_name("y")};
  session_->send(std::move(verb), std::move(with), name.name);
  return name;
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
  return named("autograd.function", std::move(with));
}

Ref AutogradClient::apply(const Value& function, std::vector<Value> args) const {
  return named("autograd.apply", {{"function", function}, {"args", List{std::move(args)}}});
}

Ref AutogradClient::checkpoint(const Callable& body, std::vector<Value> args) const {
  return named("autograd.checkpoint", {{"body", body}, {"args", List{std::move(args)}}});
}

AutogradClient Session::autograd() { return AutogradClient(*this); }

}  // namespace assay

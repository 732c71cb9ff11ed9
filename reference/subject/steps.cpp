// Optimizer steps in the protocol.
#include "reference/subject/steps.hpp"

#include "reference/core/types/error.hpp"
#include "reference/scaler/grad_scaler.hpp"

namespace assay::reference {
namespace {

/// Converts an argument for a callback; an unnamed object is lent a name.
Value to_value(Call& call, const std::any& argument) {
  if (!argument.has_value()) return None{};
  if (const auto* value = std::any_cast<Value>(&argument)) return *value;
  if (const auto* optimizer = std::any_cast<std::shared_ptr<Optimizer>>(&argument)) {
    return call.lend(Object(*optimizer, "optimizer"));
  }
  if (const auto* passed = std::any_cast<std::shared_ptr<PassedScaler>>(&argument)) {
    return call.lend(Object(std::dynamic_pointer_cast<GradScaler>(*passed), "scaler"));
  }
  return Opaque{"object"};
}

std::any invoke(Call& call, const std::any& callee, const std::vector<std::any>& positional,
                const NamedArguments& named) {
  const auto* value = std::any_cast<Value>(&callee);
  const Callable* callable = value == nullptr ? nullptr : value->get_if<Callable>();
  check(callable != nullptr, ErrorKind::kType, [] { return "the object is not callable"; });
  std::vector<Value> arguments;
  for (const std::any& argument : positional) arguments.push_back(to_value(call, argument));
  Fields fields;
  for (const auto& [name, argument] : named) fields.set(name, to_value(call, argument));
  const Value returned = call.call_back(callable->name, arguments, fields);
  return returned.is_none() ? std::any{} : std::any(returned);
}

void read_keywords(Call& call, StepCall& step) {
  const Value* kwargs = call.arguments().optional("kwargs");
  if (kwargs == nullptr) return;
  const Dict* dict = kwargs->get_if<Dict>();
  if (dict == nullptr) throw InvalidArgument("kwargs must be a dict");
  for (const auto& [key, value] : dict->items) {
    const auto* name = key.get_if<std::string>();
    if (name == nullptr) throw InvalidArgument("kwargs must have texts for keys");
    step.named.emplace_back(*name, value.is_none() ? std::any{} : std::any(value));
  }
}

}  // namespace

StepCall step_call(Call& call) {
  StepCall step;
  if (call.has("args")) {
    for (const Value& value : call.arguments().items("args")) {
      step.positional.push_back(value.is_none() ? std::any{} : std::any(value));
    }
  }
  read_keywords(call, step);
  step.invoke = [&call](const std::any& callee, const std::vector<std::any>& positional,
                        const NamedArguments& named) {
    return invoke(call, callee, positional, named);
  };
  return step;
}

void set_step_result(Call& call, const std::any& returned) {
  const auto* value = std::any_cast<Value>(&returned);
  if (value == nullptr) return call.result(Value(None{}));
  const auto* ref = value->get_if<Ref>();
  if (ref != nullptr && call.names().has(ref->name)) {
    return call.result(call.names().get(ref->name));
  }
  call.result(*value);
}

std::shared_ptr<Optimizer> optimizer_argument(Call& call) {
  return call.held<Optimizer>("optimizer", "optimizer");
}

Value to_value(Call& call, const ScalerAttribute& attribute) {
  if (const auto* integer = std::get_if<std::int64_t>(&attribute)) return *integer;
  if (const auto* real = std::get_if<double>(&attribute)) return *real;
  if (const auto* tensor = std::get_if<Tensor>(&attribute)) return call.give(*tensor);
  return None{};
}

}  // namespace assay::reference

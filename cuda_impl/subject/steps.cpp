// Steps: client values stay in the client's representation until its callbacks receive them.
#include "cuda_impl/subject/steps.hpp"

#include "cuda_impl/scaler/grad_scaler.hpp"

namespace assay::cuda {
namespace {

/// The content of StepCall::arguments.
struct StepArguments {
  std::vector<Value> positional;
  Fields named;
};

Fields keywords_of(const Value& kwargs) {
  const Dict* dict = kwargs.get_if<Dict>();
  if (dict == nullptr) throw InvalidArgument("'kwargs' must be a dict");
  Fields keywords;
  for (const auto& [key, value] : dict->items) {
    const auto* name = key.get_if<std::string>();
    if (name == nullptr) throw InvalidArgument("the keys of 'kwargs' must be texts");
    keywords.set(*name, value);
  }
  return keywords;
}

/// Null if there is no closure, or None.
const Value* closure_in(const StepArguments& arguments) {
  const Value* closure = arguments.positional.empty() ? arguments.named.find("closure")
                                                      : &arguments.positional.front();
  return closure == nullptr || closure->is_none() ? nullptr : closure;
}

std::any returned_by(Call& call, const std::string& callback, const std::vector<Value>& positional,
                     const Fields& named) {
  Value returned = call.call_back(callback, positional, named);
  if (returned.is_none()) return {};
  return returned;
}

std::function<std::any()> evaluation_of(Call& call, const Value& closure) {
  const Callable* callable = closure.get_if<Callable>();
  if (callable == nullptr) {
    return [kind = std::string(kind_of(closure))]() -> std::any {
      throw Error(ErrorKind::kType, "the closure is a " + kind + ", which cannot be called");
    };
  }
  return [&call, name = callable->name] {
    const GradModeGuard mode(true);  // OPT-013
    return returned_by(call, name, {}, {});
  };
}

}  // namespace

std::shared_ptr<Optimizer> optimizer_argument(Call& call) {
  return call.held<Optimizer>("optimizer", "optimizer");
}

StepCall step_call(Call& call) {
  StepArguments arguments;
  if (call.has("args")) arguments.positional = call.arguments().items("args");
  if (call.has("kwargs")) arguments.named = keywords_of(call.arguments().value("kwargs"));
  StepCall step;
  step.positional = arguments.positional.size();
  for (const auto& [name, value] : arguments.named) step.keywords.push_back(name);
  if (const Value* closure = closure_in(arguments)) step.closure = evaluation_of(call, *closure);
  step.arguments = std::move(arguments);
  return step;
}

CustomOptimizer::Step custom_step(Call& call) {
  const Callable* callable = call.arguments().value("step").get_if<Callable>();
  if (callable == nullptr) throw InvalidArgument("'step' must be something callable");
  return [name = callable->name](const std::shared_ptr<Optimizer>& self, const StepCall& step) {
    Call& now = Call::current();
    const auto* given = std::any_cast<StepArguments>(&step.arguments);
    StepArguments arguments = given == nullptr ? StepArguments() : *given;
    arguments.named.set("optimizer", now.lend(Object(self, "optimizer")));
    if (const auto scaler = std::dynamic_pointer_cast<GradScaler>(step.grad_scaler)) {
      arguments.named.set("grad_scaler", now.lend(Object(scaler, "scaler")));
    }
    return returned_by(now, name, arguments.positional, arguments.named);
  };
}

void set_step_result(Call& call, const std::any& returned) {
  const auto* value = std::any_cast<Value>(&returned);
  if (value == nullptr) return call.result(Value());
  const Ref* ref = value->get_if<Ref>();
  if (ref != nullptr && call.names().has(ref->name)) {
    return call.result(call.names().get(ref->name));
  }
  call.result(*value);
}

}  // namespace assay::cuda

// Areas optim and scaler: the CUDA implementation's types, what it decides about arguments, steps
// with client callbacks, and containers of outputs.
#include <any>
#include <memory>

#include "cuda_impl/optim/adam.hpp"
#include "cuda_impl/optim/clip.hpp"
#include "cuda_impl/optim/optimizer.hpp"
#include "cuda_impl/optim/saved.hpp"
#include "cuda_impl/optim/sgd.hpp"
#include "cuda_impl/scaler/grad_scaler.hpp"
#include "cuda_impl/scaler/outputs.hpp"
#include "cuda_impl/subject/call.hpp"
#include "harness/subject/areas/optim.hpp"
#include "harness/subject/areas/scaler.hpp"

namespace assay::cuda {

// Steps: client values stay in the client's representation until its callbacks receive them.

/// The argument `optimizer`.
std::shared_ptr<Optimizer> optimizer_argument(Call& call);

/// Built from the arguments `args` and `kwargs`, if present. Valid while `call` lives.
StepCall step_call(Call& call);

/// An optimizer step that runs the callback in the argument `step` with the step's arguments,
/// `$optimizer` and, if it is passed, `$grad_scaler`. The callback runs within the command that its
/// thread is then answering.
CustomOptimizer::Step custom_step(Call& call);

/// Sets the field `result` to the result of a step.
void set_step_result(Call& call, const std::any& returned);

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

// Containers: the argument and the result of scale().

/// A named lazy result, for `scaler.next`.
struct LazyOutputs {
  Pull next;
};

/// References are resolved to tensors and lazy sequences. Tensors by value are created immediately,
/// because the call may have ended when a sequence is iterated.
Outputs outputs_from(Call& call, const Value& value);

/// Sets the field `result`.
void set_outputs_result(Call& call, const Outputs& outputs);

namespace {

std::vector<Outputs> all_from(Call& call, const std::vector<Value>& values) {
  std::vector<Outputs> items;
  items.reserve(values.size());
  for (const Value& value : values) items.push_back(outputs_from(call, value));
  return items;
}

/// Iterates over the items once.
Pull pull_over(std::vector<Outputs> items) {
  return [items = std::move(items), at = std::size_t{0}]() mutable -> std::optional<Outputs> {
    if (at == items.size()) return std::nullopt;
    return items[at++];
  };
}

/// A re-iterable object, which is returned unchanged if nothing in it is scaled.
Outputs iterable(const Value& origin, std::function<Pull()> iterate) {
  Outputs made;
  made.kind = Outputs::Kind::kIterable;
  made.iterate = std::move(iterate);
  made.origin = origin;
  return made;
}

/// Its items are its characters, as strings.
Outputs from_text(const std::string& text) {
  return iterable(Value(text), [text] {
    std::vector<Outputs> characters;
    for (const char letter : text) characters.push_back(from_text(std::string(1, letter)));
    return pull_over(std::move(characters));
  });
}

Outputs from_dict(Call& call, const Value& value, const Dict& dict) {
  std::vector<Value> keys;
  for (const auto& [key, held] : dict.items) keys.push_back(key);
  return iterable(value, [items = all_from(call, keys)] { return pull_over(items); });
}

Outputs from_named_tuple(Call& call, const NamedTuple& named) {
  Outputs made;
  made.kind = Outputs::Kind::kNamedTuple;
  made.type_name = named.type;
  for (const auto& [name, value] : named.fields) {
    made.field_names.push_back(name);
    made.items.push_back(outputs_from(call, value));
  }
  made.iterate = [items = made.items] { return pull_over(items); };
  return made;
}

Outputs other(const Value& value) {
  Outputs made;
  made.origin = value;
  return made;
}

Outputs from_reference(Call& call, const Value& value, const std::string& name) {
  const Object object = call.names().get(name);
  if (object.is_tensor() && object.tensor().defined()) return Outputs::of(object.tensor());
  if (const auto lazy = object.as<LazyOutputs>()) {
    return iterable(value, [lazy] { return [lazy] { return lazy->next(); }; });
  }
  return other(value);
}

Value value_from(Call& call, const Outputs& outputs);

std::vector<Value> values_from(Call& call, const std::vector<Outputs>& items) {
  std::vector<Value> values;
  values.reserve(items.size());
  for (const Outputs& item : items) values.push_back(value_from(call, item));
  return values;
}

Value named_tuple_from(Call& call, const Outputs& outputs) {
  NamedTuple named{outputs.type_name, {}};
  for (std::size_t i = 0; i < outputs.items.size(); ++i) {
    named.fields.emplace_back(outputs.field_names[i], value_from(call, outputs.items[i]));
  }
  return named;
}

/// Null for a value that was created by iteration.
const Value* origin_of(const Outputs& outputs) { return std::any_cast<Value>(&outputs.origin); }

Value value_from(Call& call, const Outputs& outputs) {
  switch (outputs.kind) {
    case Outputs::Kind::kTensor:
      return call.give(outputs.tensor);
    case Outputs::Kind::kList:
      return List{values_from(call, outputs.items)};
    case Outputs::Kind::kTuple:
      return Tuple{values_from(call, outputs.items)};
    case Outputs::Kind::kNamedTuple:
      return named_tuple_from(call, outputs);
    case Outputs::Kind::kIterable:
    case Outputs::Kind::kOther:
      break;
  }
  const Value* origin = origin_of(outputs);
  return origin == nullptr ? Value(Opaque{"lazy"}) : *origin;
}

}  // namespace

Outputs outputs_from(Call& call, const Value& value) {
  if (value.tensor() != nullptr || value.sparse() != nullptr) {
    return Outputs::of(call.tensor_from(value));
  }
  if (const auto* ref = value.get_if<Ref>()) return from_reference(call, value, ref->name);
  if (const auto* list = value.get_if<List>()) {
    return Outputs::of(Outputs::Kind::kList, all_from(call, list->items));
  }
  if (const auto* tuple = value.get_if<Tuple>()) {
    return Outputs::of(Outputs::Kind::kTuple, all_from(call, tuple->items));
  }
  if (const auto* lazy = value.get_if<Lazy>()) {
    return Outputs::lazily(pull_over(all_from(call, lazy->items)));
  }
  if (const auto* text = value.get_if<std::string>()) return from_text(*text);
  if (const auto* dict = value.get_if<Dict>()) return from_dict(call, value, *dict);
  if (const auto* named = value.get_if<NamedTuple>()) return from_named_tuple(call, *named);
  return other(value);
}

void set_outputs_result(Call& call, const Outputs& outputs) {
  if (outputs.kind == Outputs::Kind::kTensor) return call.result(outputs.tensor);
  const Value* origin = origin_of(outputs);
  if (outputs.kind == Outputs::Kind::kIterable && origin == nullptr) {
    const auto lazy = std::make_shared<LazyOutputs>(LazyOutputs{outputs.iterate()});
    return call.result(Object(lazy, "lazy"));
  }
  const Ref* ref = origin == nullptr ? nullptr : origin->get_if<Ref>();
  if (ref != nullptr) return call.result(call.names().get(ref->name));
  call.result(value_from(call, outputs));
}

namespace {

struct OptimRuntime {
  using Call = cuda::Call;
  using Object = cuda::Object;
  using Tensor = cuda::Tensor;
  using Optimizer = cuda::Optimizer;
  using ParamGroup = cuda::ParamGroup;
  using Attribute = ScalerAttribute;
  using Settings = cuda::Settings;
  using Setting = cuda::Setting;
  using Numbers = Betas;
  using Saved = cuda::Saved;
  using Mode = OptimizerMode;
  using HookToken = std::uint64_t;
  using Groups = std::vector<ParamGroup>;

  static void set(Settings& settings, const std::string& name, const Setting& setting) {
    settings.emplace(name, setting);
  }
  static const Settings& items(const Settings& settings) { return settings; }
  static Setting numbers(const std::vector<double>& numbers) {
    require(numbers.size() == 2, ErrorKind::kType,
            [] { return "a list of numbers is the two betas of Adam, and no other setting"; });
    return Betas{numbers[0], numbers[1]};
  }
  static void write_mode(Settings& settings, OptimizerMode mode) {
    cuda::write_mode(settings, mode);
  }

  static std::shared_ptr<Optimizer> sgd(Call& call, const Groups& groups, const Settings& given) {
    return std::make_shared<Sgd>(call.session(), groups, given);
  }
  static std::shared_ptr<Optimizer> adam(Call& call, const Groups& groups, bool is_decoupled,
                                         const Settings& given) {
    return std::make_shared<Adam>(call.session(), groups, is_decoupled, given);
  }
  static std::shared_ptr<Optimizer> custom(Call& call, const Groups& groups,
                                           bool supports_amp_scaling, bool takes_grad_scaler) {
    CustomOptimizer::Traits traits;
    traits.supports_amp_scaling = supports_amp_scaling;
    traits.takes_grad_scaler = takes_grad_scaler;
    return std::make_shared<CustomOptimizer>(call.session(), groups, custom_step(call), traits);
  }
  static Tensor clip_grad_norm_(Call& call, const std::vector<Tensor>& params, double max_norm) {
    return cuda::clip_grad_norm_(params, max_norm, call.release());
  }

  static std::vector<NamedTensor> state(Optimizer& optimizer, std::size_t index) {
    return optimizer.state(index);
  }
  static const std::vector<NamedTensor>& tensors_in(const std::vector<NamedTensor>& kept) {
    return kept;
  }
  static Saved save(Optimizer& optimizer) { return cuda::save(optimizer); }
  static void load(Call& call, Optimizer& optimizer, const Saved& saved) {
    cuda::load(call.session(), optimizer, saved);
  }
  static std::vector<NamedTensor>& add_state(Saved& saved, std::int64_t number) {
    return (*saved.state)[number];
  }
  static void set_tensor(std::vector<NamedTensor>& state, std::string_view name,
                         const Tensor& tensor) {
    state.push_back({std::string(name), tensor});
  }
  static std::vector<std::int64_t>& params_of(SavedGroup& group) { return group.numbers; }
  /// PyTorch 1.11 and older saved a number.
  static Tensor tensor_of_step(const Call&, double number) {
    return full({}, number, Dtype::kFloat32, kCpu);
  }
  static void check_has_params(bool has_params) {
    require(has_params, ErrorKind::kKey, [] { return std::string("'params'"); });
  }
};

using OptimCommands = OptimCommandsOf<OptimRuntime>;

}  // namespace

#include <waist/answers/optim.inc>

namespace {

struct ScalerRuntime {
  using Call = cuda::Call;
  using Object = cuda::Object;
  using GradScaler = cuda::GradScaler;
  using Optimizer = cuda::Optimizer;
  using State = ScalerState;
  using Lazy = LazyOutputs;
  using Construction = ConstructorCall;
  using Api = ScalerClass;
  using NewScale = cuda::NewScale;
  using WrongScale = cuda::WrongScale;

  static bool has_cuda(const Call&) { return home().is_cuda() && Session::cuda_devices() > 0; }
  static ConstructorArgument construction_argument(const Value& value) {
    if (const auto number = scalar_from(value)) return *number;
    if (const auto* text = value.get_if<std::string>()) return *text;
    return OtherArgument{std::string(kind_of(value))};
  }
  static std::shared_ptr<GradScaler> make(Call& call, const ConstructorCall& asked) {
    return std::make_shared<GradScaler>(call.session(), options_from(asked, call.release()));
  }
  /// SCL-214: the call does nothing then.
  static bool takes_any_optimizer(const GradScaler& scaler) { return !scaler.is_enabled(); }
  static std::optional<Scalar> number_from(const Value& value) { return scalar_from(value); }
  static std::pair<Device, Tensor> flag_of(const DeviceFlag& found) {
    return {found.device, found.flag};
  }
};

using ScalerCommands = ScalerCommandsOf<ScalerRuntime>;

}  // namespace

#include <waist/answers/scaler.inc>

}  // namespace assay::cuda

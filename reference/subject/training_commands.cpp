// Areas optim and scaler: the reference's types, what it decides about arguments, optimizer steps,
// and nested containers.
#include <any>
#include <memory>

#include "harness/subject/areas/optim.hpp"
#include "harness/subject/areas/scaler.hpp"
#include "reference/core/tensor/factory.hpp"
#include "reference/core/types/error.hpp"
#include "reference/optim/adam.hpp"
#include "reference/optim/clip.hpp"
#include "reference/optim/optimizer.hpp"
#include "reference/optim/sgd.hpp"
#include "reference/optim/state_dict.hpp"
#include "reference/scaler/grad_scaler.hpp"
#include "reference/subject/call.hpp"

namespace assay::reference {

// Optimizer steps.

/// Takes the arguments `args` and `kwargs` if the command has them. Client code is called through
/// the host. Valid as long as `call`.
StepCall step_call(Call& call);

/// Sets the field `result`; an empty value becomes None.
void set_step_result(Call& call, const std::any& returned);

std::shared_ptr<Optimizer> optimizer_argument(Call& call);

/// None, a number, or a tensor by name or by value.
Value to_value(Call& call, const ScalerAttribute& attribute);

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

// Nested containers, for scale().

/// Resolves references to tensors and lazy sequences.
Nested outputs_from(Call& call, const Value& value);

/// Sets the field `result`. Unnamed tensors inside containers are returned by value.
void set_outputs_result(Call& call, const Nested& nested);

namespace {

/// A sequence of listed values. Creates tensors
/// immediately, because it may outlive the call.
class GivenSequence final : public LazySequence {
 public:
  explicit GivenSequence(std::vector<Nested> items) : items_(std::move(items)) {}
  std::optional<Nested> next() override {
    if (at_ == items_.size()) return std::nullopt;
    return items_[at_++];
  }

 private:
  std::vector<Nested> items_;
  std::size_t at_ = 0;
};

std::vector<Nested> all_nested(Call& call, const std::vector<Value>& values) {
  std::vector<Nested> items;
  for (const Value& value : values) items.push_back(outputs_from(call, value));
  return items;
}

std::shared_ptr<LazySequence> sequence_of(std::vector<Nested> items) {
  return std::make_shared<GivenSequence>(std::move(items));
}

/// Iterates over the characters, as strings.
Nested text(const std::string& held) {
  const auto iterate = [held] {
    std::vector<Nested> characters;
    for (const char letter : held) characters.push_back(text(std::string(1, letter)));
    return sequence_of(std::move(characters));
  };
  return {NestedOther{Value(held), "str", iterate}};
}

/// Iterates over the keys.
Nested dict(Call& call, const Value& value, const Dict& held) {
  std::vector<Nested> keys;
  for (const auto& [key, mapped] : held.items) keys.push_back(outputs_from(call, key));
  return {NestedOther{value, "dict", [keys] { return sequence_of(keys); }}};
}

Nested referred(Call& call, const Value& value, const std::string& name) {
  const Object object = call.names().get(name);
  if (object.is<TensorImpl>()) return {Tensor(object.as<TensorImpl>())};
  if (object.is<LazySequence>()) return {object.as<LazySequence>()};
  return {NestedOther{value, std::string(object.kind()), {}}};
}

Value to_value(Call& call, const Nested& nested);

std::vector<Value> all_values(Call& call, const std::vector<Nested>& items) {
  std::vector<Value> values;
  for (const Nested& item : items) values.push_back(to_value(call, item));
  return values;
}

struct ToValue {
  Call& call;

  Value operator()(const Tensor& tensor) const { return call.give(tensor); }
  Value operator()(const NestedList& list) const { return List{all_values(call, list.items)}; }
  Value operator()(const NestedTuple& tuple) const { return Tuple{all_values(call, tuple.items)}; }
  Value operator()(const NestedNamed& named) const {
    NamedTuple made{named.type, {}};
    for (std::size_t i = 0; i < named.names.size(); ++i) {
      made.fields.emplace_back(named.names[i], to_value(call, named.items[i]));
    }
    return made;
  }
  Value operator()(const std::shared_ptr<LazySequence>&) const { return Opaque{"lazy"}; }
  Value operator()(const NestedOther& other) const {
    const auto* original = std::any_cast<Value>(&other.original);
    return original == nullptr ? Value(Opaque{other.kind}) : *original;
  }
};

Value to_value(Call& call, const Nested& nested) { return std::visit(ToValue{call}, nested.value); }

}  // namespace

Nested outputs_from(Call& call, const Value& value) {
  if (value.tensor() != nullptr || value.sparse() != nullptr) return {call.tensor_from(value)};
  if (const auto* ref = value.get_if<Ref>()) return referred(call, value, ref->name);
  if (const auto* list = value.get_if<List>()) return {NestedList{all_nested(call, list->items)}};
  if (const auto* tuple = value.get_if<Tuple>()) {
    return {NestedTuple{all_nested(call, tuple->items)}};
  }
  if (const auto* lazy = value.get_if<Lazy>()) {
    return {sequence_of(all_nested(call, lazy->items))};
  }
  if (const auto* held = value.get_if<std::string>()) return text(*held);
  if (const auto* held = value.get_if<Dict>()) return dict(call, value, *held);
  if (const auto* named = value.get_if<NamedTuple>()) {
    NestedNamed made{named->type, {}, {}};
    for (const auto& [name, field] : named->fields) {
      made.names.push_back(name);
      made.items.push_back(outputs_from(call, field));
    }
    return {std::move(made)};
  }
  return {NestedOther{value, std::string(kind_of(value)), {}}};
}

void set_outputs_result(Call& call, const Nested& nested) {
  if (const auto* tensor = std::get_if<Tensor>(&nested.value)) return call.result(*tensor);
  if (const auto* lazy = std::get_if<std::shared_ptr<LazySequence>>(&nested.value)) {
    return call.result(Object(*lazy, "lazy"));
  }
  call.result(to_value(call, nested));
}

// Area optim.

namespace {

struct OptimRuntime {
  using Call = reference::Call;
  using Object = reference::Object;
  using Tensor = reference::Tensor;
  using Optimizer = reference::Optimizer;
  using ParamGroup = reference::ParamGroup;
  using Attribute = ScalerAttribute;
  using Settings = reference::Settings;
  using Setting = reference::Setting;
  using Numbers = std::vector<double>;
  using Saved = StateDict;
  using Mode = OptimizerMode;
  using HookToken = std::int64_t;
  using Groups = std::vector<ParamGroup>;

  static void set(Settings& settings, const std::string& name, Setting setting) {
    settings.set(name, std::move(setting));
  }
  static const auto& items(const Settings& settings) { return settings.items(); }
  static Setting numbers(std::vector<double> numbers) { return numbers; }
  static void write_mode(Settings& settings, OptimizerMode mode) { set_mode(settings, mode); }

  static std::shared_ptr<Optimizer> sgd(Call& call, Groups groups, const Settings& given) {
    return std::make_shared<Sgd>(call.runtime(), std::move(groups), given);
  }
  static std::shared_ptr<Optimizer> adam(Call& call, Groups groups, bool is_decoupled,
                                         const Settings& given) {
    const auto kind = is_decoupled ? Adam::Kind::kAdamW : Adam::Kind::kAdam;
    return std::make_shared<Adam>(call.runtime(), std::move(groups), kind, given);
  }
  static std::shared_ptr<Optimizer> custom(Call& call, Groups groups, bool supports_amp_scaling,
                                           bool takes_grad_scaler) {
    const CustomOptimizer::Traits traits = {supports_amp_scaling, takes_grad_scaler};
    return std::make_shared<CustomOptimizer>(call.runtime(), std::move(groups),
                                             std::any(call.arguments().value("step")), traits);
  }
  static Tensor clip_grad_norm_(Call& call, const std::vector<Tensor>& params, double max_norm) {
    return reference::clip_grad_norm_(call.runtime(), params, max_norm);
  }

  static const auto& state(Optimizer& optimizer, std::size_t index) {
    return tensors_in(optimizer.state_of(optimizer.params()[index]));
  }
  static const std::vector<std::pair<std::string, Tensor>>& tensors_in(const ParamState& kept) {
    return kept.tensors();
  }
  static StateDict save(Optimizer& optimizer) { return state_dict(optimizer); }
  static void load(Call& call, Optimizer& optimizer, const StateDict& saved) {
    load_state_dict(call.runtime(), optimizer, saved);
  }
  static ParamState& add_state(StateDict& saved, std::int64_t number) {
    return saved.state->emplace_back(number, ParamState()).second;
  }
  static void set_tensor(ParamState& state, const std::string& name, const Tensor& tensor) {
    state.set(name, tensor);
  }
  static std::vector<std::int64_t>& params_of(StateDict::Group& group) { return group.params; }
  /// As 1.11 saved it.
  static Tensor tensor_of_step(Call& call, double number) {
    return scalar_tensor(call.runtime(), number, ScalarType::kFloat, kCpuDevice);
  }
  static void check_has_params(bool has_params) {
    check(has_params, ErrorKind::kKey, [] { return "'params'"; });
  }
};

using OptimCommands = OptimCommandsOf<OptimRuntime>;

}  // namespace

#include <waist/answers/optim.inc>

// Area scaler.

namespace {

struct ScalerRuntime {
  using Call = reference::Call;
  using Object = reference::Object;
  using GradScaler = reference::GradScaler;
  using Optimizer = reference::Optimizer;
  using State = ScalerState;
  using Lazy = LazySequence;
  using Construction = ScalerCall;
  using Api = ScalerApi;
  using NewScale = reference::NewScale;
  using WrongScale = WrongNewScale;

  static bool has_cuda(const Call& call) { return call.contract().cuda(); }
  static ScalerArgument construction_argument(const Value& value) {
    if (const auto* truth = value.get_if<bool>()) return *truth;
    if (const auto* integer = value.get_if<std::int64_t>()) return *integer;
    if (const auto* real = value.get_if<double>()) return *real;
    if (const auto* text = value.get_if<std::string>()) return *text;
    // A device object is not a string, so it never equals "cuda" (SCL-004).
    if (const auto* device = value.get_if<assay::Device>()) return to_text(*device) + " (a device)";
    throw InvalidArgument("a scaler is not made of a " + std::string(kind_of(value)));
  }
  static std::shared_ptr<GradScaler> make(Call& call, const ScalerCall& asked) {
    return std::make_shared<GradScaler>(call.runtime(), options_of(call.runtime(), asked));
  }
  static bool takes_any_optimizer(const GradScaler& scaler) {
    return !scaler.is_enabled();  // SCL-214
  }
  static std::optional<Scalar> number_from(const Value& value) { return scalar_from(value); }
  static const auto& flag_of(const auto& entry) { return entry; }
};

using ScalerCommands = ScalerCommandsOf<ScalerRuntime>;

}  // namespace

#include <waist/answers/scaler.inc>

}  // namespace assay::reference

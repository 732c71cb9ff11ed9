// Area autograd: client-defined functions, and checkpoints.
#include "cuda_impl/autocast/checkpoint.hpp"
#include "cuda_impl/autocast/custom_function.hpp"
#include "cuda_impl/autograd/function.hpp"
#include "cuda_impl/core/device/device_text.hpp"
#include "cuda_impl/subject/command_table.hpp"

namespace assay::cuda {
namespace {

using autocast::CustomCasts;

struct ClientFunction {
  std::string forward;
  std::string backward;
  std::optional<CustomCasts> casts;
};

std::string callable(Call& call, std::string_view name) {
  if (const auto* found = call.arguments().value(name).get_if<Callable>()) return found->name;
  throw InvalidArgument(call.command().verb + ": '" + std::string(name) + "' must be a callable");
}

/// Null if the entry is missing or None.
const Value* entry_of(const Dict& dict, std::string_view wanted) {
  for (const auto& [key, value] : dict.items) {
    const auto* name = key.get_if<std::string>();
    if (name != nullptr && *name == wanted) return value.is_none() ? nullptr : &value;
  }
  return nullptr;
}

CustomCasts casts_from(Call& call, const Value& value) {
  const auto* dict = value.get_if<Dict>();
  const Value* device = dict == nullptr ? nullptr : entry_of(*dict, "device");
  const auto* text = device == nullptr ? nullptr : device->get_if<std::string>();
  if (text == nullptr) throw InvalidArgument("autograd.function: 'casts' must name a device");
  if (call.release() == Release::k1_13 && *text != "cuda") {
    throw NotSupported("custom_fwd of 1.13 is for CUDA only");
  }
  CustomCasts casts;
  casts.device = *text;
  casts.kind = device_from_text(*text, call.contract()).kind;
  if (const Value* inputs = entry_of(*dict, "inputs")) {
    const auto* dtype = inputs->get_if<assay::Dtype>();
    if (dtype == nullptr) throw InvalidArgument("autograd.function: 'inputs' must be a dtype");
    casts.inputs = from_waist(*dtype);
  }
  return casts;
}

/// Undefined if the value is not a tensor.
Tensor tensor_in(Call& call, const Value& value) {
  if (const auto* ref = value.get_if<Ref>()) return call.names().get(ref->name).tensor();
  const bool is_tensor = value.tensor() != nullptr || value.sparse() != nullptr;
  return is_tensor ? call.tensor_from(value) : Tensor();
}

std::vector<Tensor> tensors_in(Call& call, const std::vector<Value>& values) {
  std::vector<Tensor> found;
  for (const Value& value : values) found.push_back(tensor_in(call, value));
  return found;
}

Value lent(Call& call, const Tensor& tensor) {
  return tensor.defined() ? call.lend(Object(tensor)) : Value();
}

/// Returns the items of a list or tuple; another value counts as one item.
std::vector<Value> items_of(const Value& value) {
  if (const auto* list = value.get_if<List>()) return list->items;
  if (const auto* tuple = value.get_if<Tuple>()) return tuple->items;
  return {value};
}

/// Also casts inside containers (CAST-704).
class InputCast {
 public:
  InputCast(Call& call, const CustomCasts& casts, Dtype to) : call_(call), casts_(casts), to_(to) {}

  Value operator()(const Value& value) const {
    if (const Tensor tensor = tensor_in(call_, value); tensor.defined()) {
      return lent(call_, autocast::cast_input(tensor, casts_, to_));
    }
    if (const auto* list = value.get_if<List>()) return List{each(list->items)};
    if (const auto* tuple = value.get_if<Tuple>()) return Tuple{each(tuple->items)};
    if (const auto* lazy = value.get_if<Lazy>()) return Lazy{each(lazy->items)};
    if (const auto* dict = value.get_if<Dict>()) return entries(*dict);
    require(!value.is<NamedTuple>(), ErrorKind::kType, [] {
      return "a named tuple takes its fields one by one, and cannot be rebuilt from an iterable";
    });
    return value;
  }

 private:
  std::vector<Value> each(const std::vector<Value>& items) const {
    std::vector<Value> cast;
    for (const Value& item : items) cast.push_back((*this)(item));
    return cast;
  }
  Dict entries(const Dict& dict) const {
    Dict cast;
    for (const auto& [key, value] : dict.items)
      cast.items.emplace_back((*this)(key), (*this)(value));
    return cast;
  }

  Call& call_;
  const CustomCasts& casts_;
  Dtype to_;
};

autograd::ForwardResult run_forward(const ClientFunction& function,
                                    const std::vector<Value>& arguments) {
  Call& call = Call::current();
  const Value returned = call.call_back(function.forward, arguments);
  const std::vector<Tensor> tensors = tensors_in(call, items_of(returned));
  require(!tensors.empty(), ErrorKind::kType, [] { return "forward returned nothing"; });
  return {tensors.front(), {tensors.begin() + 1, tensors.end()}};
}

std::vector<Tensor> run_backward(const ClientFunction& function, const Tensor& gradient,
                                 const std::vector<Tensor>& saved) {
  Call& call = Call::current();
  List kept;
  for (const Tensor& tensor : saved) kept.items.push_back(lent(call, tensor));
  const Value returned = call.call_back(function.backward, {lent(call, gradient)},
                                        {{"saved", Value(std::move(kept))}});
  return tensors_in(call, items_of(returned));
}

autograd::ForwardResult run_cast_forward(Call& call, const ClientFunction& function,
                                         const std::vector<Value>& arguments,
                                         autocast::CustomState& state) {
  autograd::ForwardResult outcome;
  state = autocast::custom_forward(*function.casts, [&](std::optional<Dtype> to) {
    std::vector<Value> inputs = arguments;
    for (Value& input : inputs) {
      if (to) input = InputCast(call, *function.casts, *to)(input);
    }
    outcome = run_forward(function, inputs);
  });
  return outcome;
}

}  // namespace

void autograd_function(Call& call) {
  auto made = std::make_shared<ClientFunction>();
  made->forward = callable(call, "forward");
  made->backward = callable(call, "backward");
  if (!call.is_none("casts")) made->casts = casts_from(call, call.arguments().value("casts"));
  call.result(Object(std::move(made), "function"));
}

void autograd_apply(Call& call) {
  const auto function = call.held<ClientFunction>("function", "function");
  const std::vector<Value> arguments = call.arguments().items("args");
  const auto state = std::make_shared<autocast::CustomState>();
  const auto forward = [&] {
    return function->casts ? run_cast_forward(call, *function, arguments, *state)
                           : run_forward(*function, arguments);
  };
  const auto backward = [function, state](const Tensor& gradient,
                                          const std::vector<Tensor>& saved) {
    if (!function->casts) return run_backward(*function, gradient, saved);
    std::vector<Tensor> gradients;
    autocast::custom_backward(*function->casts, *state, gradient.device(),
                              [&] { gradients = run_backward(*function, gradient, saved); });
    return gradients;
  };
  call.result(autograd::run_function(tensors_in(call, arguments), forward, backward));
}

void autograd_checkpoint(Call& call) {
  const auto run = [body = callable(call, "body")](const std::vector<Tensor>& inputs) {
    Call& now = Call::current();
    std::vector<Value> arguments;
    for (const Tensor& input : inputs) arguments.push_back(lent(now, input));
    return now.call_back_for_tensor(body, arguments);
  };
  call.result(autocast::checkpoint(call.tensors("args"), run));
}

}  // namespace assay::cuda

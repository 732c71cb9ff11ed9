// Area autograd, and core.backward: modes, backward, queries about the graph, client-defined
// functions, and checkpoints.
#include <optional>

#include "cuda_impl/aten/derivatives.hpp"
#include "cuda_impl/autocast/checkpoint.hpp"
#include "cuda_impl/autocast/custom_function.hpp"
#include "cuda_impl/autocast/state.hpp"
#include "cuda_impl/autograd/engine.hpp"
#include "cuda_impl/autograd/function.hpp"
#include "cuda_impl/autograd/functions.hpp"
#include "cuda_impl/autograd/node.hpp"
#include "cuda_impl/core/device/device.hpp"
#include "cuda_impl/dispatch/keys/thread_keys.hpp"
#include "cuda_impl/subject/call.hpp"

namespace assay::cuda {

void autograd_grad_mode(Call& call) {
  give_held<GradModeGuard>(call, call.arguments().boolean("value"));
}

void autograd_inference_mode(Call& call) {
  give_held<dispatch::InferenceModeGuard>(call, call.contract(), call.arguments().boolean("value"));
}

void autograd_is_grad_enabled(Call& call) { call.result(Value(grad_mode())); }
void autograd_is_inference_mode(Call& call) { call.result(Value(inference_mode())); }

void autograd_is_inference(Call& call) {
  const Tensor tensor = call.tensor("tensor");
  call.result(Value(tensor.defined() && tensor->is_inference));
}

void autograd_backward(Call& call) {
  const aten::DispatchedDerivatives scope(call.dispatcher());
  BackwardOptions options;
  options.retain_graph = call.arguments().boolean("retain_graph", false);
  backward(call.tensor("tensor"), call.tensor_or_none("gradient"), options);
}

void autograd_grad(Call& call) {
  const aten::DispatchedDerivatives scope(call.dispatcher());
  BackwardOptions options;
  options.create_graph = call.arguments().boolean("create_graph", false);
  const std::vector<Tensor> gradients =
      gradients_of(call.tensor("output"), call.tensors("inputs"), call.tensor_or_none("gradient"),
                   options, call.release());
  List list;
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    const bool is_there = gradients[i].defined();
    list.items.push_back(is_there ? call.give_as(std::to_string(i), gradients[i]) : Value());
  }
  call.set("result", Value(std::move(list)));
}

void autograd_node(Call& call) {
  const Tensor tensor = call.tensor("tensor");
  const GradientEdge edge = edge_to(tensor);
  List next;
  List saved;
  if (edge.node != nullptr) {
    for (const GradientEdge& behind : edge.node->edges()) {
      next.items.emplace_back(std::string(behind.kind()));
    }
    for (const SavedTensor& kept : edge.node->saved()) {
      if (kept.as_it_is().defined()) saved.items.emplace_back(to_waist(kept.as_it_is().dtype()));
    }
  }
  call.set("kind", std::string(edge.kind()));
  call.set("next", Value(std::move(next)));
  call.set("saved", Value(std::move(saved)));
}

void autograd_same_node(Call& call) {
  const Tensor a = call.tensor("a");
  const Tensor b = call.tensor("b");
  call.result(Value(a.defined() && b.defined() && a->history && a->history == b->history));
}

void autograd_hook(Call& call) {
  const double factor = call.arguments().real("factor");
  add_hook(call.tensor("tensor"),
           [factor](const Tensor& gradient) { return autograd::mul(gradient, Scalar(factor)); });
}

void core_backward(Call& call) {
  const aten::DispatchedDerivatives scope(call.dispatcher());
  backward(call.tensor("tensor"));
}

// Client-defined functions, and checkpoints.

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

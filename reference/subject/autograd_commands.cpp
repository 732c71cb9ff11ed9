// Area autograd: modes, backward, inspection of the graph, functions written by clients, and
// checkpoints.
#include "reference/autocast/checkpoint.hpp"
#include "reference/autocast/custom_rule.hpp"
#include "reference/autocast/state.hpp"
#include "reference/autograd/engine.hpp"
#include "reference/autograd/function.hpp"
#include "reference/autograd/leaf.hpp"
#include "reference/core/math/elementwise.hpp"
#include "reference/core/runtime.hpp"
#include "reference/dispatch/keys/thread_keys.hpp"
#include "reference/subject/call.hpp"

namespace assay::reference {
namespace {

class GradModeScope final : public Guard {
 public:
  GradModeScope(Runtime& runtime, bool value) : runtime_(runtime), before_(modes()) {
    modes().grad = value;
  }
  void leave() override { modes() = before_; }

 private:
  GradModes& modes() { return runtime_.local<GradModes>(); }

  Runtime& runtime_;
  GradModes before_;
};

/// Enters inference mode or suspends it (DSP-216).
class InferenceScope final : public Guard {
 public:
  InferenceScope(Runtime& runtime, bool value)
      : runtime_(runtime), before_(runtime.local<GradModes>()), keys_before_(thread_keys(runtime)) {
    const KeyLayout& layout = KeyLayout::of(runtime.contract().release);
    const KeySet in_place = set_of(layout, Functionality::kADInplaceOrView);
    ThreadKeys keys = keys_before_;
    keys.included = value ? minus(layout, keys.included, in_place) : keys.included | in_place;
    keys.excluded = value ? keys.excluded | autograd_keys_below(layout)
                          : minus(layout, keys.excluded, autograd_keys_below(layout));
    set_thread_keys(runtime, keys);
    runtime.local<GradModes>() = {.grad = !value, .inference = value};
  }
  void leave() override {
    runtime_.local<GradModes>() = before_;
    set_thread_keys(runtime_, keys_before_);
  }

 private:
  Runtime& runtime_;
  GradModes before_;
  ThreadKeys keys_before_;
};

template <typename Scope>
void enter_mode(Call& call) {
  std::shared_ptr<Guard> guard =
      std::make_shared<Scope>(call.runtime(), call.arguments().boolean("value"));
  call.result(Object(std::move(guard), "guard"));
}

}  // namespace

void autograd_is_grad_enabled(Call& call) { call.result(is_grad_enabled(call.runtime())); }
void autograd_is_inference_mode(Call& call) { call.result(is_inference_mode(call.runtime())); }
void autograd_is_inference(Call& call) { call.result(call.tensor("tensor").is_inference()); }

void autograd_backward(Call& call) {
  BackwardOptions options;
  options.retain_graph = call.arguments().boolean("retain_graph", false);
  backward(call.runtime(), call.tensor("tensor"), call.tensor_or_none("gradient"), options);
}

void autograd_grad(Call& call) {
  BackwardOptions options;
  options.create_graph = call.arguments().boolean("create_graph", false);
  options.retain_graph = options.create_graph;
  const auto grads = gradients_of(call.runtime(), call.tensor("output"), call.tensors("inputs"),
                                  call.tensor_or_none("gradient"), options);
  assay::List list;
  for (std::size_t i = 0; i < grads.size(); ++i) {
    list.items.push_back(grads[i].defined() ? call.give_as(std::to_string(i), grads[i]) : Value());
  }
  call.set("result", std::move(list));
}

void autograd_node(Call& call) {
  const Tensor tensor = call.tensor("tensor");
  assay::List next;
  assay::List saved;
  if (const std::shared_ptr<Node>& node = tensor.node()) {
    for (const Edge& edge : node->next()) {
      next.items.emplace_back(edge.node == nullptr ? "none" : edge.node->kind());
    }
    for (const Tensor& kept : node->saved()) saved.items.emplace_back(to_protocol(kept.dtype()));
    call.set("kind", node->kind());
  } else {
    call.set("kind", tensor.requires_grad() ? "leaf" : "none");
  }
  call.set("next", std::move(next));
  call.set("saved", std::move(saved));
}

void autograd_same_node(Call& call) {
  const Tensor a = call.tensor("a");
  const Tensor b = call.tensor("b");
  call.result(a.node() != nullptr && a.node() == b.node());
}

void autograd_hook(Call& call) {
  Runtime& runtime = call.runtime();
  const double factor = call.arguments().real("factor");
  add_hook(call.tensor("tensor"),
           [&runtime, factor](const Tensor& grad) { return mul(runtime, grad, Scalar(factor)); });
}

void autograd_grad_mode(Call& call) { enter_mode<GradModeScope>(call); }
void autograd_inference_mode(Call& call) { enter_mode<InferenceScope>(call); }

// Functions written by clients, and checkpoints.

namespace {

struct ClientFunction {
  std::string forward;
  std::string backward;
  std::optional<CustomCasts> casts;
};

const Value* entry_of(const Dict& dict, std::string_view wanted) {
  for (const auto& [key, value] : dict.items) {
    const auto* name = key.get_if<std::string>();
    if (name != nullptr && *name == wanted) return value.is_none() ? nullptr : &value;
  }
  return nullptr;
}

CustomCasts casts_from(Call& call, const Value& value) {
  const auto* dict = value.get_if<Dict>();
  if (dict == nullptr) throw InvalidArgument("autograd.function: 'casts' must be a dict");
  CustomCasts casts;
  const Value* device = entry_of(*dict, "device");
  const auto* text = device == nullptr ? nullptr : device->get_if<std::string>();
  if (text == nullptr) throw InvalidArgument("autograd.function: 'casts' must name a device");
  casts.device = *text;
  if (const Value* inputs = entry_of(*dict, "inputs")) {
    const auto* dtype = inputs->get_if<assay::Dtype>();
    if (dtype == nullptr) throw InvalidArgument("autograd.function: 'inputs' must be a dtype");
    casts.inputs = to_reference(*dtype);
  }
  if (call.contract().before(Release::k2_4) && casts.device != "cuda") {
    throw NotSupported("custom_fwd of 1.13 is for CUDA only");
  }
  return casts;
}

std::string callable_argument(Call& call, std::string_view name) {
  const auto* callable = call.arguments().value(name).get_if<Callable>();
  if (callable == nullptr) {
    throw InvalidArgument(call.command().verb + ": '" + std::string(name) + "' must be a callable");
  }
  return callable->name;
}

bool is_tensor(Call& call, const Value& value) {
  if (value.tensor() != nullptr || value.sparse() != nullptr) return true;
  const auto* ref = value.get_if<Ref>();
  return ref != nullptr && call.names().get(ref->name).is<TensorImpl>();
}

Tensor tensor_or_nothing(Call& call, const Value& value) {
  return is_tensor(call, value) ? call.tensor_from(value) : Tensor{};
}

std::vector<Tensor> tensors_in(Call& call, const std::vector<Value>& values) {
  std::vector<Tensor> found;
  for (const Value& value : values) found.push_back(tensor_or_nothing(call, value));
  return found;
}

Value lent(const Tensor& tensor) {
  return tensor.defined() ? Call::current().lend(Object(tensor)) : Value();
}

const std::vector<Value>* items_of(const Value& value) {
  if (const auto* list = value.get_if<assay::List>()) return &list->items;
  if (const auto* tuple = value.get_if<assay::Tuple>()) return &tuple->items;
  return nullptr;
}

/// custom_fwd casts inside containers, too (CAST-704).
class InputCast {
 public:
  InputCast(Call& call, const std::string& device, ScalarType to)
      : call_(call), device_(device), to_(to) {}

  Value operator()(const Value& value) const {
    if (is_tensor(call_, value)) {
      return lent(cast_input(call_.runtime(), call_.tensor_from(value), device_, to_));
    }
    if (const auto* list = value.get_if<assay::List>()) return assay::List{each(list->items)};
    if (const auto* tuple = value.get_if<assay::Tuple>()) return assay::Tuple{each(tuple->items)};
    if (const auto* lazy = value.get_if<assay::Lazy>()) return assay::Lazy{each(lazy->items)};
    if (const auto* dict = value.get_if<Dict>()) return cast_dict(*dict);
    check(!value.is<assay::NamedTuple>(), ErrorKind::kType, [] {
      return "a named tuple is rebuilt from one iterable, and it takes its fields one by one";
    });
    return value;
  }

 private:
  std::vector<Value> each(const std::vector<Value>& items) const {
    std::vector<Value> mapped;
    for (const Value& item : items) mapped.push_back((*this)(item));
    return mapped;
  }
  Value cast_dict(const Dict& dict) const {
    Dict mapped;
    for (const auto& [key, value] : dict.items) {
      mapped.items.emplace_back((*this)(key), (*this)(value));
    }
    return mapped;
  }

  Call& call_;
  const std::string& device_;
  ScalarType to_;
};

ForwardResult run_forward(const ClientFunction& function, std::vector<Value> arguments) {
  const Value returned = Call::current().call_back(function.forward, arguments);
  Call& call = Call::current();
  const std::vector<Value>* items = items_of(returned);
  if (items == nullptr) return {tensor_or_nothing(call, returned), {}};
  std::vector<Tensor> tensors = tensors_in(call, *items);
  check(!tensors.empty(), ErrorKind::kType, [] { return "forward returned nothing"; });
  return {tensors.front(), {tensors.begin() + 1, tensors.end()}};
}

Gradients run_backward(const ClientFunction& function, const Tensor& grad,
                       const std::vector<Tensor>& saved) {
  assay::List kept;
  for (const Tensor& tensor : saved) kept.items.push_back(lent(tensor));
  const Value returned = Call::current().call_back(function.backward, {lent(grad)},
                                                   {{"saved", Value(std::move(kept))}});
  const std::vector<Value>* items = items_of(returned);
  if (items != nullptr) return tensors_in(Call::current(), *items);
  return {tensor_or_nothing(Call::current(), returned)};
}

}  // namespace

void autograd_function(Call& call) {
  auto made = std::make_shared<ClientFunction>();
  made->forward = callable_argument(call, "forward");
  made->backward = callable_argument(call, "backward");
  if (const Value* casts = call.arguments().optional("casts"); casts && !casts->is_none()) {
    made->casts = casts_from(call, *casts);
  }
  call.result(Object(std::move(made), "function"));
}

void autograd_apply(Call& call) {
  const auto function = call.held<ClientFunction>("function", "function");
  const std::vector<Value> arguments = call.arguments().items("args");
  Runtime& runtime = call.runtime();
  auto state = std::make_shared<CustomCastState>();

  const auto forward = [&] {
    if (!function->casts) return run_forward(*function, arguments);
    ForwardResult outcome;
    *state = custom_forward(runtime, *function->casts, [&](std::optional<ScalarType> to) {
      std::vector<Value> inputs = arguments;
      if (to) {
        const InputCast cast(call, function->casts->device, *to);
        for (Value& input : inputs) input = cast(input);
      }
      outcome = run_forward(*function, std::move(inputs));
    });
    return outcome;
  };
  const auto backward = [&runtime, function, state](const Tensor& grad,
                                                    const std::vector<Tensor>& saved) {
    if (!function->casts) return run_backward(*function, grad, saved);
    Gradients grads;
    custom_backward(runtime, *function->casts, *state, grad.device(),
                    [&] { grads = run_backward(*function, grad, saved); });
    return grads;
  };
  call.result(run_function(runtime, tensors_in(call, arguments), forward, backward));
}

void autograd_checkpoint(Call& call) {
  const std::string body = callable_argument(call, "body");
  const auto run = [body](const std::vector<Tensor>& inputs) {
    std::vector<Value> arguments;
    for (const Tensor& input : inputs) arguments.push_back(lent(input));
    return tensor_or_nothing(Call::current(),
                             Call::current().call_back_for_object(body, arguments));
  };
  call.result(checkpoint(call.runtime(), call.tensors("args"), run));
}

}  // namespace assay::reference

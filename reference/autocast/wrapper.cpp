// Applies the policies to calls, and registers wrappers for the operators of the lists.
#include "reference/autocast/wrapper.hpp"

#include "reference/autocast/casts.hpp"
#include "reference/autocast/op_lists.hpp"
#include "reference/autocast/state.hpp"
#include "reference/autograd/steps.hpp"
#include "reference/core/tensor/factory.hpp"
#include "reference/core/tensor/view.hpp"
#include "reference/dispatch/keys/thread_keys.hpp"
#include "reference/dispatch/registry/kernel.hpp"
#include "reference/operators/call.hpp"

namespace assay::reference {
namespace {

// cuDNN's recurrent networks, whose weights are views of one flat buffer (CAST-419).

// Argument indices in the schema of _cudnn_rnn.
constexpr std::size_t kInput = 0, kWeights = 1, kStride = 2, kBuffer = 3, kHidden = 4, kCell = 5;

void check_weights(const std::vector<Tensor>& weights, std::int64_t per_layer) {
  for (const Tensor& weight : weights) {
    check(weight.dtype() == weights.front().dtype(), [&] {
      return "_cudnn_rnn: all weights must have the same dtype, got " +
             std::string(cpp_name_of(weights.front().dtype())) + " and " +
             std::string(cpp_name_of(weight.dtype()));
    });
  }
  check(per_layer == 2 || per_layer == 4, [&] {
    return "_cudnn_rnn: weights per layer must be 2 or 4, got " + std::to_string(per_layer);
  });
}

/// Returns a view of the flat buffer with the weight's elements and autograd history.
Tensor placed(Runtime& runtime, const Tensor& flat, std::int64_t start, const Tensor& weight) {
  const Tensor view = as_strided(flat, weight.sizes(), contiguous_strides(weight.sizes()), start);
  const Tensor cast = cast_to(runtime, weight, flat.dtype());
  copy_(runtime, view, cast);
  TensorImpl& impl = *view.impl();
  impl.requires_grad = cast.requires_grad();
  impl.node = cast.node();
  impl.result = cast.impl()->result;
  return view;
}

void flatten(Runtime& runtime, ScalarType to, Stack& mapped, const std::vector<Tensor>& weights) {
  std::int64_t count = 0;
  for (const Tensor& weight : weights) count += weight.numel();
  const Tensor flat = empty(runtime, {count}, to, weights.front().device());
  std::vector<Tensor> views;
  std::int64_t start = 0;
  for (const Tensor& weight : weights) {
    views.push_back(placed(runtime, flat, start, weight));
    start += weight.numel();
  }
  mapped[kWeights] = boxed(views);
  mapped[kBuffer] = IValue(flat);
}

/// Returns the arguments of `_cudnn_rnn` with input and states in the low-precision dtype. If the
/// weights are eligible and have another dtype, they become views of one new buffer. Raises `error`
/// unless all weights have one dtype.
Stack reflattened(Runtime& runtime, CastDevice device, const Stack& args) {
  const BoxedArguments given(args, runtime.contract().release);
  const std::vector<Tensor> weights = given.tensors(kWeights);
  check(!weights.empty(), [] { return "_cudnn_rnn: there are no weights"; });
  check_weights(weights, given.integer(kStride));
  const ScalarType low = low_dtype(runtime, device);
  const Tensor told = given.tensor(kBuffer).defined() ? given.tensor(kBuffer) : weights.front();
  Stack mapped = args;
  if (is_eligible(told, device) && told.dtype() != low) flatten(runtime, low, mapped, weights);
  for (const std::size_t at : {kInput, kHidden, kCell}) {
    mapped[at] = cached_cast(runtime, low, args[at], device);
  }
  return mapped;
}

// Policies.

bool is_type(const SchemaType& type, std::string_view text) { return to_text(type) == text; }

bool is_tensor(const SchemaType& type) { return type.kind == TypeKind::kTensor; }
bool is_tensor_list(const SchemaType& type) { return is_type(type, "Tensor[]"); }
/// Types that are never cast (CAST-207).
bool is_opaque(const SchemaType& type) {
  return !is_tensor(type) && !is_tensor_list(type) && !is_type(type, "Tensor?");
}

/// One call of a wrapped operator, with its arguments popped from the stack.
class WrappedCall {
 public:
  WrappedCall(const WrapperRule& rule, const OperatorHandle& op, Stack& stack)
      : rule_(rule),
        schema_(op.schema()),
        runtime_(op.dispatcher().runtime()),
        args_(take_arguments(op, stack).values()) {}

  /// Returns the arguments for the target.
  Stack mapped() {
    switch (rule_.policy) {
      case CastPolicy::kLower:
        return all_cast(low_dtype(runtime_, rule_.device));
      case CastPolicy::kFp32:
        return all_cast(ScalarType::kFloat);
      case CastPolicy::kSetOpt:
        return with_dtype_set();
      case CastPolicy::kAppend:
        return with_dtype_appended();
      case CastPolicy::kPromote:
        return all_cast(promoted_type());
      case CastPolicy::kBanned:
        refuse();
      case CastPolicy::kRnn:
        break;
    }
    return reflattened(runtime_, rule_.device, args_);
  }

 private:
  /// 1.13 does not cast the list of `cat` (CAST-206).
  bool is_unknown_list(const SchemaType& type) const {
    return runtime_.contract().release == Release::k1_13 && is_tensor_list(type) &&
           schema_.name.name == "aten::cat";
  }

  Stack all_cast(ScalarType to) const {
    Stack cast;
    for (std::size_t i = 0; i < args_.size(); ++i) {
      const SchemaType& type = schema_.arguments[i].type;
      const bool stays = is_opaque(type) || is_unknown_list(type);
      cast.push_back(stays ? args_[i] : cached_cast(runtime_, to, args_[i], rule_.device));
    }
    return cast;
  }

  /// Ignores optional tensors (CAST-411).
  ScalarType promoted_type() const {
    ScalarType current = low_dtype(runtime_, rule_.device);
    for (std::size_t i = 0; i < args_.size(); ++i) {
      const SchemaType& type = schema_.arguments[i].type;
      if (!is_tensor(type) && (!is_tensor_list(type) || is_unknown_list(type))) continue;
      try {
        current = prioritize(runtime_, current, args_[i], rule_.device);
      } catch (const Error& unexpected) {
        throw Error(unexpected.message() + " (argument " + std::to_string(i) + " of " +
                    to_text(schema_.name) + ")");
      }
    }
    return current;
  }

  /// 1.13 tests for CUDA in the wrappers of all devices (CAST-415).
  CastDevice tested_device() const {
    const bool is_old = runtime_.contract().release == Release::k1_13;
    return is_old ? DeviceType::kCuda : rule_.device;
  }

  Stack with_dtype_set() const {
    Stack set = args_;
    if (!first_is_eligible(tested_device(), args_)) return set;  // CAST-404
    for (std::size_t i = 0; i < set.size(); ++i) {
      if (!is_type(schema_.arguments[i].type, "ScalarType?") || set[i].kind() != "None") continue;
      set[i] = IValue(ScalarType::kFloat, runtime_.contract().release);
    }
    return set;
  }

  Stack with_dtype_appended() const {
    Stack appended = args_;
    const ScalarType dtype = type_from_first(tested_device(), ScalarType::kFloat, args_);
    appended.emplace_back(dtype, runtime_.contract().release);
    return appended;
  }

  /// CAST-412: precedes all casts.
  [[noreturn]] void refuse() const {
    throw Error(
        "torch.nn.functional.binary_cross_entropy and torch.nn.BCELoss are unsafe to autocast.\n"
        "Use binary_cross_entropy_with_logits, or torch.nn.BCEWithLogitsLoss, which combine the "
        "sigmoid and the loss and are safe to autocast.");
  }

  const WrapperRule& rule_;
  FunctionSchema schema_;
  Runtime& runtime_;
  Stack args_;
};

KeySet excluded_by(const Dispatcher& dispatcher, DispatchKey key) {
  return set_of(dispatcher.layout(), key);
}

}  // namespace

Kernel autocast_wrapper(WrapperRule rule) {
  return Kernel::boxed([rule = std::move(rule)](const OperatorHandle& op, KeySet, Stack& stack) {
    Dispatcher& dispatcher = op.dispatcher();
    const DispatchKey key = autocast_key(rule.device, dispatcher.runtime().contract().release);
    const ExcludeKeyGuard off(dispatcher.runtime(), excluded_by(dispatcher, key));  // CAST-112
    Stack mapped = WrappedCall(rule, op, stack).mapped();
    const OperatorHandle target = rule.target.empty() ? op : dispatcher.op(rule.target);
    for (IValue& result : dispatcher.call(target, std::move(mapped))) {
      stack.push_back(std::move(result));  // results are not cast back (CAST-303)
    }
  });
}

std::string_view append_target(std::string_view op) {
  if (op == "aten::norm.Scalar") return "aten::norm.ScalarOpt_dtype";
  if (op == "aten::norm.ScalarOpt_dim") return "aten::norm.ScalarOpt_dim_dtype";
  if (op == "aten::norm.names_ScalarOpt_dim") return "aten::norm.names_ScalarOpt_dim_dtype";
  return {};
}

// Registration.

namespace {

void add_rules(Dispatcher& dispatcher, CastDevice device, const std::vector<ListedOp>& list) {
  const DispatchKey key = autocast_key(device, dispatcher.runtime().contract().release);
  for (const ListedOp& listed : list) {
    std::string target;
    if (listed.policy == CastPolicy::kAppend) target = append_target(listed.op);
    const Kernel wrapper = autocast_wrapper({listed.policy, device, std::move(target)});
    dispatcher.keep(dispatcher.impl(
        listed.op, key, wrapper, std::string("autocast_") + std::string(name_of(listed.policy))));
  }
}

}  // namespace

void add_autocast(Dispatcher& dispatcher) {
  for (int i = 0; i < kDeviceTypes; ++i) {
    const auto device = static_cast<CastDevice>(i);
    const std::vector<ListedOp> list = op_list(device, dispatcher.runtime().contract());
    if (!list.empty()) add_rules(dispatcher, device, list);
  }
}

}  // namespace assay::reference

// Applies the policies to calls.
#include "reference/autocast/wrapper.hpp"

#include "reference/autocast/casts.hpp"
#include "reference/autocast/rnn.hpp"
#include "reference/dispatch/keys/thread_keys.hpp"
#include "reference/operators/boxed_arguments.hpp"

namespace assay::reference {
namespace {

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

}  // namespace assay::reference

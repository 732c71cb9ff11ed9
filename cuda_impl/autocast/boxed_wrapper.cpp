// Casts the arguments on a stack and redispatches the operator.
#include "cuda_impl/autocast/boxed_wrapper.hpp"

#include <memory>
#include <span>
#include <utility>

#include "cuda_impl/autocast/casts.hpp"
#include "cuda_impl/dispatch/call/boxed_call.hpp"
#include "cuda_impl/dispatch/call/trace.hpp"

namespace assay::cuda::autocast {
namespace {

using dispatch::Entry;
using dispatch::KeySet;
using dispatch::Operator;
using dispatch::Stack;
using dispatch::Type;
using dispatch::TypeKind;

/// The arguments of one call with their schema types.
class Arguments {
 public:
  Arguments(const Entry& entry, Stack& stack) : schema_(schema_of(entry)) {
    require(stack.size() >= schema_.size(), ErrorKind::kInternal, [&] {
      return entry.table->op->text() + " was called with " + std::to_string(stack.size()) +
             " arguments, and takes " + std::to_string(schema_.size());
    });
    values_ = std::span(stack).last(schema_.size());
  }

  std::size_t size() const { return schema_.size(); }
  Boxed& value(std::size_t i) const { return values_[i]; }
  const Type& type(std::size_t i) const { return schema_[i].type; }
  bool is_tensor_list(std::size_t i) const {
    const Type& type = this->type(i).without_optional();
    return type.is_list() && type.element().is(TypeKind::kTensor) && value(i).is(BoxedKind::kList);
  }
  bool are_plain() const {
    for (const dispatch::Argument& argument : schema_) {
      if (argument.kwarg_only) return false;
    }
    return true;
  }
  /// Returns an undefined tensor if the first argument is not a tensor.
  Tensor first() const {
    return size() != 0 && value(0).is_tensor() ? std::as_const(value(0)).tensor() : Tensor();
  }

 private:
  static std::span<const dispatch::Argument> schema_of(const Entry& entry) {
    require(entry.table->has_schema, ErrorKind::kInternal, [&] {
      return "Tried to access the schema for " + entry.table->op->text() +
             " which doesn't have a schema registered yet";
    });
    return entry.table->state->definition->schema.arguments();
  }

  std::span<const dispatch::Argument> schema_;
  std::span<Boxed> values_;
};

/// A caller may put anything into a list.
Tensor tensor_of(const Boxed& item) {
  dispatch::expect_kind(BoxedKind::kTensor, item);
  return item.tensor();
}

/// Calls `cast` for each tensor, also those in lists.
template <typename Cast>
void map_tensors(const Arguments& arguments, const Cast& cast) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    Boxed& value = arguments.value(i);
    if (value.is_tensor()) value = Boxed(cast(value.tensor()));
    if (!arguments.is_tensor_list(i)) continue;
    auto mapped = std::make_shared<BoxedItems>();
    for (const Boxed& item : value.list()) mapped->items.emplace_back(cast(tensor_of(item)));
    value = Boxed(std::move(mapped));
  }
}

void cast_all(const Arguments& arguments, Dtype to, DeviceKind device) {
  map_tensors(arguments, [&](const Tensor& tensor) { return cached_cast(to, tensor, device); });
}

/// CAST-408: optional tensors are ignored.
Dtype decided(const Arguments& arguments, DeviceKind device) {
  Dtype current = low_dtype(device);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Boxed& value = arguments.value(i);
    if (arguments.type(i).is(TypeKind::kTensor) && value.is_tensor()) {
      current = prioritize(current, value.tensor(), device);
    }
    if (arguments.type(i).is_optional() || !arguments.is_tensor_list(i)) continue;
    for (const Boxed& item : value.list()) current = prioritize(current, tensor_of(item), device);
  }
  return current;
}

Boxed boxed_dtype(Dtype dtype) { return Boxed(number_of(dtype, contract().release)); }

/// CAST-415: 1.13 requires a CUDA tensor, whatever the wrapper's device.
DeviceKind device_of_first(DeviceKind device) {
  return contract().release == Release::k1_13 ? DeviceKind::kCuda : device;
}

/// CAST-403, CAST-404
void fill_dtypes(const Arguments& arguments, DeviceKind device) {
  if (!is_eligible(arguments.first(), device_of_first(device))) return;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const bool is_dtype =
        arguments.type(i).is_optional() && arguments.type(i).element().is(TypeKind::kScalarType);
    if (is_dtype && arguments.value(i).is_none()) {
      arguments.value(i) = boxed_dtype(Dtype::kFloat32);
    }
  }
}

[[noreturn]] void ban(const std::string& op) {
  throw Error(op +
              " and torch.nn.BCELoss are unsafe to autocast: use "
              "binary_cross_entropy_with_logits or BCEWithLogitsLoss, which are safe");
}

void apply(const WrapOptions& options, const Operator& op, Stack& stack,
           const Arguments& arguments) {
  switch (options.policy) {
    case CastPolicy::kLowerPrecision:
      return cast_all(arguments, low_dtype(options.device), options.device);
    case CastPolicy::kFp32:
      return cast_all(arguments, Dtype::kFloat32, options.device);
    case CastPolicy::kPromote:
      return cast_all(arguments, decided(arguments, options.device), options.device);
    case CastPolicy::kFp32SetOptDtype:
      return fill_dtypes(arguments, options.device);
    case CastPolicy::kFp32AppendDtype: {
      const Tensor first = arguments.first();
      return stack.push_back(
          boxed_dtype(type_from_first(device_of_first(options.device), Dtype::kFloat32, first)));
    }
    case CastPolicy::kBanned:
      ban(op.text());
    case CastPolicy::kRnn:
      throw Error(ErrorKind::kNotImplemented, op.text() + ": there is no cuDNN here");
  }
}

const Operator& target_of(const WrapOptions& options, const Operator& op) {
  if (options.target.empty()) return op;
  return op.dispatcher().find_schema(dispatch::parse_name(options.target, contract()));
}

/// CAST-303
void wrapped(const Entry& entry, KeySet keys, Stack& stack) {
  report_boxed_start(entry, keys, stack);
  const auto& options = dispatch::functor_of<WrapOptions>(entry);
  const Operator& op = *entry.table->op;
  const OffGuard off(options.device);
  apply(options, op, stack, Arguments(entry, stack));
  call_boxed(target_of(options, op), stack);
}

struct FixedRule {
  DeviceKind device;
  Dtype to;
};

/// CAST-805: bypasses the cache.
Tensor cast_plainly(const FixedRule& rule, const Tensor& tensor) {
  if (!is_eligible(tensor, rule.device) || tensor.dtype() == rule.to) return tensor;
  return convert(rule.to, tensor);
}

/// CAST-802: until 2.12 a rule of a CPU turns off CUDA too, and one of CUDA the CPU.
DeviceKind also_off(DeviceKind own) {
  if (contract().release >= Release::k2_13) return own;
  return own == DeviceKind::kCpu ? DeviceKind::kCuda : DeviceKind::kCpu;
}

void fixed(const Entry& entry, KeySet keys, Stack& stack) {
  report_boxed_start(entry, keys, stack);
  const auto& rule = dispatch::functor_of<FixedRule>(entry);
  const Arguments arguments(entry, stack);
  require(arguments.are_plain(), ErrorKind::kAssertion, [&] {
    return entry.table->op->text() +
           ": custom autocast rules do not support keyword-only arguments";
  });
  const OffGuard own_off(rule.device);
  const OffGuard other_off(also_off(rule.device));
  map_tensors(arguments, [&](const Tensor& tensor) { return cast_plainly(rule, tensor); });
  call_boxed(*entry.table->op, stack);
}

}  // namespace

dispatch::Kernel boxed_wrapper(WrapOptions options) {
  return dispatch::Kernel::of_boxed(&wrapped,
                                    std::make_shared<const WrapOptions>(std::move(options)));
}

dispatch::Kernel fixed_wrapper(DeviceKind device, Dtype to) {
  return dispatch::Kernel::of_boxed(&fixed,
                                    std::make_shared<const FixedRule>(FixedRule{device, to}));
}

}  // namespace assay::cuda::autocast

// Arguments of the loss-scaling operators, as passed to their Python binding.
#pragma once

#include <string_view>
#include <vector>

#include "cuda_impl/amp/binding.hpp"
#include "cuda_impl/subject/call.hpp"

namespace assay::cuda {

inline constexpr std::string_view kUpdateScaleOp = "_amp_update_scale_";
inline constexpr std::string_view kUnscaleOp = "_amp_foreach_non_finite_check_and_unscale_";

/// The device for tensors made from numbers; its kernel is called by `route: kernel`.
Device device_of(Call& call);

/// `value` is null for an omitted argument.
Bindable bindable(Call& call, const Value* value);

/// A one-element argument: a tensor, or a converted number, which is returned as a number.
struct ScalarOperand {
  Tensor tensor;
  bool was_number = false;
};
/// `name` is the protocol's. Any number becomes a float32 tensor, only an int an int32 one.
ScalarOperand scalar_operand(Call& call, std::string_view name, const Parameter& parameter,
                             Dtype dtype);
/// Returns `tensor`, which is the operand's own or its result, in the operand's form.
Value give_back(Call& call, const ScalarOperand& operand, const Tensor& tensor);

/// The argument `grads`.
std::vector<Tensor> gradients(Call& call);
Value by_value(Call& call, const std::vector<Tensor>& tensors);

enum class Variant { kInPlace, kFunctional, kOut };
Variant variant_of(Call& call);
/// Bypasses the dispatcher; only in-place variants can.
bool goes_to_kernel(Call& call, Variant variant);

}  // namespace assay::cuda

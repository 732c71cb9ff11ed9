// Arguments of the operators of loss scaling, as their binding is given them.
#pragma once

#include <string_view>
#include <vector>

#include "cuda_impl/amp/binding.hpp"
#include "cuda_impl/subject/call.hpp"

namespace assay::cuda {

inline constexpr std::string_view kUpdateScaleOp = "_amp_update_scale_";
inline constexpr std::string_view kUnscaleOp = "_amp_foreach_non_finite_check_and_unscale_";

/// Where tensors are made of numbers, and whose kernel `route: kernel` calls.
Device device_of(Call& call);

/// `value` is null for an argument that was left out.
Bindable bindable(Call& call, const Value* value);

/// A one-element argument: a tensor, or a number that became one, and goes back as a number.
struct ScalarOperand {
  Tensor tensor;
  bool was_number = false;
};
/// `name` is the waist's. A float32 tensor is made of any number, an int32 one of ints only.
ScalarOperand scalar_operand(Call& call, std::string_view name, const Parameter& parameter,
                             Dtype dtype);
/// `tensor` is the operand's own, or a result in its place.
Value give_back(Call& call, const ScalarOperand& operand, const Tensor& tensor);

/// The argument `grads`.
std::vector<Tensor> gradients(Call& call);
Value by_value(Call& call, const std::vector<Tensor>& tensors);

enum class Variant { kInPlace, kFunctional, kOut };
Variant variant_of(Call& call);
/// Past the dispatcher, which only the forms in place can go.
bool goes_to_kernel(Call& call, Variant variant);

}  // namespace assay::cuda

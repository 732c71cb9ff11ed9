// Casts the weights of cuDNN's recurrent networks.
#include "reference/autocast/rnn.hpp"

#include "reference/autocast/casts.hpp"
#include "reference/autograd/steps.hpp"
#include "reference/core/tensor/factory.hpp"
#include "reference/core/tensor/view.hpp"
#include "reference/operators/boxed_arguments.hpp"
#include "reference/operators/call.hpp"

namespace assay::reference {
namespace {

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

}  // namespace

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

}  // namespace assay::reference

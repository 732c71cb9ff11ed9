// Cross entropies beyond the class loss of the log-softmax: shares of classes, and smoothed labels.
#pragma once

#include "cuda_impl/aten/shapes/argument_reader.hpp"

namespace assay::cuda::aten {

// `given` are the arguments of cross_entropy_loss: self, target, weight, reduction, ignore_index,
// label_smoothing.

/// Whether the target has a share for each class.
bool has_class_shares(const ArgumentReader& given);
/// Raises `error` for a smoothing, a weight or a target that the loss does not take.
void require_cross_entropy(const ArgumentReader& given);
Tensor loss_of_shares(const ArgumentReader& given, const Tensor& logarithms);
/// `loss`: that of the classes alone, reduced.
Tensor smoothed_loss(const ArgumentReader& given, const Tensor& logarithms, const Tensor& loss);

}  // namespace assay::cuda::aten

// Cross entropy with class probabilities as targets, and with label smoothing.
#pragma once

#include "cuda_impl/aten/shapes/argument_reader.hpp"

namespace assay::cuda::aten {

// `given` are the arguments of cross_entropy_loss: self, target, weight, reduction, ignore_index,
// label_smoothing.

/// Whether the target has a probability for each class instead of a class index.
bool has_class_shares(const ArgumentReader& given);
/// Raises `error` for an invalid smoothing, weight or target.
void require_cross_entropy(const ArgumentReader& given);
Tensor loss_of_shares(const ArgumentReader& given, const Tensor& logarithms);
/// `loss`: the reduced loss without smoothing.
Tensor smoothed_loss(const ArgumentReader& given, const Tensor& logarithms, const Tensor& loss);

}  // namespace assay::cuda::aten

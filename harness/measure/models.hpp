// How large the parameters of two well-known networks are, tensor by tensor.
#pragma once

#include <cstdint>
#include <vector>

namespace assay::measure {

// In order. `shrink` divides each size, rounded up: the same list for smaller devices.

/// ResNet-50: 161 tensors, 25,557,032 elements.
std::vector<std::int64_t> resnet50(std::int64_t shrink = 1);
/// A transformer of 7 billion parameters, as LLaMA has them: 291 tensors, 6,738,415,616 elements.
std::vector<std::int64_t> transformer7b(std::int64_t shrink = 1);

}  // namespace assay::measure

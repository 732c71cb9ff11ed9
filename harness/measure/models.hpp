// The parameter sizes of two well-known networks, tensor by tensor.
#pragma once

#include <cstdint>
#include <vector>

namespace assay::measure {

// In order. `shrink` divides each size, rounding up, for smaller devices.

/// ResNet-50: 161 tensors, 25,557,032 elements.
std::vector<std::int64_t> resnet50(std::int64_t shrink = 1);
/// A transformer of 7 billion parameters (LLaMA): 291 tensors, 6,738,415,616 elements.
std::vector<std::int64_t> transformer7b(std::int64_t shrink = 1);

}  // namespace assay::measure

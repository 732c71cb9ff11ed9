// Registers the amp operators with the dispatcher.
#pragma once

#include <vector>

#include "reference/core/types/ivalue.hpp"

namespace assay::reference {

class Dispatcher;

/// AMP-001 to AMP-006: schemas, the kernels of the release, and the functional and out variants,
/// which call the in-place ones for every backend.
void add_amp_operators(Dispatcher& dispatcher);

IValue list_of(const std::vector<Tensor>& tensors);

}  // namespace assay::reference

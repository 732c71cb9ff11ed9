// PyTorch's warnings, for the reply to the command during which they were issued.
#pragma once

#include <vector>

#include "harness/protocol/message.hpp"

namespace assay::libtorch {

/// Collects PyTorch's warnings on the calling thread for `take_warnings` from now on.
void catch_warnings();

void add_warning(Warning warning);

std::size_t warnings_given();
/// The warnings on the calling thread after the first `before`.
std::vector<Warning> take_warnings(std::size_t before);

}  // namespace assay::libtorch

// Warnings of PyTorch, for the reply of the command that they were given in.
#pragma once

#include <vector>

#include "harness/protocol/message.hpp"

namespace assay::libtorch {

/// From now on PyTorch's warnings on the calling thread are kept for `take_warnings`.
void catch_warnings();

void add_warning(Warning warning);

std::size_t warnings_given();
/// Those since there were `before`, on the calling thread.
std::vector<Warning> take_warnings(std::size_t before);

}  // namespace assay::libtorch

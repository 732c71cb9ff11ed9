// Operators of `core.op` that autocast's lists have, as calls of the client's dispatcher.
#pragma once

#include <optional>
#include <string_view>

#include "cuda_impl/subject/op_arguments.hpp"

namespace assay::cuda {

/// None for an operator without a rule, which a region leaves as it is. Throws what the call does.
std::optional<Tensor> call_through_dispatcher(Call& call, std::string_view name,
                                              OpArguments& given);

}  // namespace assay::cuda

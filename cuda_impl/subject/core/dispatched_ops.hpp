// Calls operators of `core.op` that are on autocast's lists through the client's dispatcher.
#pragma once

#include <optional>
#include <string_view>

#include "cuda_impl/subject/op_arguments.hpp"

namespace assay::cuda {

/// Empty for an operator without a cast rule. Throws the errors of the call.
std::optional<Tensor> call_through_dispatcher(Call& call, std::string_view name,
                                              OpArguments& given);

}  // namespace assay::cuda

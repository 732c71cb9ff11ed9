// Texts about an operator: what is registered, and its table (DSP-705, DSP-706).
#pragma once

#include <string>

#include "cuda_impl/dispatch/registry/table.hpp"

namespace assay::cuda::dispatch {

std::string dump_state(const Layout& layout, const OperatorState& state);
/// By the rule, whatever calls see.
std::string dump_table(const Table& table);

}  // namespace assay::cuda::dispatch

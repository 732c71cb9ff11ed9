// Textual dumps of an operator's registrations and its table (DSP-705, DSP-706).
#pragma once

#include <string>

#include "cuda_impl/dispatch/registry/table.hpp"

namespace assay::cuda::dispatch {

std::string dump_state(const Layout& layout, const OperatorState& state);
/// Dumps the choice of the precedence rule, even if the table deviates from it.
std::string dump_table(const Table& table);

}  // namespace assay::cuda::dispatch

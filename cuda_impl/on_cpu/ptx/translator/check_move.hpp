// Checks mov, whose forms the table cannot express: addresses, packing, unpacking.
#pragma once

#include "cuda_impl/on_cpu/ptx/translator/check.hpp"

namespace assay::cuda::on_cpu::ptx {

Call check_move(const Instruction& instruction, const Scope& scope);

}  // namespace assay::cuda::on_cpu::ptx

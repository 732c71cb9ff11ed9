// Translates a module's variable to an array of bytes.
#pragma once

#include <string>

#include "cuda_impl/on_cpu/ptx/translator/parser/syntax.hpp"

namespace assay::cuda::on_cpu::ptx {

/// The definition of `name`, with its initial bytes. Throws Refusal.
std::string emit_variable(const Variable& variable, const std::string& name);

}  // namespace assay::cuda::on_cpu::ptx

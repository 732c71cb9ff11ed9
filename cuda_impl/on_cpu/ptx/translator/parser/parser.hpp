// Reads a PTX module.
#pragma once

#include <string_view>

#include "cuda_impl/on_cpu/ptx/translator/parser/syntax.hpp"

namespace assay::cuda::on_cpu::ptx {

/// Throws Refusal at a directive or a form that it does not know. Opcodes, types of operands and
/// names are not yet looked at.
Module parse_module(std::string_view source);

}  // namespace assay::cuda::on_cpu::ptx

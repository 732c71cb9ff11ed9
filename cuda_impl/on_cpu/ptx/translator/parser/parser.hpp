// Reads a PTX module.
#pragma once

#include <string_view>

#include "cuda_impl/on_cpu/ptx/translator/parser/syntax.hpp"

namespace assay::cuda::on_cpu::ptx {

/// Throws Refusal at an unknown directive or form. Does not check opcodes, types of operands or
/// names.
Module parse_module(std::string_view source);

}  // namespace assay::cuda::on_cpu::ptx

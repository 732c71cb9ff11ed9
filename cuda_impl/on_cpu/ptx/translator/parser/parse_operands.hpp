// Reads the operands of an instruction.
#pragma once

#include <vector>

#include "cuda_impl/on_cpu/ptx/translator/parser/syntax.hpp"
#include "cuda_impl/on_cpu/ptx/translator/parser/token_stream.hpp"

namespace assay::cuda::on_cpu::ptx {

/// Parses operands up to the semicolon, which is not consumed.
std::vector<Operand> parse_operands(TokenStream& tokens);

/// A PTX number with its sign: integer, 0f or 0d.
Operand parse_number(TokenStream& tokens);

/// .loc file line column[, function_name label, inlined_at file line column]
Location parse_location(TokenStream& tokens);

}  // namespace assay::cuda::on_cpu::ptx

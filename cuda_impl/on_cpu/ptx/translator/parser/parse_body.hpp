// Parses function bodies.
#pragma once

#include "cuda_impl/on_cpu/ptx/translator/parser/syntax.hpp"
#include "cuda_impl/on_cpu/ptx/translator/parser/token_stream.hpp"

namespace assay::cuda::on_cpu::ptx {

/// Parses from after the opening brace to after the closing brace.
Block parse_block(TokenStream& tokens);

}  // namespace assay::cuda::on_cpu::ptx

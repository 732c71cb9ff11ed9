// Reads what stands between the braces of a function.
#pragma once

#include "cuda_impl/on_cpu/ptx/translator/parser/syntax.hpp"
#include "cuda_impl/on_cpu/ptx/translator/parser/token_stream.hpp"

namespace assay::cuda::on_cpu::ptx {

/// From behind the opening brace to behind the closing one.
Block parse_block(TokenStream& tokens);

}  // namespace assay::cuda::on_cpu::ptx

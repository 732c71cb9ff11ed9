// Reads declarations of variables and parameters.
#pragma once

#include "cuda_impl/on_cpu/ptx/translator/parser/syntax.hpp"
#include "cuda_impl/on_cpu/ptx/translator/parser/token_stream.hpp"

namespace assay::cuda::on_cpu::ptx {

/// Whether the next token is a state space, such as .shared.
bool at_space(const TokenStream& tokens);

/// .space [.align n] .type [.ptr ...] name[count] [= initialiser]; does not consume what follows.
Variable parse_variable(TokenStream& tokens);

}  // namespace assay::cuda::on_cpu::ptx

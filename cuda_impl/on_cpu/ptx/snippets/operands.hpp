// The operands that a snippet runs on.
#pragma once

#include "cuda_impl/on_cpu/ptx/snippets/gpu.hpp"
#include "cuda_impl/on_cpu/ptx/snippets/snippet.hpp"

namespace assay::cuda::on_cpu::ptx::snippets {

std::uint64_t random_word();

/// Every value with every other, of three operands a part of them; what is above an operand's width
/// is noise.
std::vector<Operands> combinations(const Snippet& snippet);

/// What the instruction reads of operand i.
std::uint64_t as_read(const Snippet& snippet, const Operands& operands, std::size_t i);

/// A name for what the operands are like, such as "0, -quiet NaN": operands of one kind are likely
/// to go wrong together.
std::string kind_of(const Snippet& snippet, const Operands& operands);

}  // namespace assay::cuda::on_cpu::ptx::snippets

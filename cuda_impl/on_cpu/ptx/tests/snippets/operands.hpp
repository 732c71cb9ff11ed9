// The operands of a snippet.
#pragma once

#include "cuda_impl/on_cpu/ptx/tests/snippets/gpu.hpp"
#include "cuda_impl/on_cpu/ptx/tests/snippets/snippet.hpp"

namespace assay::cuda::on_cpu::ptx::snippets {

std::uint64_t random_word();

/// All pairs of values; of three operands, a part of the combinations. The bits above an operand's
/// width are random.
std::vector<Operands> combinations(const Snippet& snippet);

/// The part of operand i that the instruction reads.
std::uint64_t as_read(const Snippet& snippet, const Operands& operands, std::size_t i);

/// A name for the class of the operands, such as "0, -quiet NaN": operands of one class usually
/// fail together.
std::string kind_of(const Snippet& snippet, const Operands& operands);

}  // namespace assay::cuda::on_cpu::ptx::snippets

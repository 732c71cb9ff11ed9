// Mistakes that a second build can make on purpose: by their names.
#include "cuda_impl/core/planted.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "cuda_impl/core/error.hpp"

namespace assay::cuda {
namespace {

constexpr std::array<std::pair<std::string_view, Planted>, 9> kNames = {{
    {"tail_left_out", Planted::kTailLeftOut},
    {"flag_by_plain_store", Planted::kFlagByPlainStore},
    {"last_block_too_early", Planted::kLastBlockTooEarly},
    {"tensor_111_dropped", Planted::kTensor111Dropped},
    {"head_misaligned", Planted::kHeadMisaligned},
    {"last_element_unchecked", Planted::kLastElementUnchecked},
    {"update_before_all_blocks", Planted::kUpdateBeforeAllBlocks},
    {"second_chunk_twice", Planted::kSecondChunkTwice},
    {"inverse_remembered", Planted::kInverseRemembered},
}};

}  // namespace

void plant_fault(std::string_view name) {
  const auto* const found =
      std::ranges::find(kNames, name, [](const auto& row) { return row.first; });
  require(found != kNames.end(), [&] { return "no fault is called '" + std::string(name) + "'"; });
  require(detail::set_planted_faults(static_cast<std::uint32_t>(found->second)),
          [&] { return "expected a build with faults, to switch on '" + std::string(name) + "'"; });
}

}  // namespace assay::cuda

// A PTX instruction and its expected result, computed without the translator's operations.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace assay::cuda::on_cpu::ptx::snippets {

/// From raw bits in the low end of each word.
using Expected = std::function<std::uint64_t(std::uint64_t a, std::uint64_t b, std::uint64_t c)>;
/// From the operands a of all lanes.
using ExpectedOfLane =
    std::function<std::uint64_t(std::span<const std::uint64_t> values, std::uint32_t lane)>;

/// Whether a lane's result is permitted.
using PossibleOfLane = std::function<bool(std::uint64_t seen, std::uint32_t lane)>;

struct Snippet {
  /// %d is the result, %a %b %c are the operands, [%m] is memory that holds a at first.
  std::string instruction;
  std::string result;                 ///< its type; empty if there is none
  std::vector<std::string> operands;  ///< their types: s8 ... u64, b16 ..., f16, bf16x2, f64, pred
  Expected expected = {};
  Expected expected_memory = {};  ///< the content of [%m] afterwards
  ExpectedOfLane of_lane = {};    ///< instead of `expected`: the instruction runs in a warp of 32
  PossibleOfLane of_lane_on_gpu = {};  ///< on a GPU, if several results are correct
};

using Snippets = std::vector<Snippet>;

Snippets integer_snippets();
Snippets bit_snippets();
Snippets compare_snippets();
Snippets float_snippets();
Snippets half_snippets();
Snippets convert_snippets();
Snippets memory_snippets();
Snippets warp_snippets();

/// All snippets.
Snippets all_snippets();

/// The size of the type's values in bytes; 1 for a predicate and b8.
std::uint32_t bytes_of(const std::string& type);

/// A module with one kernel for each snippet, named snippet_0 and so on. Parameters: the address of
/// three words of operands for each thread, the address of two words of results, the number of
/// threads.
std::string module_of(const Snippets& snippets);

}  // namespace assay::cuda::on_cpu::ptx::snippets

// A large input by recipe, compared by digests; where they differ, the element is found by halving.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "harness/suite/cases.hpp"
#include "suites/formats/digests.hpp"

namespace assay::suites {

/// What is done to the elements of one recipe, and how to know better.
struct Sweep {
  Dtype from = Dtype::kFloat32;
  Dtype to = Dtype::kFloat16;
  std::uint64_t start = 0;
  std::uint64_t step = 1;
  /// Digests of blocks of that many elements of the result for this input.
  std::function<Digest(const TensorValue& input, std::uint64_t block)> digest;
  /// The result itself.
  std::function<TensorValue(const TensorValue& input)> values;
  /// Bits of the right result for these bits, NaNs canonical.
  std::function<std::uint64_t(std::uint64_t bits)> expected;

  /// `count` elements of the input from element `first` on.
  TensorValue input(std::uint64_t first, std::uint64_t count) const;
};

/// Asks for `count` blocks from block `first` on, in one command, and throws CheckFailed naming the
/// first wrong element.
void expect_blocks(const Sweep& sweep, const ExpectedDigests& digests, std::uint64_t first,
                   std::uint64_t count, Where where = Where::current());

/// All blocks, one command each.
void expect_sweep(const Sweep& sweep, const ExpectedDigests& digests,
                  Where where = Where::current());

/// For a block whose digest is known to be wrong: asks again in halves, down to the element. Never
/// returns.
[[noreturn]] void fail_at_element(const Sweep& sweep, std::uint64_t first, std::uint64_t count,
                                  Where where);

}  // namespace assay::suites

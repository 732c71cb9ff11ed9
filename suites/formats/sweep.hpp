// A large input given by a recipe, compared by digests; a wrong element is found by bisection.
#pragma once

#include <cstdint>
#include <functional>

#include "harness/suite/cases.hpp"
#include "suites/formats/digests.hpp"

namespace assay::suites {

/// An operation on the elements of a recipe, and its expected results.
struct Sweep {
  Dtype from = Dtype::kFloat32;
  Dtype to = Dtype::kFloat16;
  std::uint64_t start = 0;
  std::uint64_t step = 1;
  /// The digests of the result for this input, in blocks of this many elements.
  std::function<Digest(const TensorValue& input, std::uint64_t block)> digest;
  /// The result for this input.
  std::function<TensorValue(const TensorValue& input)> values;
  /// The expected result for these bits, with canonical NaNs.
  std::function<std::uint64_t(std::uint64_t bits)> expected;

  /// The `count` elements of the input starting at `first`.
  TensorValue input(std::uint64_t first, std::uint64_t count) const;
};

/// Requests `count` blocks starting at block `first` in one command, and throws CheckFailed with
/// the first wrong element.
void expect_blocks(const Sweep& sweep, const ExpectedDigests& digests, std::uint64_t first,
                   std::uint64_t count, Where where = Where::current());

/// Compares all blocks, one command each.
void expect_sweep(const Sweep& sweep, const ExpectedDigests& digests,
                  Where where = Where::current());

/// For a block whose digest is wrong: bisects until the wrong element is found. Never
/// returns.
[[noreturn]] void fail_at_element(const Sweep& sweep, std::uint64_t first, std::uint64_t count,
                                  Where where);

}  // namespace assay::suites

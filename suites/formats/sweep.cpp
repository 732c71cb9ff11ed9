// Compares digests first, and single elements only if digests differ.
#include "suites/formats/sweep.hpp"

#include <string>

#include "harness/check/words.hpp"
#include "harness/protocol/recipe.hpp"

namespace assay::suites {
namespace {

std::uint32_t expected_crc(const Sweep& sweep, std::uint64_t first, std::uint64_t count) {
  const TensorValue input = materialize(sweep.input(first, count));
  TensorValue wanted;
  wanted.dtype = sweep.to;
  wanted.shape = input.shape;
  wanted.data.resize(count * bits_per_element(sweep.to) / 8);
  for (std::uint64_t i = 0; i < count; ++i) wanted.set_bits(i, sweep.expected(input.bits_at(i)));
  return digest_of(wanted, count).crc.at(0);
}

std::uint32_t got_crc(const Sweep& sweep, std::uint64_t first, std::uint64_t count) {
  const Digest digest = sweep.digest(sweep.input(first, count), count);
  if (digest.crc.size() != 1) throw BadReply("expected the digest of one block");
  return digest.crc[0];
}

}  // namespace

TensorValue Sweep::input(std::uint64_t first, std::uint64_t count) const {
  return by_recipe(from, static_cast<std::int64_t>(count),
                   {Recipe::Kind::kCounter, start + first * step, step, {}});
}

void fail_at_element(const Sweep& sweep, std::uint64_t first, std::uint64_t count, Where where) {
  while (count > 1) {
    const std::uint64_t half = count / 2;
    const bool in_first = got_crc(sweep, first, half) != expected_crc(sweep, first, half);
    if (!in_first) first += half;
    count = in_first ? half : count - half;
  }
  const std::uint64_t bits = materialize(sweep.input(first, 1)).bits_at(0);
  const std::uint64_t got =
      canonical_bits(sweep.to, sweep.values(sweep.input(first, 1)).bits_at(0));
  const std::string input = element_in_words(sweep.from, bits);
  const std::string wanted = element_in_words(sweep.to, sweep.expected(bits));
  const std::string what =
      got == sweep.expected(bits)
          ? "the digest of a block differs, but alone even its last element is right: " + input
          : "the result for " + input + " differs";
  throw CheckFailed(what, wanted, element_in_words(sweep.to, got), where);
}

void expect_blocks(const Sweep& sweep, const ExpectedDigests& digests, std::uint64_t first,
                   std::uint64_t count, Where where) {
  const std::uint64_t block = digests.block;
  const Digest got = sweep.digest(sweep.input(first * block, count * block), block);
  if (got.crc.size() != count) throw BadReply("expected " + std::to_string(count) + " digests");
  for (std::uint64_t i = 0; i < count; ++i) {
    if (got.crc[i] == digests.crc.at(first + i)) continue;
    fail_at_element(sweep, (first + i) * block, block, where);
  }
}

void expect_sweep(const Sweep& sweep, const ExpectedDigests& digests, Where where) {
  expect_blocks(sweep, digests, 0, digests.crc.size(), where);
}

}  // namespace assay::suites

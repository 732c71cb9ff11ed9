// Conversions of any length, at any offset, contiguous or not: same bits, and no other writes.
#include "harness/suite/cases.hpp"
#include "harness/suite/clients/core.hpp"
#include "suites/formats/formats.hpp"

namespace assay::suites {
namespace {

constexpr std::int64_t kMostLength = 70;
constexpr std::int64_t kMostOffset = 15;
constexpr std::int64_t kStep = 3;  ///< of the strided views
constexpr std::int64_t kExtent = kMostOffset + kMostLength * kStep;

struct Pair {
  Dtype from;
  Dtype to;
};

constexpr Pair kPairs[] = {{Dtype::kFloat32, Dtype::kFloat16}, {Dtype::kFloat32, Dtype::kBfloat16},
                           {Dtype::kFloat16, Dtype::kFloat32}, {Dtype::kBfloat16, Dtype::kFloat32},
                           {Dtype::kFloat64, Dtype::kFloat16}, {Dtype::kFloat16, Dtype::kBfloat16}};

/// Irregular numbers without NaNs; each element identifies its position.
TensorValue numbers(Dtype dtype) {
  std::vector<std::uint64_t> bits;
  std::uint64_t state = 0x9e3779b97f4a7c15;
  while (bits.size() < static_cast<std::size_t>(kExtent)) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    const std::uint64_t candidate = state >> (64 - bits_per_element(dtype));
    if (!is_nan_bits(dtype, candidate)) bits.push_back(candidate);
  }
  return from_bits(dtype, bits);
}

struct Slice {
  std::int64_t offset;
  std::int64_t length;
  std::int64_t step;
};

TensorValue expected_slice(const TensorValue& base, Dtype to, const Slice& slice) {
  std::vector<std::uint64_t> bits;
  for (std::int64_t i = 0; i < slice.length; ++i) {
    const auto at = static_cast<std::size_t>(slice.offset + i * slice.step);
    bits.push_back(converted_bits(base.dtype, to, base.bits_at(at)));
  }
  return from_bits(to, bits);
}

void expect_slices(Session& subject, const Pair& pair, std::int64_t step) {
  const TensorValue numbers_of_type = numbers(pair.from);
  const Ref base = subject.core().tensor(numbers_of_type);
  for (std::int64_t length = 1; length <= kMostLength; ++length) {
    for (std::int64_t offset = 0; offset <= kMostOffset; ++offset) {
      const ScopedTrace at("length " + std::to_string(length) + ", offset " +
                           std::to_string(offset));
      const Ref view =
          subject.core().as_strided(base, {.shape = {length}, .strides = {step}, .offset = offset});

      expect_bits(subject.core().convert(view, pair.to),
                  expected_slice(numbers_of_type, pair.to, {offset, length, step}));
      subject.drop(view.name);
    }
  }
}

void expect_every_pair(Session& subject, std::int64_t step) {
  for (const Pair& pair : kPairs) {
    const ScopedTrace at(std::string(name_of(pair.from)) + " to " + std::string(name_of(pair.to)));
    expect_slices(subject, pair, step);
  }
}

}  // namespace

CASES("core/width") {
  conformance("every_length_at_every_offset_converts_alike", {"CAST-911"},
              [](Session& s) { expect_every_pair(s, 1); });

  conformance("elements_with_gaps_convert_as_those_without", {"CAST-911", "CAST-912"},
              [](Session& s) { expect_every_pair(s, kStep); });

  conformance(
      "a_transposed_table_converts_as_its_elements_do", {"CAST-911", "CAST-912"},
      [](Session& subject) {
        const TensorValue values = numbers(Dtype::kFloat32);
        const Ref base = subject.core().tensor(values);
        const Ref turned = subject.core().as_strided(base, {.shape = {15, 13}, .strides = {1, 15}});
        std::vector<std::uint64_t> bits;
        for (std::size_t row = 0; row < 15; ++row) {
          for (std::size_t column = 0; column < 13; ++column) {
            const auto single = static_cast<std::uint32_t>(values.bits_at(row + 15 * column));
            bits.push_back(half_of(single));
          }
        }

        expect_bits(subject.core().convert(turned, Dtype::kFloat16),
                    strided(shaped(from_bits(Dtype::kFloat16, bits), {15, 13}), {1, 15}));
      });

  conformance(
      "what_stands_around_a_converted_slice_is_left_alone", {"CAST-911"}, [](Session& subject) {
        const Ref source = subject.core().tensor(numbers(Dtype::kFloat32));
        for (std::int64_t length = 1; length <= 40; ++length) {
          const ScopedTrace at("length " + std::to_string(length));
          const Ref target = subject.core().tensor(filled(Dtype::kFloat16, 64, 7));
          const Ref middle =
              subject.core().as_strided(target, {.shape = {length}, .strides = {1}, .offset = 5});
          const Ref from =
              subject.core().as_strided(source, {.shape = {length}, .strides = {1}, .offset = 1});
          TensorValue wanted = filled(Dtype::kFloat16, 64, 7);
          const TensorValue converted = subject.core().convert(from, Dtype::kFloat16);
          for (std::size_t i = 0; i < static_cast<std::size_t>(length); ++i) {
            wanted.set_bits(5 + i, converted.bits_at(i));
          }

          subject.core().copy_(middle, from);

          expect_bits(subject.core().read(target), wanted);
        }
      });
}

}  // namespace assay::suites

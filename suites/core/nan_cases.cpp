// Conversion of NaNs: always a NaN, with the bits of a known implementation for this device.
#include <algorithm>

#include "harness/check/words.hpp"
#include "harness/suite/cases.hpp"
#include "harness/suite/clients/core.hpp"
#include "suites/formats/formats.hpp"

namespace assay::suites {
namespace {

using Patterns = std::vector<std::uint64_t>;

/// The vectors of section 12.2: the results of all known implementations for this NaN.
struct Narrowing {
  std::uint64_t single;
  std::uint64_t half_by_software;
  std::uint64_t half_by_f16c;
};

constexpr Narrowing kNarrowing[] = {
    {0x7f800001, 0x7e00, 0x7e00}, {0x7f802000, 0x7e00, 0x7e01}, {0x7fbfffff, 0x7e00, 0x7fff},
    {0x7fc00000, 0x7e00, 0x7e00}, {0x7fc02000, 0x7e00, 0x7e01}, {0x7fffffff, 0x7e00, 0x7fff},
    {0xff800001, 0xfe00, 0xfe00}, {0xffc00000, 0xfe00, 0xfe00}, {0xffffffff, 0xfe00, 0xffff},
};

Patterns allowed_halves(const Contract& contract, const Narrowing& row, std::int64_t length) {
  if (contract.cuda()) return {0x7fff};
  if (contract.release == Release::k1_13) return {row.half_by_software};
  // A CPU may lack the instruction; 2.4 uses it only for full vectors.
  if (contract.release == Release::k2_4 && length == 1) {
    return {row.half_by_software, row.half_by_f16c, 0x7fff};
  }
  return {row.half_by_software, row.half_by_f16c};
}

Patterns allowed_brains(const Contract& contract) {
  // Software on GPUs before capability 8.0; strided and contiguous code on a CPU.
  return contract.cuda() ? Patterns{0x7fff, 0x7fc0} : Patterns{0x7fc0, 0xffff};
}

void expect_one_of(Dtype dtype, std::uint64_t got, const Patterns& allowed,
                   Where where = Where::current()) {
  if (std::find(allowed.begin(), allowed.end(), got) != allowed.end()) return;
  std::string wanted;
  for (const std::uint64_t bits : allowed) {
    wanted += (wanted.empty() ? "" : " or ") + element_in_words(dtype, bits);
  }
  throw CheckFailed("no path of this device makes this NaN", wanted, element_in_words(dtype, got),
                    where);
}

struct Widening {
  std::uint64_t narrow;
  std::uint64_t single;
};

constexpr Widening kFromHalf[] = {{0x7c01, 0x7fc02000}, {0x7dff, 0x7fffe000}, {0x7e00, 0x7fc00000},
                                  {0x7fff, 0x7fffe000}, {0xfc01, 0xffc02000}, {0xfe00, 0xffc00000}};

constexpr Widening kFromBrain[] = {{0x7f81, 0x7f810000}, {0x7fbf, 0x7fbf0000},
                                   {0x7fc0, 0x7fc00000}, {0xff81, 0xff810000},
                                   {0xffc1, 0xffc10000}, {0xffff, 0xffff0000}};

/// Since 2.x, a half that does not fill a vector loses its NaN's payload.
Patterns allowed_singles(const Contract& contract, const Widening& row, std::int64_t length) {
  if (contract.cuda()) return {0x7fffffff};
  if (contract.release == Release::k1_13 || length > 1) return {row.single};
  return {row.single, 0x7fffffff};
}

/// A single element, and a contiguous row that fills vectors of any width.
constexpr std::int64_t kLengths[] = {1, 64};

TensorValue repeated(Dtype dtype, std::uint64_t bits, std::int64_t count) {
  return from_bits(dtype, Patterns(static_cast<std::size_t>(count), bits));
}

}  // namespace

CASES("core/nan") {
  conformance("every_nan_stays_one_when_narrowed", {"CAST-905", "CAST-903"}, [](Session& subject) {
    for (const Narrowing& row : kNarrowing) {
      for (const Dtype dtype : {Dtype::kFloat16, Dtype::kBfloat16}) {
        for (const std::int64_t length : kLengths) {
          expect_bits(subject.core().convert(repeated(Dtype::kFloat32, row.single, length), dtype),
                      filled(dtype, length, kNaN));
        }
      }
    }
  });

  conformance(
      "a_narrowed_nan_has_the_bits_of_a_path_of_its_device", {"CAST-905"}, [](Session& subject) {
        for (const Narrowing& row : kNarrowing) {
          for (const std::int64_t length : kLengths) {
            const ScopedTrace at(element_in_words(Dtype::kFloat32, row.single));
            const TensorValue input = repeated(Dtype::kFloat32, row.single, length);

            const TensorValue half = subject.core().convert(input, Dtype::kFloat16);
            const TensorValue brain = subject.core().convert(input, Dtype::kBfloat16);

            expect_one_of(Dtype::kFloat16, half.bits_at(0),
                          allowed_halves(subject.contract(), row, length));
            expect_one_of(Dtype::kBfloat16, brain.bits_at(0), allowed_brains(subject.contract()));
          }
        }
      });

  conformance("every_nan_stays_one_when_widened", {"CAST-906"}, [](Session& subject) {
    for (const Dtype dtype : {Dtype::kFloat16, Dtype::kBfloat16}) {
      Patterns nans;
      for (std::uint64_t bits = 0; bits < 65536; ++bits) {
        if (is_nan_bits(dtype, bits)) nans.push_back(bits);
      }
      const TensorValue input = from_bits(dtype, nans);

      expect_bits(subject.core().convert(input, Dtype::kFloat32),
                  filled(Dtype::kFloat32, input.numel(), kNaN));
    }
  });

  conformance("a_half_nan_widens_as_this_device_does_it", {"CAST-906"}, [](Session& subject) {
    for (const Widening& row : kFromHalf) {
      for (const std::int64_t length : kLengths) {
        const ScopedTrace at(element_in_words(Dtype::kFloat16, row.narrow));
        const TensorValue wide =
            subject.core().convert(repeated(Dtype::kFloat16, row.narrow, length), Dtype::kFloat32);

        const Patterns allowed = allowed_singles(subject.contract(), row, length);
        for (std::size_t i = 0; i < static_cast<std::size_t>(length); ++i) {
          expect_one_of(Dtype::kFloat32, wide.bits_at(i), allowed);
        }
      }
    }
  });

  conformance("a_bfloat16_nan_is_shifted_with_all_its_bits", {"CAST-906"}, [](Session& subject) {
    for (const Widening& row : kFromBrain) {
      for (const std::int64_t length : kLengths) {
        expect_exact_bits(
            subject.core().convert(repeated(Dtype::kBfloat16, row.narrow, length), Dtype::kFloat32),
            repeated(Dtype::kFloat32, row.single, length));
      }
    }
  });
}

}  // namespace assay::suites

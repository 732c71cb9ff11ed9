// Promotion: the common dtype of two dtypes or a list of operands.
#include "harness/suite/cases.hpp"
#include "harness/suite/clients/core.hpp"

namespace assay::suites {
namespace {

using enum Dtype;

constexpr Dtype kTypes[] = {kUint8,      kInt8,    kInt16,   kInt32,     kInt64,
                            kFloat16,    kFloat32, kFloat64, kComplex32, kComplex64,
                            kComplex128, kBool,    kBfloat16};
constexpr std::size_t kCount = std::size(kTypes);

/// Row a has the results for columns a, a+1, … (the upper triangle of the vectors).
const std::vector<std::vector<Dtype>> kTriangle = {
    {kUint8, kInt16, kInt16, kInt32, kInt64, kFloat16, kFloat32, kFloat64, kComplex32, kComplex64,
     kComplex128, kUint8, kBfloat16},
    {kInt8, kInt16, kInt32, kInt64, kFloat16, kFloat32, kFloat64, kComplex32, kComplex64,
     kComplex128, kInt8, kBfloat16},
    {kInt16, kInt32, kInt64, kFloat16, kFloat32, kFloat64, kComplex32, kComplex64, kComplex128,
     kInt16, kBfloat16},
    {kInt32, kInt64, kFloat16, kFloat32, kFloat64, kComplex32, kComplex64, kComplex128, kInt32,
     kBfloat16},
    {kInt64, kFloat16, kFloat32, kFloat64, kComplex32, kComplex64, kComplex128, kInt64, kBfloat16},
    {kFloat16, kFloat32, kFloat64, kComplex32, kComplex64, kComplex128, kFloat16, kFloat32},
    {kFloat32, kFloat64, kComplex64, kComplex64, kComplex128, kFloat32, kFloat32},
    {kFloat64, kComplex128, kComplex128, kComplex128, kFloat64, kFloat64},
    {kComplex32, kComplex64, kComplex128, kComplex32, kComplex64},
    {kComplex64, kComplex128, kComplex64, kComplex64},
    {kComplex128, kComplex128, kComplex128},
    {kBool, kBfloat16},
    {kBfloat16},
};

std::string pair_in_words(Dtype a, Dtype b) {
  return std::string(name_of(a)) + " with " + std::string(name_of(b));
}

/// The results for all pairs.
std::vector<std::vector<Dtype>> promotion_table(Session& subject) {
  std::vector<std::vector<Dtype>> table(kCount, std::vector<Dtype>(kCount));
  for (std::size_t a = 0; a < kCount; ++a) {
    for (std::size_t b = 0; b < kCount; ++b) {
      table[a][b] = subject.core().promote_types(kTypes[a], kTypes[b]);
    }
  }
  return table;
}

std::size_t index_of(Dtype dtype) {
  for (std::size_t i = 0; i < kCount; ++i) {
    if (kTypes[i] == dtype) return i;
  }
  throw BadReply(std::string(name_of(dtype)) + " is none of the 13 types");
}

bool is_complex(Dtype dtype) {
  return dtype == kComplex32 || dtype == kComplex64 || dtype == kComplex128;
}

/// CORE-04: exactly three kinds of cast are rejected.
bool may_cast(Dtype from, Dtype to) {
  if (is_complex(from) && !is_complex(to)) return false;
  const bool to_is_integral = !is_complex(to) && !is_floating(to);
  if (is_floating(from) && to_is_integral) return false;
  return from == kBool || to != kBool;
}

struct Operands {
  const char* text;
  std::vector<Value> values;
  Dtype wanted;
};

void expect_result_types(Session& subject, const std::vector<Operands>& table) {
  for (const Operands& row : table) {
    const ScopedTrace at{row.text};

    expect_equal(subject.core().result_type(row.values), row.wanted);
  }
}

TensorValue two_of(Dtype dtype) { return filled(dtype, 2, 1); }
TensorValue none_of(Dtype dtype) { return filled(dtype, 0, 1); }
TensorValue one_of(Dtype dtype) { return filled(dtype, 1, 1); }
TensorValue zero_dim(Dtype dtype) { return scalar_of(dtype, 1); }

const Complex kImaginary{0, 1};

}  // namespace

CASES("core/promotion") {
  conformance("any_two_types_promote_as_the_table_says_in_both_orders", {"CORE-03"},
              [](Session& subject) {
                for (std::size_t a = 0; a < kCount; ++a) {
                  for (std::size_t b = a; b < kCount; ++b) {
                    const ScopedTrace at(pair_in_words(kTypes[a], kTypes[b]));
                    const Dtype wanted = kTriangle[a][b - a];

                    expect_equal(subject.core().promote_types(kTypes[a], kTypes[b]), wanted);
                    expect_equal(subject.core().promote_types(kTypes[b], kTypes[a]), wanted);
                  }
                }
              });

  conformance("promotion_is_associative", {"CORE-03"}, [](Session& subject) {
    const auto table = promotion_table(subject);
    for (std::size_t a = 0; a < kCount; ++a) {
      for (std::size_t b = 0; b < kCount; ++b) {
        for (std::size_t c = 0; c < kCount; ++c) {
          const ScopedTrace at(pair_in_words(kTypes[a], kTypes[b]) + " and " +
                               std::string(name_of(kTypes[c])));

          expect_equal(table[index_of(table[a][b])][c], table[a][index_of(table[b][c])]);
        }
      }
    }
  });

  conformance("a_type_with_itself_is_itself_quantised_ones_too", {"CORE-03"}, [](Session& subject) {
    for (const Dtype dtype : {kUint8, kFloat16, kComplex32, kBool, kBfloat16, kQint8, kQuint8,
                              kQint32, kQuint4x2, kQuint2x4}) {
      const ScopedTrace at{std::string(name_of(dtype))};

      expect_equal(subject.core().promote_types(dtype, dtype), dtype);
    }
  });

  conformance("undefined_absorbs_every_type", {"CORE-03"}, [](Session& subject) {
    for (const Dtype dtype : kTypes) {
      const ScopedTrace at{std::string(name_of(dtype))};

      expect_equal(subject.core().promote_types(kUndefined, dtype), kUndefined);
      expect_equal(subject.core().promote_types(dtype, kUndefined), kUndefined);
    }
  });

  conformance("a_quantised_type_with_another_names_both", {"CORE-03"}, [](Session& subject) {
    expect_error([&] { subject.core().promote_types(kQint8, kFloat32); }, ErrorKind::kError,
                 {"QInt8", "Float"});
    expect_error([&] { subject.core().promote_types(kInt64, kQuint8); }, ErrorKind::kError,
                 {"QUInt8", "Long"});
    expect_error([&] { subject.core().promote_types(kQint32, kQint8); }, ErrorKind::kError,
                 {"QInt32", "QInt8"});
  });

  conformance("bits_with_another_type_are_undefined", {"CORE-03"}, [](Session& subject) {
    expect_equal(subject.core().promote_types(kBits8, kFloat32), kUndefined);
    expect_equal(subject.core().promote_types(kInt64, kBits16), kUndefined);
    expect_equal(subject.core().promote_types(kBits8, kBits8), kBits8);
  }).since(Release::k2_4);

  conformance("a_float_of_8_bits_with_another_type_names_both", {"CORE-03"}, [](Session& subject) {
    expect_error([&] { subject.core().promote_types(kFloat8E5m2, kFloat32); }, ErrorKind::kError,
                 {"Float8_e5m2", "Float"});
    expect_error([&] { subject.core().promote_types(kBfloat16, kFloat8E4m3fn); }, ErrorKind::kError,
                 {"Float8_e4m3fn", "BFloat16"});
    expect_equal(subject.core().promote_types(kFloat8E5m2, kFloat8E5m2), kFloat8E5m2);
  }).since(Release::k2_4);

  conformance("wide_unsigned_types_promote_with_floats_only", {"CORE-03"}, [](Session& subject) {
    for (const Dtype dtype : {kUint16, kUint32, kUint64}) {
      const ScopedTrace at{std::string(name_of(dtype))};

      expect_equal(subject.core().promote_types(dtype, kFloat16), kFloat16);
      expect_equal(subject.core().promote_types(kFloat64, dtype), kFloat64);
      expect_equal(subject.core().promote_types(dtype, dtype), dtype);
      expect_error([&] { subject.core().promote_types(dtype, kInt64); }, ErrorKind::kError);
      expect_error([&] { subject.core().promote_types(kUint8, dtype); }, ErrorKind::kError);
    }
  }).since(Release::k2_4);

  conformance("three_kinds_of_cast_are_refused_and_no_other", {"CORE-04"}, [](Session& subject) {
    for (const Dtype from : kTypes) {
      for (const Dtype to : kTypes) {
        const ScopedTrace at(std::string(name_of(from)) + " to " + std::string(name_of(to)));

        expect_equal(subject.core().can_cast(from, to), may_cast(from, to));
      }
    }
  });
}

CASES("core/result_type") {
  conformance(
      "a_class_of_lower_rank_decides_only_by_its_category", {"CORE-05"}, [](Session& subject) {
        expect_result_types(
            subject, {{"half[2], double", {two_of(kFloat16), zero_dim(kFloat64)}, kFloat16},
                      {"double, half[2]", {zero_dim(kFloat64), two_of(kFloat16)}, kFloat16},
                      {"int[2], double", {two_of(kInt32), zero_dim(kFloat64)}, kFloat64},
                      {"int[2], long", {two_of(kInt32), zero_dim(kInt64)}, kInt32},
                      {"bool[2], int", {two_of(kBool), zero_dim(kInt32)}, kInt32},
                      {"half, bfloat16[2]", {zero_dim(kFloat16), two_of(kBfloat16)}, kBfloat16},
                      {"float, 1.5", {zero_dim(kFloat32), 1.5}, kFloat32},
                      {"double, 1.5", {zero_dim(kFloat64), 1.5}, kFloat64},
                      {"long, 1.5", {zero_dim(kInt64), 1.5}, kFloat32}});
      });

  conformance("types_inside_one_class_promote", {"CORE-05"}, [](Session& subject) {
    expect_result_types(subject,
                        {{"half[2], bfloat16[2]", {two_of(kFloat16), two_of(kBfloat16)}, kFloat32},
                         {"half, double", {zero_dim(kFloat16), zero_dim(kFloat64)}, kFloat64},
                         {"uint8[2], int8[2]", {two_of(kUint8), two_of(kInt8)}, kInt16},
                         {"int[2], half[2]", {two_of(kInt32), two_of(kFloat16)}, kFloat16},
                         {"2, 1.5", {2, 1.5}, kFloat32},
                         {"true, 2", {true, 2}, kInt64}});
  });

  conformance("a_scalar_counts_by_kind_and_never_by_value", {"CORE-05"}, [](Session& subject) {
    expect_result_types(subject, {{"uint8[2], -1", {two_of(kUint8), -1}, kUint8},
                                  {"uint8[2], 1000", {two_of(kUint8), 1000}, kUint8},
                                  {"bool[2], 1", {two_of(kBool), 1}, kInt64},
                                  {"bool[2], true", {two_of(kBool), true}, kBool},
                                  {"half[2], 1e30", {two_of(kFloat16), 1e30}, kFloat16},
                                  {"half[2], 7", {two_of(kFloat16), 7}, kFloat16}});
  });

  conformance("tensors_of_one_or_no_element_are_not_scalars", {"CORE-05"}, [](Session& subject) {
    expect_result_types(subject,
                        {{"int[1], double", {one_of(kInt32), zero_dim(kFloat64)}, kFloat64},
                         {"half[1], double", {one_of(kFloat16), zero_dim(kFloat64)}, kFloat16},
                         {"half[0], double", {none_of(kFloat16), zero_dim(kFloat64)}, kFloat16},
                         {"half[0], float[1]", {none_of(kFloat16), one_of(kFloat32)}, kFloat32}});
  });

  conformance("a_float_scalar_enters_as_the_default_type", {"CORE-05"}, [](Session& subject) {
    for (const Dtype wanted : {kFloat32, kFloat64, kFloat16}) {
      const ScopedTrace at{"default " + std::string(name_of(wanted))};

      expect_equal(subject.core().result_type({two_of(kInt32), 1.5}, wanted), wanted);
    }
  });

  conformance("a_complex_scalar_keeps_the_width_of_a_float", {"CORE-05"}, [](Session& subject) {
    expect_result_types(
        subject,
        {{"half[2], 1j", {two_of(kFloat16), kImaginary}, kComplex32},
         {"int[2], 1j", {two_of(kInt32), kImaginary}, kComplex64},
         {"double[2], 1j", {two_of(kFloat64), kImaginary}, kComplex128},
         {"int[2], half, 1j", {two_of(kInt32), zero_dim(kFloat16), kImaginary}, kComplex32}});
  });
}

}  // namespace assay::suites

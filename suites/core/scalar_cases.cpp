// Scalars: their values, and conversion to a dtype.
#include <cmath>

#include "harness/suite/cases.hpp"
#include "harness/suite/clients/core.hpp"
#include "harness/suite/mistake.hpp"

namespace assay::suites {
namespace {

constexpr std::int64_t kLeastLong = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMostLong = std::numeric_limits<std::int64_t>::max();
constexpr double kDoubleNaN = std::numeric_limits<double>::quiet_NaN();

struct Conversion {
  const char* text;
  Value scalar;
  Dtype dtype;
  std::uint64_t bits;
};

void expect_conversions(Session& subject, const std::vector<Conversion>& table) {
  for (const Conversion& row : table) {
    const ScopedTrace at{row.text};

    expect_bits(subject.core().scalar_to(row.scalar, row.dtype), scalar_bits(row.dtype, row.bits));
  }
}

struct Refusal {
  const char* text;
  Value scalar;
  Dtype dtype;
};

void expect_refusals(Session& subject, const std::vector<Refusal>& table) {
  for (const Refusal& row : table) {
    const ScopedTrace at{row.text};

    expect_error([&] { subject.core().scalar_to(row.scalar, row.dtype); }, ErrorKind::kError,
                 {"without overflow"});
  }
}

}  // namespace

CASES("core/scalar") {
  conformance("a_scalar_of_nothing_is_the_integer_zero", {"CORE-06"}, [](Session& subject) {
    const ScalarInfo scalar = subject.core().scalar();

    expect_equal(scalar.kind, "int");
    expect_equal(scalar.value, 0);
  });

  conformance("a_scalar_is_stored_as_one_of_four_kinds", {"CORE-06"}, [](Session& subject) {
    expect_equal(subject.core().scalar(true).kind, "bool");
    expect_equal(subject.core().scalar(7).kind, "int");
    expect_equal(subject.core().scalar(1.5).kind, "float");
    expect_equal(subject.core().scalar(Complex{1, 2}).kind, "complex");
  });

  conformance("a_scalar_keeps_all_bits_of_its_value", {"CORE-06"}, [](Session& subject) {
    expect_equal(subject.core().scalar(kMostLong).value, kMostLong);
    expect_equal(subject.core().scalar(kLeastLong).value, kLeastLong);
    expect_equal(subject.core().scalar(0.1).value, 0.1);
    expect_equal(subject.core().scalar(-0.0).value, -0.0);
    expect_equal(subject.core().scalar(false).value, false);
  });

  conformance("numbers_are_equal_across_kinds_but_a_bool_is_not_one", {"CORE-06"},
              [](Session& subject) {
                expect_true(subject.core().scalar_equal(3, 3.0), "3 equals 3.0");
                expect_true(subject.core().scalar_equal(2.0, 2), "2.0 equals 2");
                expect_false(subject.core().scalar_equal(1.5, 1), "1.5 does not equal 1");
                expect_false(subject.core().scalar_equal(true, 1), "true does not equal 1");
                expect_true(subject.core().scalar_equal(true, true), "true equals true");
                expect_false(subject.core().scalar_equal(true, false), "true does not equal false");
              });

  conformance("nan_equals_nothing", {"CORE-06"}, [](Session& subject) {
    expect_false(subject.core().scalar_equal(kDoubleNaN, kDoubleNaN), "NaN does not equal NaN");
    expect_false(subject.core().scalar_equal(kDoubleNaN, 0), "NaN does not equal 0");
  });

  conformance("numbers_can_be_negated_and_bools_cannot", {"CORE-06"}, [](Session& subject) {
    expect_equal(subject.core().scalar_negate(5), -5);
    expect_equal(subject.core().scalar_negate(1.5), -1.5);
    expect_equal(subject.core().scalar_negate(0.0), -0.0);
    expect_error([&] { subject.core().scalar_negate(true); }, ErrorKind::kError);
  });
}

CASES("core/item") {
  conformance("an_element_comes_out_as_the_widest_of_its_kind", {"CORE-06"}, [](Session& subject) {
    expect_equal(subject.core().item(scalar_of(Dtype::kFloat16, 65504)), 65504.0);
    expect_equal(subject.core().item(scalar_bits(Dtype::kFloat32, 0x3dcccccd)), 0x1.99999ap-4);
    expect_equal(subject.core().item(scalar_bits(Dtype::kBfloat16, 0x0001)), 0x1p-133);
    expect_equal(subject.core().item(f64({0.1})), 0.1);
    expect_equal(subject.core().item(scalar_of(Dtype::kUint8, 255)), 255);
    expect_equal(subject.core().item(i32({-7})), -7);
    expect_equal(subject.core().item(from_bits(Dtype::kInt64, {1ull << 63})), kLeastLong);
    expect_equal(subject.core().item(boolean({1})), true);
  });

  conformance("only_one_element_is_a_number", {"CORE-06"}, [](Session& subject) {
    const std::vector<ErrorKind> kinds = {ErrorKind::kError, ErrorKind::kValue};
    expect_error([&] { subject.core().item(f32({1, 2})); }, kinds, {});
    expect_error([&] { subject.core().item(f32({})); }, kinds, {});
  });
}

CASES("core/scalar_to") {
  conformance("fractions_are_cut_toward_zero", {"CORE-07"}, [](Session& subject) {
    expect_conversions(subject, {{"1.5", 1.5, Dtype::kInt64, 1},
                                 {"-1.5", -1.5, Dtype::kInt64, ~0ull},
                                 {"2.999", 2.999, Dtype::kInt32, 2},
                                 {"-0.5", -0.5, Dtype::kInt32, 0},
                                 {"126.9", 126.9, Dtype::kInt8, 126}});
  });

  conformance("a_fraction_beyond_the_largest_integer_is_refused", {"CORE-07"},
              [](Session& subject) {
                expect_refusals(subject, {{"127.5 to int8", 127.5, Dtype::kInt8},
                                          {"255.5 to uint8", 255.5, Dtype::kUint8},
                                          {"2^31-0.5 to int32", 0x1p31 - 0.5, Dtype::kInt32}});
              })
      .until(Release::k2_13);

  conformance("the_range_of_an_integer_ends_before_the_next_number", {"CORE-07"},
              [](Session& subject) {
                expect_conversions(subject, {{"127.9", 127.9, Dtype::kInt8, 127},
                                             {"255.5", 255.5, Dtype::kUint8, 255},
                                             {"32767.5", 32767.5, Dtype::kInt16, 32767},
                                             {"2^31-0.5", 0x1p31 - 0.5, Dtype::kInt32, 0x7fffffff},
                                             {"-128.0", -128.0, Dtype::kInt8, 0x80}});
                expect_refusals(subject, {{"128.0 to int8", 128.0, Dtype::kInt8},
                                          {"-128.5 to int8", -128.5, Dtype::kInt8},
                                          {"-0.5 to uint8", -0.5, Dtype::kUint8},
                                          {"2^31 to int32", 0x1p31, Dtype::kInt32},
                                          {"2^63 to int64", 0x1p63, Dtype::kInt64}});
              })
      .since(Release::k2_14);

  conformance("a_negative_number_wraps_into_an_unsigned_type", {"CORE-07"}, [](Session& subject) {
    expect_conversions(subject, {{"-1", -1, Dtype::kUint8, 255},
                                 {"-128", -128, Dtype::kUint8, 128},
                                 {"-129", -129, Dtype::kUint8, 127},
                                 {"-255", -255, Dtype::kUint8, 1},
                                 {"255", 255, Dtype::kUint8, 255}});
    expect_refusals(subject, {{"-256", -256, Dtype::kUint8}, {"256", 256, Dtype::kUint8}});
  });

  conformance("what_a_signed_integer_cannot_hold_is_refused", {"CORE-07"}, [](Session& subject) {
    const std::int64_t limit = std::int64_t{1} << 31;
    expect_conversions(subject, {{"2^31-1", limit - 1, Dtype::kInt32, 0x7fffffff},
                                 {"-2^31", -limit, Dtype::kInt32, 0x80000000},
                                 {"-128", -128, Dtype::kInt8, 0x80}});
    expect_refusals(subject, {{"2^31", limit, Dtype::kInt32},
                              {"-2^31-1", -limit - 1, Dtype::kInt32},
                              {"128", 128, Dtype::kInt8},
                              {"-129", -129, Dtype::kInt8},
                              {"32768", 32768, Dtype::kInt16},
                              {"1e19", 1e19, Dtype::kInt64}});
  });

  conformance("a_refusal_names_the_type", {"CORE-07"}, [](Session& subject) {
    const auto refused = [&](const Value& scalar, Dtype dtype) {
      return [&subject, scalar, dtype] { subject.core().scalar_to(scalar, dtype); };
    };
    expect_error(refused(256, Dtype::kUint8), ErrorKind::kError, {"uint8"});
    expect_error(refused(kInf, Dtype::kInt64), ErrorKind::kError, {"int64"});
    expect_error(refused(1e39, Dtype::kFloat32), ErrorKind::kError, {"float"});
  });

  conformance("infinity_and_nan_have_no_integer", {"CORE-07"}, [](Session& subject) {
    expect_refusals(subject, {{"inf to int64", kInf, Dtype::kInt64},
                              {"-inf to int32", -kInf, Dtype::kInt32},
                              {"inf to uint8", kInf, Dtype::kUint8},
                              {"nan to int64", kDoubleNaN, Dtype::kInt64},
                              {"nan to int32", kDoubleNaN, Dtype::kInt32}});
  });

  conformance("infinity_and_nan_pass_into_every_float", {"CORE-07"}, [](Session& subject) {
    expect_conversions(subject, {{"inf", kInf, Dtype::kFloat16, 0x7c00},
                                 {"-inf", -kInf, Dtype::kFloat16, 0xfc00},
                                 {"nan", kDoubleNaN, Dtype::kFloat16, 0x7e00},
                                 {"inf", kInf, Dtype::kBfloat16, 0x7f80},
                                 {"inf", kInf, Dtype::kFloat32, 0x7f800000},
                                 {"nan", kDoubleNaN, Dtype::kFloat32, 0x7fc00000}});
  });

  conformance("the_range_of_a_float_ends_at_its_largest_number_not_where_rounding_does",
              {"CORE-07"}, [](Session& subject) {
                expect_conversions(subject, {{"65504", 65504, Dtype::kFloat16, 0x7bff},
                                             {"-65504.0", -65504.0, Dtype::kFloat16, 0xfbff}});
                expect_refusals(subject, {{"65505", 65505, Dtype::kFloat16},
                                          {"-65505", -65505, Dtype::kFloat16},
                                          {"65504.5", 65504.5, Dtype::kFloat16},
                                          {"1e39", 1e39, Dtype::kFloat32},
                                          {"-1e39", -1e39, Dtype::kFloat32},
                                          {"1e39", 1e39, Dtype::kBfloat16}});
              });

  conformance("a_fill_tests_the_range_too", {"CORE-07"}, [](Session& subject) {
    for (const TensorValue& zeros : {f16({0, 0}), bf16({0, 0})}) {
      const Ref filled = subject.core().tensor(zeros);

      expect_error([&] { subject.core().fill_(filled, 1e39); }, ErrorKind::kError,
                   {"without overflow"});

      expect_bits(subject.core().read(filled), zeros);
    }
  });

  conformance("a_fill_of_one_element_tests_the_range_too", {"CORE-07"}, [](Session& subject) {
    const Ref filled = subject.core().tensor(f16({0}));

    expect_error([&] { subject.core().fill_(filled, 65505); }, ErrorKind::kError,
                 {"without overflow"});
  }).only(Deviations::kStrict);

  conformance("a_fill_of_one_element_tested_the_range_on_a_cpu_too", {"CORE-07"},
              [](Session& subject) {
                for (const TensorValue& zero : {f16({0}), bf16({0})}) {
                  const Ref filled = subject.core().tensor(zero);
                  expect_error([&] { subject.core().fill_(filled, 1e39); }, ErrorKind::kError,
                               {"without overflow"});
                  expect_bits(subject.core().read(filled), zero);
                }
              })
      .until(Release::k2_4);

  conformance("a_fill_of_one_element_on_a_cpu_rounds_what_is_out_of_range", {"CORE-07"},
              [](Session& subject) {
                const Ref half = subject.core().tensor(f16({0}));
                const Ref brain = subject.core().tensor(bf16({0}));

                subject.core().fill_(half, 65505);
                expect_bits(subject.core().read(half), f16({65504}));
                subject.core().fill_(half, 65520);
                expect_bits(subject.core().read(half), f16({kInf}));
                subject.core().fill_(brain, 1e39);
                expect_bits(subject.core().read(brain), bf16({kInf}));
                shows_mistake(
                    "a fill of a tensor of one element on the CPU makes a number beyond the type's "
                    "range infinite, where a larger tensor raises");
              })
      .since(Release::k2_11)
      .only(DeviceRules::kCpu)
      .only(Deviations::kCompat);

  conformance("inside_the_range_a_float_is_rounded", {"CORE-07"}, [](Session& subject) {
    expect_conversions(subject, {{"0.1", 0.1, Dtype::kFloat32, 0x3dcccccd},
                                 {"0.1", 0.1, Dtype::kFloat16, 0x2e66},
                                 {"0.1", 0.1, Dtype::kBfloat16, 0x3dcd},
                                 {"2049", 2049, Dtype::kFloat16, 0x6800},
                                 {"0.1", 0.1, Dtype::kFloat64, 0x3fb999999999999a}});
  });

  conformance("a_complex_number_becomes_real_only_without_imaginary_part", {"CORE-07"},
              [](Session& subject) {
                expect_conversions(subject, {{"2+0j", Complex{2, 0}, Dtype::kFloat32, 0x40000000}});
                expect_refusals(subject, {{"1+1j", Complex{1, 1}, Dtype::kFloat32},
                                          {"1+1j", Complex{1, 1}, Dtype::kInt64}});
              });

  conformance("everything_but_zero_is_true", {"CORE-07"}, [](Session& subject) {
    expect_conversions(subject, {{"nan", kDoubleNaN, Dtype::kBool, 1},
                                 {"0.5", 0.5, Dtype::kBool, 1},
                                 {"-3", -3, Dtype::kBool, 1},
                                 {"0", 0, Dtype::kBool, 0},
                                 {"-0.0", -0.0, Dtype::kBool, 0}});
  });

  conformance("two_to_the_63_is_no_int64", {"CORE-07"}, [](Session& subject) {
    expect_refusals(subject, {{"2^63", std::ldexp(1.0, 63), Dtype::kInt64}});
    expect_conversions(subject, {{"-2^63", -std::ldexp(1.0, 63), Dtype::kInt64, 1ull << 63}});
  }).only(Deviations::kStrict);

  conformance(
      "two_to_the_63_wraps_where_doubles_are_compared", {"CORE-07"},
      [](Session& subject) {
        expect_conversions(subject, {{"2^63", std::ldexp(1.0, 63), Dtype::kInt64, 1ull << 63}});
      })
      .only(Deviations::kCompat)
      .until(Release::k1_13);
}

}  // namespace assay::suites

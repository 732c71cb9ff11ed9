// Numbers combined with tensors: scaled summands, numbers as left operands, explicit dtypes.
#include "suites/core/arithmetic.hpp"

namespace assay::suites::arithmetic {

using enum Dtype;

CASES("core/arithmetic") {
  conformance("a_number_on_the_left_of_half_types_is_narrowed_on_the_host", {"CORE-22"},
              [](Session& subject) {
                const TensorValue zero = on(f16({0}), {"cpu", -1});
                const TensorValue three = on(bf16({3}), {"cpu", -1});
                const double fine = 1 + 0x1p-8;

                expect_bits(subject.core().op("mul", {1e5, zero}), f16({kNaN}));
                expect_bits(subject.core().op("mul", {fine, three}), bf16({3}));
                expect_bits(subject.core().op("mul", {zero, 1e5}), f16({0}));
                expect_bits(subject.core().op("mul", {three, fine}), bf16({3.015625}));
              })
      .since(Release::k2_4);

  conformance("a_factor_of_the_right_side_suits_the_result", {"CORE-22"}, [](Session& subject) {
    const auto with_alpha = [&](const char* name, const Value& left, const Value& right,
                                const Value& alpha) {
      return subject.core().op(name, {left, right}, Dict{{{"alpha", alpha}}});
    };
    const Value whole = i64({1, 2});

    expect_bits(with_alpha("sub", whole, 3, 2), i64({-5, -4}));
    expect_bits(with_alpha("add", whole, whole, -1), i64({0, 0}));
    expect_bits(with_alpha("add", f32({1}), f32({2}), 1.5), f32({4}));
    for (const char* name : {"add", "sub"}) {
      const ScopedTrace at(name);
      expect_error([&] { with_alpha(name, whole, whole, 1.5); }, ErrorKind::kError, {"alpha"});
      expect_error([&] { with_alpha(name, whole, 3, 1.0); }, ErrorKind::kError, {"alpha"});
      expect_error([&] { with_alpha(name, f32({1}), f32({2}), true); }, ErrorKind::kError,
                   {"alpha"});
    }
  });

  conformance("a_sum_is_of_the_type_that_is_asked_for", {"CORE-22"}, [](Session& subject) {
    const auto sum_in = [&](Dtype dtype) {
      return subject.core().op("sum", {i64({200, 400})}, Dict{{{"dtype", dtype}}});
    };

    expect_bits(sum_in(kInt8), scalar_of(kInt8, 88));
    expect_bits(sum_in(kBool), scalar_of(kBool, 1));
    expect_bits(sum_in(kFloat16), scalar_of(kFloat16, 600));
  });

  conformance("any_of_bytes_is_a_byte", {"CORE-22"}, [](Session& subject) {
    expect_bits(subject.core().op("any", {tensor_of(kUint8, {0, 3})}), scalar_of(kUint8, 1));
    expect_bits(subject.core().op("any", {tensor_of(kInt8, {0, 3})}), scalar_of(kBool, 1));
  });

  conformance("a_number_has_two_names_for_its_only_dimension", {"CORE-22"}, [](Session& subject) {
    const Value number = scalar_of(kFloat32, 3);

    expect_bits(subject.core().op("softmax", {number, 0}), scalar_of(kFloat32, 1));
    expect_bits(subject.core().op("softmax", {number, -1}), scalar_of(kFloat32, 1));
    expect_error([&] { subject.core().op("softmax", {number, 1}); }, ErrorKind::kIndex, {});
  });

  conformance("channels_last_of_nothing_multiplies_by_nothing", {"CORE-21"}, [](Session& subject) {
    const auto strides_of = [&](const Shape& shape) {
      const Ref made = subject.core().empty({.shape = shape, .dtype = kFloat32});
      const Ref moved = subject.core().to(made, {.copy = true, .memory_format = "channels_last"});
      return subject.core().info(moved).strides;
    };

    expect_equal(strides_of({2, 0, 2, 2}), Shape{0, 1, 0, 0});
    expect_equal(strides_of({0, 3, 2, 2}), Shape{12, 1, 6, 3});
    expect_equal(strides_of({2, 3, 0, 1}), Shape{0, 1, 3, 3});
  });

  conformance("a_complex_number_is_a_bool", {"CORE-07"}, [](Session& subject) {
    const bool looks_at_both = subject.contract().release >= Release::k2_4;
    const auto truth_of = [&](const Complex& number) {
      return subject.core().scalar_to(number, kBool);
    };

    expect_bits(truth_of({1, 2}), scalar_of(kBool, 1));
    expect_bits(truth_of({0, 2}), scalar_of(kBool, looks_at_both ? 1 : 0));
    expect_bits(truth_of({0, 0}), scalar_of(kBool, 0));
  });
}

}  // namespace assay::suites::arithmetic

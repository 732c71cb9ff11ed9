// Products and sums of many terms: exact if every order is, otherwise within CORE-22's bound.
#include "suites/core/arithmetic.hpp"

namespace assay::suites::arithmetic {
namespace {

using enum Dtype;

/// 2x3 times 3x2 with small integers: every partial sum is exact in every dtype.
TensorValue left(Dtype dtype) { return matrix(dtype, {2, 3}, {1, 2, 3, 4, 5, 6}); }
TensorValue right(Dtype dtype) { return matrix(dtype, {3, 2}, {1, -1, 2, 0, 3, 1}); }

/// The largest n such that all integers up to n are exact; n + 1 + 1 detects a narrow accumulator.
double edge_of(Dtype dtype) { return dtype == kFloat16 ? 2048 : 256; }

/// The rows of `a` times the columns of `b`.
std::vector<Sum> products(const std::vector<double>& a, const std::vector<double>& b,
                          std::size_t inner) {
  const std::size_t columns = b.size() / inner;
  std::vector<Sum> sums;
  for (std::size_t row = 0; row < a.size() / inner; ++row) {
    for (std::size_t column = 0; column < columns; ++column) {
      Sum& sum = sums.emplace_back();
      for (std::size_t i = 0; i < inner; ++i) {
        sum.add(a[row * inner + i] * b[i * columns + column]);
      }
    }
  }
  return sums;
}

/// CORE-22: before 2.11, a CPU accumulates dot products of half types in that type.
bool sums_dots_narrowly(const Contract& contract, Dtype dtype) {
  const bool is_half = dtype == Dtype::kFloat16 || dtype == Dtype::kBfloat16;
  return is_half && !contract.cuda() && contract.release < Release::k2_11;
}

}  // namespace

CASES("core/matmul") {
  conformance("small_integers_are_multiplied_exactly", {"CORE-22"}, [](Session& subject) {
    for_each_float([&](Dtype dtype) {
      const Value a = left(dtype);
      const Value b = right(dtype);

      expect_bits(subject.core().op("mm", {a, b}), matrix(dtype, {2, 2}, {14, 2, 32, 2}));
      expect_bits(subject.core().op("addmm", {tensor_of(dtype, {100, 200}), a, b}),
                  matrix(dtype, {2, 2}, {114, 202, 132, 202}));
      expect_bits(subject.core().op("linear", {a, matrix(dtype, {2, 3}, {1, 2, 3, -1, 0, 1})}),
                  matrix(dtype, {2, 2}, {14, 2, 32, 2}));
      expect_bits(subject.core().op("linear", {a, matrix(dtype, {2, 3}, {1, 2, 3, -1, 0, 1}),
                                               tensor_of(dtype, {1, -2})}),
                  matrix(dtype, {2, 2}, {15, 0, 33, 0}));
      expect_bits(subject.core().op("mv", {a, tensor_of(dtype, {1, 2, 3})}),
                  tensor_of(dtype, {14, 32}));
      expect_bits(
          subject.core().op("dot", {tensor_of(dtype, {1, 2, 3}), tensor_of(dtype, {4, 5, 6})}),
          scalar_of(dtype, 32));
    });
  });

  conformance("a_batch_is_multiplied_matrix_by_matrix", {"CORE-22"}, [](Session& subject) {
    for_each_float([&](Dtype dtype) {
      const Value a = matrix(dtype, {2, 1, 2}, {1, 2, 3, 4});
      const Value b = matrix(dtype, {2, 2, 1}, {5, 6, 7, 8});

      expect_bits(subject.core().op("bmm", {a, b}), matrix(dtype, {2, 1, 1}, {17, 53}));
    });
  });

  conformance("a_convolution_slides_over_its_input", {"CORE-22"}, [](Session& subject) {
    for_each_float([&](Dtype dtype) {
      const Value input = matrix(dtype, {1, 2, 4}, {1, 2, 3, 4, 5, 6, 7, 8});
      const Value weight = matrix(dtype, {1, 2, 2}, {1, 2, -1, 1});

      expect_bits(subject.core().op("conv1d", {input, weight}),
                  matrix(dtype, {1, 1, 3}, {6, 9, 12}));
      expect_bits(subject.core().op("conv1d", {input, weight, tensor_of(dtype, {10})}),
                  matrix(dtype, {1, 1, 3}, {16, 19, 22}));
    });
  });

  conformance("half_types_are_summed_in_float32", {"CORE-22"}, [](Session& subject) {
    for (const Dtype dtype : {kFloat16, kBfloat16}) {
      const ScopedTrace at{std::string(name_of(dtype))};
      const double edge = edge_of(dtype);
      const std::vector<double> values = {edge, 1, 1};
      const Value row = matrix(dtype, {1, 3}, values);
      const Value ones = matrix(dtype, {3, 1}, {1, 1, 1});

      expect_bits(subject.core().op("mm", {row, ones}), matrix(dtype, {1, 1}, {edge + 2}));
      expect_bits(subject.core().op("dot", {tensor_of(dtype, values), tensor_of(dtype, {1, 1, 1})}),
                  scalar_of(dtype, edge + 2));
      expect_bits(subject.core().op("mv", {row, tensor_of(dtype, {1, 1, 1})}),
                  tensor_of(dtype, {edge + 2}));
      expect_bits(subject.core().op("linear", {row, matrix(dtype, {1, 3}, {1, 1, 1})}),
                  matrix(dtype, {1, 1}, {edge + 2}));
      expect_bits(subject.core().op("bmm", {matrix(dtype, {1, 1, 3}, values),
                                            matrix(dtype, {1, 3, 1}, {1, 1, 1})}),
                  matrix(dtype, {1, 1, 1}, {edge + 2}));
      expect_bits(subject.core().op("conv1d", {matrix(dtype, {1, 1, 3}, values),
                                               matrix(dtype, {1, 1, 3}, {1, 1, 1})}),
                  matrix(dtype, {1, 1, 1}, {edge + 2}));
      expect_bits(subject.core().op("sum", {tensor_of(dtype, values)}), scalar_of(dtype, edge + 2));
    }
  }).except(Release::k1_13, DeviceRules::kCpu);

  conformance("a_partial_sum_may_leave_the_range_of_the_result", {"CORE-22"}, [](Session& subject) {
    const Value a = f16({256, 256});
    const Value b = f16({256, -255});

    if (!sums_dots_narrowly(subject.contract(), kFloat16)) {
      expect_bits(subject.core().op("dot", {a, b}), scalar_of(kFloat16, 256));
    }
    expect_bits(subject.core().op("sum", {f16({65504, 65504, -65504})}),
                scalar_of(kFloat16, 65504));
  }).except(Release::k1_13, DeviceRules::kCpu);

  conformance("a_result_out_of_range_is_infinite", {"CORE-22"}, [](Session& subject) {
    expect_bits(
        subject.core().op("mm", {matrix(kFloat16, {1, 1}, {256}), matrix(kFloat16, {1, 1}, {256})}),
        matrix(kFloat16, {1, 1}, {kInf}));
  }).except(Release::k1_13, DeviceRules::kCpu);

  conformance("float64_is_summed_in_float64", {"CORE-22"}, [](Session& subject) {
    const double fine = 1 + 0x1p-40;

    expect_bits(subject.core().op("dot", {f64({fine, 1}), f64({1, 1})}),
                scalar_of(kFloat64, fine + 1));
    expect_bits(subject.core().op("sum", {f64({fine, 1})}), scalar_of(kFloat64, fine + 1));
    expect_bits(
        subject.core().op("mm", {matrix(kFloat64, {1, 1}, {fine}), matrix(kFloat64, {1, 1}, {1})}),
        matrix(kFloat64, {1, 1}, {fine}));
  });

  conformance("long_sums_stay_within_the_bound", {"CORE-22"}, [](Session& subject) {
    const std::size_t inner = 96;
    const auto a = numbers(4 * inner, 1);
    const auto b = numbers(inner * 3, 2);
    const auto wanted = products(a, b, inner);
    for_each_float([&](Dtype dtype) {
      expect_sums(
          subject,
          subject.core().op("mm", {matrix(dtype, {4, inner}, a), matrix(dtype, {inner, 3}, b)}),
          wanted);
    });
  });

  conformance("long_reductions_stay_within_the_bound", {"CORE-22"}, [](Session& subject) {
    const auto values = numbers(120, 3);
    const auto others = numbers(120, 4);
    Sum sum;
    Sum dot;
    for (std::size_t i = 0; i < values.size(); ++i) {
      sum.add(values[i]);
      dot.add(values[i] * others[i]);
    }
    for_each_float([&](Dtype dtype) {
      const Value x = tensor_of(dtype, values);

      expect_sums(subject, subject.core().op("sum", {x}), {sum});
      dot.in_own_type = sums_dots_narrowly(subject.contract(), dtype);
      expect_sums(subject, subject.core().op("dot", {x, tensor_of(dtype, others)}), {dot});
    });
  });

  conformance("shapes_that_do_not_fit_are_refused", {"CORE-22"}, [](Session& subject) {
    expect_error(
        [&] {
          subject.core().op("mm", {left(kFloat32), left(kFloat32)});
        },
        ErrorKind::kError);
    expect_error(
        [&] {
          subject.core().op("dot", {f32({1, 2}), f32({1, 2, 3})});
        },
        ErrorKind::kError);
  });

  conformance("what_is_no_matrix_is_refused_on_either_side", {"CORE-22"}, [](Session& subject) {
    const Value square = matrix(kFloat32, {2, 2}, {1, 1, 1, 1});
    for (const Value& other : {Value(scalar_of(kFloat32, 1)), Value(f32({1, 2}))}) {
      expect_error([&] { subject.core().op("mm", {other, square}); }, ErrorKind::kError);
      expect_error([&] { subject.core().op("mm", {square, other}); }, ErrorKind::kError);
    }
  });

  conformance(
      "integers_are_multiplied_on_a_cpu_and_wrap_around", {"CORE-22"}, [](Session& subject) {
        const auto whole = [](const Shape& shape, const std::vector<double>& values) {
          return on(matrix(kInt8, shape, values), {"cpu", -1});
        };
        const Value a = whole({2, 2}, {100, 2, -3, 4});
        const Value b = whole({2, 2}, {2, -1, 1, 5});
        expect_bits(subject.core().op("mm", {a, b}), whole({2, 2}, {-54, -90, -2, 23}));
        expect_bits(subject.core().op("bmm", {whole({1, 2, 2}, {100, 2, -3, 4}),
                                              whole({1, 2, 2}, {2, -1, 1, 5})}),
                    whole({1, 2, 2}, {-54, -90, -2, 23}));
        expect_bits(subject.core().op("addmm", {whole({2}, {1, -1}), a, b}),
                    whole({2, 2}, {-53, -91, -1, 22}));
        expect_bits(subject.core().op("linear", {a, b}), whole({2, 2}, {-58, 110, -10, 17}));
        expect_bits(subject.core().op("mv", {a, whole({2}, {2, 1})}), whole({2}, {-54, -2}));
        expect_bits(subject.core().op("dot", {whole({2}, {100, 2}), whole({2}, {2, 1})}),
                    on(scalar_of(kInt8, -54), {"cpu", -1}));
      });

  on_cuda("matrices_of_integers_are_refused_on_a_gpu", {"CORE-22"}, [](Session& subject) {
    for (const Dtype dtype : {kInt32, kInt64, kBool}) {
      const Value one = matrix(dtype, {1, 1}, {1});
      expect_error([&] { subject.core().op("mm", {one, one}); }, ErrorKind::kError);
      expect_error([&] { subject.core().op("linear", {one, one}); }, ErrorKind::kError);
    }
  });

  conformance("a_linear_map_by_a_vector_is_a_product_with_it", {"CORE-22"}, [](Session& subject) {
    const Value vector = f32({1, 2});
    const Value rows = matrix(kFloat32, {3, 2}, {1, 0, 0, 1, 1, 1});
    const Value number = scalar_of(kFloat32, 1);

    expect_bits(subject.core().op("linear", {vector, f32({3, 4})}), scalar_of(kFloat32, 11));
    expect_bits(subject.core().op("linear", {rows, vector}), f32({1, 2, 3}));
    expect_error([&] { subject.core().op("linear", {rows, vector, number}); }, ErrorKind::kError);
  });
}

}  // namespace assay::suites::arithmetic

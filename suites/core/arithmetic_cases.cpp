// Operators that carry values: exact where sums are exact, within the bound of the text elsewhere.
#include <cmath>

#include "harness/suite/cases.hpp"
#include "harness/suite/clients/core.hpp"

namespace assay::suites {
namespace {

using enum Dtype;

constexpr Dtype kFloats[] = {kFloat16, kBfloat16, kFloat32, kFloat64};

TensorValue matrix(Dtype dtype, const Shape& shape, const std::vector<double>& values) {
  return shaped(tensor_of(dtype, values), shape);
}

/// 2 x 3 times 3 x 2 in small integers: every partial sum is exact in every type.
TensorValue left(Dtype dtype) { return matrix(dtype, {2, 3}, {1, 2, 3, 4, 5, 6}); }
TensorValue right(Dtype dtype) { return matrix(dtype, {3, 2}, {1, -1, 2, 0, 3, 1}); }

void for_each_float(const std::function<void(Dtype)>& check) {
  for (const Dtype dtype : kFloats) {
    const At at{std::string(name_of(dtype))};
    check(dtype);
  }
}

/// Largest integer n so that all up to n are exact; n + 1 + 1 tells a narrow accumulator.
double edge_of(Dtype dtype) { return dtype == kFloat16 ? 2048 : 256; }

/// Unit round-off.
double round_off_of(Dtype dtype) {
  switch (dtype) {
    case kFloat16:
      return 0x1p-11;
    case kBfloat16:
      return 0x1p-8;
    case kFloat32:
      return 0x1p-24;
    default:
      return 0x1p-53;
  }
}

double smallest_of(Dtype dtype) {
  if (dtype == kFloat16) return 0x1p-24;
  return dtype == kBfloat16 ? 0x1p-133 : 0x1p-149;
}

/// Multiples of 1/64 from -2 to 2: exact in every type, of no pattern.
std::vector<double> numbers(std::size_t count, std::uint64_t seed) {
  std::vector<double> values;
  std::uint64_t state = seed;
  for (std::size_t i = 0; i < count; ++i) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    values.push_back(static_cast<double>(static_cast<std::int64_t>(state >> 56) - 128) / 64);
  }
  return values;
}

/// A sum of `terms` products: its exact value, and the sum of their magnitudes.
struct Sum {
  double exact = 0;
  double magnitude = 0;
  double terms = 0;
  bool in_own_type = false;  ///< partial sums are rounded to the type of the result
  void add(double product) {
    exact += product;
    magnitude += std::fabs(product);
    ++terms;
  }
};

/// CORE-22's bound on a linear sum.
double bound_of(const Sum& sum, Dtype dtype, const Contract& contract) {
  const double stored = round_off_of(dtype);
  double accumulated = dtype == kFloat64 ? 0x1p-53 : 0x1p-24;
  const bool rounds_partial_sums =
      contract.release == Release::k1_13 && !contract.cuda() && dtype == kBfloat16;
  if (rounds_partial_sums || sum.in_own_type) accumulated = stored;
  const double growth = sum.terms * accumulated / (1 - sum.terms * accumulated);
  return growth * sum.magnitude + stored * std::fabs(sum.exact) + smallest_of(dtype);
}

void expect_sums(Session& subject, const TensorValue& got, const std::vector<Sum>& sums,
                 Where where = Where::current()) {
  std::vector<double> wanted;
  std::vector<double> bounds;
  for (const Sum& sum : sums) {
    wanted.push_back(sum.exact);
    bounds.push_back(bound_of(sum, got.dtype, subject.contract()));
  }
  expect_within(got, wanted, bounds, "CORE-22 for linear sums", where);
}

/// Rows of `a` times columns of `b`.
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

/// CORE-22: before 2.11 a CPU adds up the dot products of the half types in their own type.
bool sums_dots_narrowly(const Contract& contract, Dtype dtype) {
  const bool is_half = dtype == Dtype::kFloat16 || dtype == Dtype::kBfloat16;
  return is_half && !contract.cuda() && contract.release != Release::k2_11;
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
      const At at{std::string(name_of(dtype))};
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
}

CASES("core/elementwise") {
  conformance("each_result_is_rounded_once", {"CORE-22"}, [](Session& subject) {
    expect_bits(subject.core().op("add", {f16({2048, 2050, 65504}), f16({1, 1, 65504})}),
                f16({2048, 2052, kInf}));
    expect_bits(subject.core().op("div", {f16({1, 1, -1, 0}), f16({3, 0, 0, 0})}),
                from_bits(kFloat16, {0x3555, 0x7c00, 0xfc00, 0x7e00}));
    expect_bits(subject.core().op(
                    "mul", {from_bits(kFloat16, {0x0001, 0x0003, 0x8001}), f16({0.5, 0.5, 0.25})}),
                from_bits(kFloat16, {0x0000, 0x0002, 0x8000}));
    expect_bits(subject.core().op("add", {bf16({256, 258}), bf16({1, 1})}), bf16({256, 260}));
    expect_bits(subject.core().op("div", {f32({1, 2}), f32({3, 3})}),
                from_bits(kFloat32, {0x3eaaaaab, 0x3f2aaaab}));
    expect_bits(subject.core().op("sub", {f64({1, 0}), f64({0x1p-60, 0})}), f64({1, 0}));
  });

  conformance("integers_wrap", {"CORE-22"}, [](Session& subject) {
    const TensorValue most = from_bits(kInt32, {0x7fffffff});
    expect_bits(subject.core().op("add", {most, i32({1})}), from_bits(kInt32, {0x80000000}));
    expect_bits(subject.core().op("mul", {i64({-3}), i64({7})}), i64({-21}));
    expect_bits(subject.core().op("neg", {i32({5, -5})}), i32({-5, 5}));
  });

  conformance(
      "operands_of_two_types_meet_in_the_promoted_one", {"CORE-22", "CORE-05"},
      [](Session& subject) {
        expect_bits(subject.core().op("add", {f16({1}), f32({0x1p-20})}), f32({1 + 0x1p-20}));
        expect_bits(subject.core().op("add", {f16({1}), scalar_of(kFloat64, 2)}), f16({3}));
        expect_bits(subject.core().op("mul", {i32({3}), 1.5}), f32({4.5}));
        expect_bits(subject.core().op("add", {boolean({1, 0}), 1}), i64({2, 1}));
        expect_bits(subject.core().op("add", {bf16({1}), f16({2})}), f32({3}));
      });

  conformance("operands_are_broadcast", {"CORE-22"}, [](Session& subject) {
    expect_bits(subject.core().op("add", {matrix(kFloat32, {2, 1}, {10, 20}), f32({1, 2, 3})}),
                matrix(kFloat32, {2, 3}, {11, 12, 13, 21, 22, 23}));
    expect_error(
        [&] {
          subject.core().op("add", {f32({1, 2}), f32({1, 2, 3})});
        },
        ErrorKind::kError, {"2", "3"});
  });

  conformance("relu_keeps_the_sign_of_zero_and_nan", {"CORE-22"}, [](Session& subject) {
    for_each_float([&](Dtype dtype) {
      expect_bits(subject.core().op("relu", {tensor_of(dtype, {-1, -0.0, 0.0, 2, kNaN, -kInf})}),
                  tensor_of(dtype, {0, -0.0, 0.0, 2, kNaN, 0}));
    });
  });

  conformance("negation_turns_every_sign", {"CORE-22"}, [](Session& subject) {
    for_each_float([&](Dtype dtype) {
      expect_bits(subject.core().op("neg", {tensor_of(dtype, {1, -2, 0.0, -0.0, kInf})}),
                  tensor_of(dtype, {-1, 2, -0.0, 0.0, -kInf}));
    });
  });
}

CASES("core/reduction") {
  conformance("bools_are_neither_subtracted_nor_negated", {"CORE-22"}, [](Session& subject) {
    const Value yes = boolean({1});
    const std::vector<std::vector<Value>> operands{
        {yes, yes}, {f32({1}), yes}, {yes, f32({1})}, {f32({1}), true}, {yes, 1}};
    for (const std::vector<Value>& both : operands) {
      expect_error([&] { subject.core().op("sub", both); }, ErrorKind::kError, {"bool"});
    }
    expect_error([&] { subject.core().op("neg", {yes}); }, ErrorKind::kError, {"bool"});
    expect_error([&] { subject.core().op("relu", {yes}); }, ErrorKind::kError, {"bool"});
    expect_bits(subject.core().op("add", {yes, yes}), boolean({1}));
  });

  conformance("integers_and_bools_are_summed_in_int64", {"CORE-22"}, [](Session& subject) {
    expect_bits(subject.core().op("sum", {from_bits(kInt32, {0x7fffffff, 1})}),
                scalar_of(kInt64, 2147483648.0));
    expect_bits(subject.core().op("sum", {boolean({1, 1, 0})}), scalar_of(kInt64, 2));
    expect_bits(subject.core().op("sum", {i64({-5, 3})}), scalar_of(kInt64, -2));
  });

  conformance("simple_numbers_reduce_exactly", {"CORE-22"}, [](Session& subject) {
    for_each_float([&](Dtype dtype) {
      expect_bits(subject.core().op("sum", {tensor_of(dtype, {1, 2, 3.5})}), scalar_of(dtype, 6.5));
      expect_bits(subject.core().op("mean", {tensor_of(dtype, {1, 2, 3, 6})}), scalar_of(dtype, 3));
      expect_bits(subject.core().op("norm", {tensor_of(dtype, {3, -4})}), scalar_of(dtype, 5));
      expect_bits(subject.core().op("max", {tensor_of(dtype, {1, 3, -7})}), scalar_of(dtype, 3));
      expect_bits(
          subject.core().op("mse_loss", {tensor_of(dtype, {1, 2}), tensor_of(dtype, {3, 5})}),
          scalar_of(dtype, 6.5));
    });
  });

  conformance("a_maximum_with_nan_is_nan", {"CORE-22"}, [](Session& subject) {
    expect_bits(subject.core().op("max", {f32({1, kNaN, 3})}), scalar_of(kFloat32, kNaN));
    expect_bits(subject.core().op("max", {f32({-kInf, -3})}), scalar_of(kFloat32, -3));
  });

  conformance("any_is_true_for_everything_but_zero", {"CORE-22"}, [](Session& subject) {
    expect_bits(subject.core().op("any", {f32({0, -0.0})}), scalar_of(kBool, 0));
    expect_bits(subject.core().op("any", {f32({0, kNaN})}), scalar_of(kBool, 1));
    expect_bits(subject.core().op("any", {boolean({0, 0, 1})}), scalar_of(kBool, 1));
  });

  conformance("nothing_has_a_sum_but_no_maximum", {"CORE-22"}, [](Session& subject) {
    const Value nothing = f32({});

    expect_bits(subject.core().op("sum", {nothing}), scalar_of(kFloat32, 0));
    expect_bits(subject.core().op("norm", {nothing}), scalar_of(kFloat32, 0));
    expect_bits(subject.core().op("any", {nothing}), scalar_of(kBool, 0));
    expect_bits(subject.core().op("mean", {nothing}), scalar_of(kFloat32, kNaN));
    expect_bits(subject.core().op("mse_loss", {nothing, nothing}), scalar_of(kFloat32, kNaN));
    expect_error([&] { subject.core().op("max", {nothing}); },
                 {ErrorKind::kError, ErrorKind::kIndex}, {});
  });

  conformance("only_the_elements_of_a_view_are_reduced", {"CORE-22"}, [](Session& subject) {
    const Ref base = subject.core().tensor(f32({100, 1, 100, 2, 100, 3}));
    const Ref odd = subject.core().as_strided(base, {.shape = {3}, .strides = {2}, .offset = 1});
    const Ref wide = subject.core().expand(odd, {2, 3});

    expect_bits(subject.core().op("sum", {odd}), scalar_of(kFloat32, 6));
    expect_bits(subject.core().op("max", {odd}), scalar_of(kFloat32, 3));
    expect_bits(subject.core().op("sum", {wide}), scalar_of(kFloat32, 12));
  });

  conformance("softmax_is_within_4_ulp_of_float64", {"CORE-22"}, [](Session& subject) {
    const std::vector<double> values = {0, 1, -2, 3.5};
    double total = 0;
    for (const double value : values) total += std::exp(value);
    std::vector<double> wanted;
    for (const double value : values) {
      wanted.push_back(static_cast<double>(static_cast<float>(std::exp(value) / total)));
    }

    expect_within_ulp(subject.core().op("softmax", {f32(values), 0}), f32(wanted), 4);
    expect_bits(subject.core().op("softmax", {f32({1000, 1000}), 0}), f32({0.5, 0.5}));
    expect_bits(subject.core().op("softmax", {f32({-kInf, 0}), 0}), f32({0, 1}));
    expect_bits(subject.core().op("softmax", {matrix(kFloat16, {2, 2}, {5, 5, -9, -9}), -1}),
                matrix(kFloat16, {2, 2}, {0.5, 0.5, 0.5, 0.5}));
  });

  conformance("layer_norm_and_norm_are_within_4_ulp_of_float64", {"CORE-22"}, [](Session& subject) {
    const double deviation = std::sqrt(1.25 + 1e-5);
    std::vector<double> wanted;
    for (const double value : {1, 2, 3, 4}) {
      wanted.push_back(static_cast<double>(static_cast<float>((value - 2.5) / deviation)));
    }
    const auto root = static_cast<double>(std::sqrt(14.0f));

    expect_within_ulp(subject.core().op("layer_norm", {f32({1, 2, 3, 4}), List{{4}}}), f32(wanted),
                      4);
    expect_within_ulp(subject.core().op("norm", {f32({1, 2, 3})}), scalar_of(kFloat32, root), 4);
  });

  conformance("the_same_work_gives_the_same_bits_on_every_run", {"CORE-22"}, [](Session& subject) {
    // 65 536 floats from 0.5 on, each a little larger.
    const Ref x = subject.core().tensor(
        by_recipe(kFloat32, 65536, {Recipe::Kind::kCounter, 0x3f000000, 37, {}}));
    for (const char* name : {"sum", "mean", "norm"}) {
      const At at{name};
      const TensorValue first = subject.core().op(name, {x});
      for (int run = 0; run < 5; ++run) expect_bits(subject.core().op(name, {x}), first);
    }
  });
}

}  // namespace assay::suites

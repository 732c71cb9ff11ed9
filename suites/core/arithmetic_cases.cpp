// Arithmetic operators: exact if sums are exact, otherwise within the bound of the clause.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <numeric>

#include "suites/core/arithmetic.hpp"

namespace assay::suites::arithmetic {

using enum Dtype;

namespace {

/// A view, and the strides of a result computed from it.
struct OrderRow {
  Shape shape;
  Shape strides;
  Shape alone;
  Shape beside_a_number;
};

std::vector<OrderRow> order_rows() {
  return {{{3, 2, 4}, {1, 24, 6}, {1, 12, 3}, {1, 12, 3}},
          {{2, 3}, {5, 1}, {3, 1}, {3, 1}},
          {{2, 3}, {1, 2}, {1, 2}, {1, 2}},
          {{2, 1}, {1, 7}, {1, 1}, {1, 2}},
          {{2, 1, 3}, {3, 50, 1}, {3, 3, 1}, {3, 6, 1}},
          {{2, 0, 3}, {1, 6, 2}, {3, 3, 1}, {1, 6, 2}},
          {{1, 3}, {9, 2}, {3, 1}, {3, 1}}};
}

std::string to_text(const Shape& sizes) {
  return "(" + fmt::format("{}", fmt::join(sizes, ", ")) + ")";
}

}  // namespace

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

  conformance("on_the_cpu_a_summand_is_narrowed_and_a_factor_since_2_1_is_not", {"CORE-22"},
              [](Session& subject) {
                TensorValue infinite = f16({-kInf, kInf});
                TensorValue zero = f16({0, 0});
                infinite.device = zero.device = {"cpu", -1};
                const bool is_wide = subject.contract().release >= Release::k2_4;

                expect_bits(subject.core().op("add", {infinite, 1e18}), f16({kNaN, kInf}));
                expect_bits(subject.core().op("sub", {infinite, 1e18}), f16({-kInf, kNaN}));
                expect_bits(subject.core().op("mul", {zero, 1e18}),
                            is_wide ? f16({0, 0}) : f16({kNaN, kNaN}));
              });

  conformance("the_result_of_contiguous_operands_has_plain_strides", {"CORE-12", "CORE-22"},
              [](Session& subject) {
                const Ref one =
                    subject.core().expand(subject.core().tensor(scalar_of(kFloat32, 2)), {1});
                expect_equal(subject.core().info(one).strides.at(0), 0);

                const Ref result = subject.core().op_ref("relu", {one});

                expect_equal(subject.core().info(result).strides.at(0), 1);
              });

  conformance("the_result_keeps_the_order_of_dimensions", {"CORE-22"}, [](Session& subject) {
    const Ref whole = subject.core().empty({.shape = {80}, .dtype = kFloat32});
    for (const OrderRow& row : order_rows()) {
      const Ref view =
          subject.core().as_strided(whole, {.shape = row.shape, .strides = row.strides});
      const ScopedTrace at{to_text(row.shape) + ", strides " + to_text(row.strides)};
      const auto strides_of = [&](const std::string& op, std::vector<Value> args) {
        return subject.core().info(subject.core().op_ref(op, std::move(args))).strides;
      };

      expect_equal(strides_of("neg", {view}), row.alone);
      expect_equal(strides_of("add", {view, view}), row.alone);
      expect_equal(strides_of("mul", {view, 2}), row.beside_a_number);
      expect_equal(strides_of("add", {scalar_of(kFloat32, 1), view}), row.beside_a_number);
    }
  });

  conformance("an_integer_beside_half_types_is_narrowed_first", {"CORE-22"}, [](Session& subject) {
    const TensorValue odd = i32({2049, 2051});
    const TensorValue three = f16({3, 3});

    expect_bits(subject.core().op("sub", {odd, three}), f16({2045, 2048}));
    expect_bits(subject.core().op("mul", {three, odd}), f16({6144, 6156}));
    expect_bits(subject.core().op("add", {three, odd}), f16({2052, 2056}));
  });

  conformance("the_right_factor_beside_half_types_keeps_its_width_on_the_host", {"CORE-22"},
              [](Session& subject) {
                const Device host{"cpu", -1};
                const TensorValue three = on(f16({3}), host);
                const TensorValue odd = on(scalar_of(Dtype::kInt16, 2049), host);

                expect_bits(subject.core().op("mul", {three, odd}), f16({6148}));
                expect_bits(subject.core().op("mul", {odd, three}), f16({6144}));
                expect_bits(subject.core().op("div", {odd, three}), f16({682.5}));
              })
      .since(Release::k2_4);

  conformance("operands_are_broadcast", {"CORE-22"}, [](Session& subject) {
    expect_bits(subject.core().op("add", {matrix(kFloat32, {2, 1}, {10, 20}), f32({1, 2, 3})}),
                matrix(kFloat32, {2, 3}, {11, 12, 13, 21, 22, 23}));
    expect_error(
        [&] {
          subject.core().op("add", {f32({1, 2}), f32({1, 2, 3})});
        },
        ErrorKind::kError, {"2", "3"});
  });

  conformance("operands_begin_and_step_as_they_like", {"CORE-22"}, [](Session& subject) {
    for_each_float([&](Dtype dtype) {
      std::vector<double> numbers(40);
      std::iota(numbers.begin(), numbers.end(), 0.0);
      const Ref base = subject.core().tensor(tensor_of(dtype, numbers));
      const auto view = [&](std::int64_t begin, std::int64_t step) {
        return subject.core().as_strided(base, {.shape = {18}, .strides = {step}, .offset = begin});
      };
      for (const auto& [begin, step] : {std::pair{1, 1}, {3, 1}, {0, 2}, {1, 2}, {2, 0}}) {
        const ScopedTrace at{std::to_string(begin) + " + i * " + std::to_string(step)};
        std::vector<double> sums, differences;
        for (int i = 0; i < 18; ++i) {
          sums.push_back(i + begin + i * step);
          differences.push_back(begin + i * step - i);
        }
        const Ref plain = view(0, 1);
        const Ref other = view(begin, step);

        expect_bits(subject.core().op("add", {plain, other}), tensor_of(dtype, sums));
        expect_bits(subject.core().op("sub", {other, plain}), tensor_of(dtype, differences));
      }
    });
  });

  conformance("relu_keeps_the_sign_of_zero_and_nan", {"CORE-22"}, [](Session& subject) {
    for_each_float([&](Dtype dtype) {
      expect_bits(subject.core().op("relu", {tensor_of(dtype, {-1, -0.0, 0.0, 2, kNaN, -kInf})}),
                  tensor_of(dtype, {0, -0.0, 0.0, 2, kNaN, 0}));
    });
  }).only(DeviceRules::kCpu);

  conformance("relu_of_cuda_gives_no_negative_zero_and_keeps_nan", {"CORE-22"},
              [](Session& subject) {
                for_each_float([&](Dtype dtype) {
                  expect_bits(subject.core().op(
                                  "relu", {tensor_of(dtype, {-1, -0.0, 0.0, 2, kNaN, -kInf})}),
                              tensor_of(dtype, {0, 0.0, 0.0, 2, kNaN, 0}));
                });
              })
      .only(DeviceRules::kCuda);

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
    // 65,536 increasing floats, starting at 0.5: 0.5 + 37 * i * 2^-24.
    const Ref x = subject.core().tensor(
        by_recipe(kFloat32, 65536, {Recipe::Kind::kCounter, 0x3f000000, 37, {}}));
    const std::vector<std::pair<const char*, double>> rows = {
        {"sum", 37503.9}, {"mean", 0.572265}, {"norm", 146.889}};
    for (const auto& [name, about] : rows) {
      const ScopedTrace at{name};
      const TensorValue first = subject.core().op(name, {x});
      expect_within(first, {about}, {1e-3 * about}, "the first three digits");
      for (int run = 0; run < 5; ++run) expect_bits(subject.core().op(name, {x}), first);
    }
  });
}

}  // namespace assay::suites::arithmetic

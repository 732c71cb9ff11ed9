// Operators of autocast's lists along a dimension: running totals, products, norms, group norm.
#include "suites/core/listed.hpp"

namespace assay::suites::arithmetic {
namespace {

using enum Dtype;

/// 2x3x2 numbers whose sums and products are exact in every dtype.
TensorValue block(Dtype dtype) {
  return matrix(dtype, {2, 3, 2}, {1, 2, -1, 0.5, 2, 4, 3, -1, 0, 1, 1, 2});
}

std::vector<double> logs_of(const std::vector<double>& values) {
  double total = 0;
  for (const double value : values) total += std::exp(value);
  std::vector<double> logs;
  for (const double value : values) logs.push_back(value - std::log(total));
  return logs;
}

}  // namespace

CASES("core/lines") {
  conformance("a_running_total_follows_its_dimension", {"CORE-22"}, [](Session& subject) {
    for_each_computed_float(subject, [&](Dtype dtype) {
      const Value x = block(dtype);

      expect_bits(listed(subject, "aten::cumsum", {x, 1}),
                  matrix(dtype, {2, 3, 2}, {1, 2, 0, 2.5, 2, 6.5, 3, -1, 3, 0, 4, 2}));
      expect_bits(listed(subject, "aten::cumsum", {x, -3}),
                  matrix(dtype, {2, 3, 2}, {1, 2, -1, 0.5, 2, 4, 4, 1, -1, 1.5, 3, 6}));
      expect_bits(listed(subject, "aten::cumprod", {x, -2}),
                  matrix(dtype, {2, 3, 2}, {1, 2, -1, 1, -2, 4, 3, -1, 0, -1, 0, -2}));
      expect_bits(listed(subject, "aten::cumprod", {scalar_of(dtype, 3), 0}), scalar_of(dtype, 3));
    });
  });

  conformance("integers_are_totalled_in_int64", {"CORE-22"}, [](Session& subject) {
    expect_bits(listed(subject, "aten::cumsum", {i32({1, 2, 3}), 0}), i64({1, 3, 6}));
    expect_bits(listed(subject, "aten::prod", {i32({3, 5, -1})}), scalar_of(kInt64, -15));
    expect_bits(listed(subject, "aten::prod", {i64({})}), scalar_of(kInt64, 1));
  });

  conformance("half_types_keep_their_running_total_in_float32", {"CORE-22"}, [](Session& subject) {
    for_each_computed_float(subject, [&](Dtype dtype) {
      if (dtype != kFloat16 && dtype != kBfloat16) return;
      const double edge = dtype == kFloat16 ? 2048 : 256;

      expect_bits(listed(subject, "aten::cumsum", {tensor_of(dtype, {edge, 1, 1}), 0}),
                  tensor_of(dtype, {edge, edge, edge + 2}));
    });
  }).only(DeviceRules::kCpu);

  conformance("each_running_total_of_bfloat16_is_rounded_on_cuda", {"CORE-22"},
              [](Session& subject) {
                expect_bits(listed(subject, "aten::cumsum", {tensor_of(kBfloat16, {256, 1, 1}), 0}),
                            tensor_of(kBfloat16, {256, 256, 256}));
              })
      .only(DeviceRules::kCuda);

  conformance("each_running_total_of_float16_is_rounded_on_cuda", {"CORE-22"},
              [](Session& subject) {
                expect_bits(listed(subject, "aten::cumsum", {tensor_of(kFloat16, {2048, 1, 1}), 0}),
                            tensor_of(kFloat16, {2048, 2048, 2048}));
              })
      .only(DeviceRules::kCuda);

  conformance(
      "a_product_is_of_all_elements_or_of_one_dimension", {"CORE-22"}, [](Session& subject) {
        for (const Dtype dtype : {kFloat32, kFloat64}) {
          const Value x = block(dtype);

          expect_bits(listed(subject, "aten::prod", {x}), scalar_of(dtype, 0));
          expect_bits(listed(subject, "aten::prod.dim_int", {x, 1, false}),
                      matrix(dtype, {2, 2}, {-2, 4, 0, -2}));
          expect_bits(listed(subject, "aten::prod.dim_int", {x, 0, true}),
                      matrix(dtype, {1, 3, 2}, {3, -2, -0.0, 0.5, 2, 8}));
          expect_bits(listed(subject, "aten::prod", {tensor_of(dtype, {})}), scalar_of(dtype, 1));
        }
      });

  conformance("a_share_that_is_no_normal_number_is_not_zero", {"CORE-22"}, [](Session& subject) {
    const TensorValue shares = listed(subject, "aten::softmax.int", {f32({0, -95}), 0, {}});

    expect_bits(listed(subject, "aten::gt.Tensor", {shares, f32({0})}), tensor_of(kBool, {1, 1}));
  });

  conformance("the_logarithm_of_softmax_does_not_overflow", {"CORE-22"}, [](Session& subject) {
    for_each_computed_float(subject, [&](Dtype dtype) {
      const std::vector<double> values = {0, 1, -2, 3.5};

      expect_near(listed(subject, "aten::log_softmax.int", {tensor_of(dtype, values), 0}),
                  logs_of(values), {4, 4, 4, 4});
      expect_near(listed(subject, "aten::log_softmax.int",
                         {matrix(dtype, {2, 2}, {1000, -1000, 1000, -992}), 0}),
                  {-std::log(2.0), -8 - std::log1p(std::exp(-8.0)), -std::log(2.0),
                   -std::log1p(std::exp(-8.0))},
                  {1, 9, 1, 1});
      expect_near(listed(subject, "aten::logsumexp",
                         {matrix(dtype, {2, 2}, {1000, 1000, -kInf, 3}), ints({1})}),
                  {1000 + std::log(2.0), 3}, {1000, 3});
      expect_bits(listed(subject, "aten::logsumexp",
                         {matrix(dtype, {2, 2}, {-kInf, -kInf, kInf, 1}), ints({1}), true}),
                  matrix(dtype, {2, 1}, {-kInf, kInf}));
    });
  });

  conformance("a_norm_is_of_any_order", {"CORE-22"}, [](Session& subject) {
    for_each_computed_float(subject, [&](Dtype dtype) {
      const Value x = matrix(dtype, {2, 3}, {1, -2, 2, 0, 4, -4});
      const auto norm = [&](const Value& p) {
        return listed(subject, "aten::linalg_vector_norm", {x, p, ints({1})});
      };
      expect_bits(norm(0), tensor_of(dtype, {3, 2}));
      expect_bits(norm(1), tensor_of(dtype, {5, 8}));
      expect_near(norm(2), {3, std::sqrt(32.0)});
      expect_near(norm(3), {std::cbrt(17.0), std::cbrt(128.0)}, {4, 8});
      expect_bits(norm(double{kInf}), tensor_of(dtype, {2, 4}));
      expect_bits(norm(-double{kInf}), tensor_of(dtype, {1, 0}));
      expect_near(listed(subject, "aten::norm.Scalar", {x, 3}), {std::cbrt(145.0)}, {8});
      expect_bits(listed(subject, "aten::dist", {x, tensor_of(dtype, {1, -2, 0}), 1}),
                  scalar_of(dtype, 13));
    });
  });

  conformance("the_norm_of_one_element_is_its_size", {"CORE-22"}, [](Session& subject) {
    const TensorValue least = from_bits(kFloat32, {0x80000001});

    expect_bits(listed(subject, "aten::linalg_vector_norm", {least, 2}),
                scalar_bits(kFloat32, 0x00000001));
  }).since(Release::k2_11);

  conformance("an_infinite_norm_of_nothing_is_refused", {"CORE-22"}, [](Session& subject) {
    expect_bits(listed(subject, "aten::linalg_vector_norm", {f32({}), 2}), scalar_of(kFloat32, 0));
    expect_error(
        [&] {
          listed(subject, "aten::linalg_vector_norm", {f32({}), double{kInf}});
        },
        ErrorKind::kError, {"identity"});
  });

  conformance("groups_of_channels_are_normalized", {"CORE-22"}, [](Session& subject) {
    for_each_computed_float(subject, [&](Dtype dtype) {
      const std::vector<double> values = {1, 3, 1, 3, 0, 0, 4, 4, 2, 4, 2, 4, 5, 1, 1, 5};
      const double one = 1 / std::sqrt(1 + 0.5);
      const double two = 2 / std::sqrt(4 + 0.5);
      const Value x = matrix(dtype, {2, 4, 2}, values);
      const auto norm = [&](const Value& weight, const Value& bias) {
        return listed(subject, "aten::group_norm", {x, 2, weight, bias, 0.5});
      };
      const std::vector<double> plain = {-one, one, -one, one, -two, -two, two,  two,
                                         -one, one, -one, one, two,  -two, -two, two};
      std::vector<double> scaled;
      const std::vector<double> factors = {1, 2, 4, -1};
      for (std::size_t i = 0; i < plain.size(); ++i) {
        scaled.push_back(plain[i] * factors[i / 2 % 4] + static_cast<double>(i / 2 % 4));
      }

      expect_near(norm({}, {}), plain);
      expect_near(norm(tensor_of(dtype, factors), tensor_of(dtype, {0, 1, 2, 3})), scaled,
                  std::vector<double>(16, 8));
    });
  });
}

}  // namespace assay::suites::arithmetic

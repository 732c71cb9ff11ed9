// Functions of single elements on autocast's lists.
#include "suites/core/listed.hpp"

namespace assay::suites::arithmetic {
namespace {

using enum Dtype;

struct FunctionRow {
  const char* op;
  double (*function)(double);
  std::vector<double> inputs;
};

std::vector<FunctionRow> function_rows() {
  const std::vector<double> any = {-2, -0.5, 0, 0.25, 1.5, 4};
  const std::vector<double> positive = {0.0078125, 0.25, 1.5, 2, 640};
  const std::vector<double> unit = {-1, -0.75, -0.25, 0.5, 1};
  return {{"aten::acos", std::acos, unit},
          {"aten::asin", std::asin, unit},
          {"aten::cosh", std::cosh, any},
          {"aten::exp", std::exp, any},
          {"aten::expm1", std::expm1, any},
          {"aten::log", std::log, positive},
          {"aten::log10", std::log10, positive},
          {"aten::log1p", std::log1p, positive},
          {"aten::log2", std::log2, positive},
          {"aten::reciprocal", [](double x) { return 1 / x; }, positive},
          {"aten::rsqrt", [](double x) { return 1 / std::sqrt(x); }, positive},
          {"aten::sinh", std::sinh, any},
          {"aten::tan", std::tan, {-1, -0.5, 0, 0.25, 1.25}}};
}

std::vector<double> mapped(const std::vector<double>& inputs,
                           const std::function<double(double)>& function) {
  std::vector<double> results;
  for (const double input : inputs) results.push_back(function(input));
  return results;
}

bool are_equal(Session& subject, const Value& left, const Value& right) {
  return subject.read<bool>("dispatch.call",
                            {{"op", "aten::equal"}, {"args", List{{left, right}}}});
}

}  // namespace

CASES("core/functions") {
  conformance("a_function_of_each_element_is_within_4_units", {"CORE-22"}, [](Session& subject) {
    for_each_computed_float(subject, [&](Dtype dtype) {
      for (const FunctionRow& row : function_rows()) {
        const ScopedTrace at{row.op};

        expect_near(listed(subject, row.op, {tensor_of(dtype, row.inputs)}),
                    mapped(row.inputs, row.function));
      }
    });
  });

  conformance("what_a_function_has_no_value_for", {"CORE-22"}, [](Session& subject) {
    for_each_computed_float(subject, [&](Dtype dtype) {
      const auto of = [&](const char* op, const std::vector<double>& inputs) {
        return listed(subject, op, {tensor_of(dtype, inputs)});
      };
      expect_bits(of("aten::log", {0, -1, kInf, kNaN, 1}),
                  tensor_of(dtype, {-kInf, kNaN, kInf, kNaN, 0}));
      expect_bits(of("aten::exp", {-kInf, kInf, kNaN, 0}), tensor_of(dtype, {0, kInf, kNaN, 1}));
      expect_bits(of("aten::acos", {2, 1}), tensor_of(dtype, {kNaN, 0}));
      expect_bits(of("aten::rsqrt", {0, kInf, -1, 0.25}), tensor_of(dtype, {kInf, 0, kNaN, 2}));
      expect_bits(of("aten::erfinv", {0, 1, -1, 2}), tensor_of(dtype, {0, kInf, -kInf, kNaN}));
    });
  });

  conformance("erfinv_is_the_inverse_of_erf", {"CORE-22"}, [](Session& subject) {
    const std::vector<double> results = {-2, -0.75, -0.125, 0.25, 0.5, 1.5};
    const std::vector<double> inputs = mapped(results, [](double x) { return std::erf(x); });

    expect_near(listed(subject, "aten::erfinv", {f64(inputs)}), results,
                std::vector<double>(6, 100));
  });

  conformance("a_power_of_a_tensor_or_of_a_number", {"CORE-22"}, [](Session& subject) {
    for_each_computed_float(subject, [&](Dtype dtype) {
      const std::vector<double> values = {0.25, 1, 4, 6.25};
      const Value x = tensor_of(dtype, values);
      const auto power = [](double p) { return [p](double base) { return std::pow(base, p); }; };
      for (const double p : {2.0, 3.0, 0.5, -0.5, -1.0, 1.5, 0.0}) {
        expect_near(listed(subject, "aten::pow.Tensor_Scalar", {x, p}), mapped(values, power(p)));
      }
      expect_near(listed(subject, "aten::pow.Scalar", {2.0, x}),
                  mapped(values, [](double p) { return std::pow(2, p); }));
      expect_near(listed(subject, "aten::pow.Tensor_Tensor", {x, tensor_of(dtype, {-2})}),
                  mapped(values, power(-2)));
    });
  });

  conformance("a_power_of_one_half_is_a_square_root", {"CORE-22"}, [](Session& subject) {
    expect_bits(listed(subject, "aten::pow.Tensor_Scalar", {f32({-kInf, -0.0, 4}), 0.5}),
                f32({kNaN, -0.0, 2}));
    expect_bits(listed(subject, "aten::pow.Tensor_Tensor", {f32({-kInf, -0.0, 4}), f32({0.5})}),
                f32({kInf, 0.0, 2}));
  });

  conformance("two_tensors_are_compared_or_make_an_angle", {"CORE-22"}, [](Session& subject) {
    for_each_computed_float(subject, [&](Dtype dtype) {
      const Value left = matrix(dtype, {2, 1}, {1, kNaN});
      const Value right = tensor_of(dtype, {0, 1, 2});
      const auto compare = [&](const char* op) { return listed(subject, op, {left, right}); };
      const auto bools = [](const std::vector<double>& values) {
        return matrix(kBool, {2, 3}, values);
      };
      expect_bits(compare("aten::eq.Tensor"), bools({0, 1, 0, 0, 0, 0}));
      expect_bits(compare("aten::ne.Tensor"), bools({1, 0, 1, 1, 1, 1}));
      expect_bits(compare("aten::lt.Tensor"), bools({0, 0, 1, 0, 0, 0}));
      expect_bits(compare("aten::le.Tensor"), bools({0, 1, 1, 0, 0, 0}));
      expect_bits(compare("aten::gt.Tensor"), bools({1, 0, 0, 0, 0, 0}));
      expect_bits(compare("aten::ge.Tensor"), bools({1, 1, 0, 0, 0, 0}));
      expect_near(
          listed(subject, "aten::atan2", {tensor_of(dtype, {1, -1}), tensor_of(dtype, {-2})}),
          {std::atan2(1, -2), std::atan2(-1, -2)});
    });
  });

  conformance("two_tensors_are_equal_if_all_their_elements_are", {"CORE-22"}, [](Session& subject) {
    for_each_computed_float(subject, [&](Dtype dtype) {
      const auto equal = [&](const Value& left, const Value& right) {
        return are_equal(subject, left, right);
      };
      const Value x = tensor_of(dtype, {1, 0, kInf});

      expect_equal(equal(x, tensor_of(dtype, {1, -0.0, kInf})), true);
      expect_equal(equal(x, tensor_of(dtype, {1, 0, 2})), false);
      expect_equal(equal(x, tensor_of(dtype, {1, 0})), false);
      expect_equal(equal(x, matrix(dtype, {1, 3}, {1, 0, kInf})), false);
      expect_equal(equal(tensor_of(dtype, {kNaN}), tensor_of(dtype, {kNaN})), false);
      expect_equal(equal(tensor_of(dtype, {}), tensor_of(dtype, {})), true);
    });
  });

  conformance("tensors_of_two_types_can_be_equal", {"CORE-22"}, [](Session& subject) {
    const auto equal = [&](const Value& left, const Value& right) {
      return are_equal(subject, left, right);
    };

    expect_equal(equal(f32({1, 2}), f64({1, 2})), true);
    expect_equal(equal(f32({0.5}), f64({0.5 + 0x1p-40})), false);
    expect_equal(equal(bf16({3}), i64({3})), true);
  }).since(Release::k2_11);

  conformance("activations_with_a_parameter", {"CORE-22"}, [](Session& subject) {
    for_each_computed_float(subject, [&](Dtype dtype) {
      const std::vector<double> values = {-3, 0, 1, 24};
      const Value x = tensor_of(dtype, values);

      expect_near(listed(subject, "aten::softplus", {x, 2, 20}), mapped(values, [](double v) {
                    return 2 * v > 20 ? v : std::log1p(std::exp(2 * v)) / 2;
                  }));
      expect_bits(listed(subject, "aten::prelu", {x, tensor_of(dtype, {0.5})}),
                  tensor_of(dtype, {-1.5, 0, 1, 24}));
      expect_bits(
          listed(subject, "aten::prelu",
                 {matrix(dtype, {2, 2, 1}, {-4, -4, -8, 2}), tensor_of(dtype, {0.5, 0.25})}),
          matrix(dtype, {2, 2, 1}, {-2, -1, -4, 2}));
    });
  });

  conformance("a_product_or_a_quotient_is_added", {"CORE-22"}, [](Session& subject) {
    for (const Dtype dtype : {kFloat32, kFloat64}) {
      const Value x = tensor_of(dtype, {1, 2});
      const Value one = matrix(dtype, {2, 1}, {3, -1});
      const Value two = tensor_of(dtype, {2, 4});

      expect_bits(listed(subject, "aten::addcmul", {x, one, two, 0.5}),
                  matrix(dtype, {2, 2}, {4, 8, 0, 0}));
      expect_bits(listed(subject, "aten::addcdiv", {x, one, two, 2}),
                  matrix(dtype, {2, 2}, {4, 3.5, 0, 1.5}));
    }
  });
}

}  // namespace assay::suites::arithmetic

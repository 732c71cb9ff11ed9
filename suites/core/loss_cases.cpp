// Losses of autocast's lists: each element, their sum and their weighted means.
#include <algorithm>
#include <numeric>

#include "suites/core/listed.hpp"

namespace assay::suites::arithmetic {
namespace {

using enum Dtype;

/// The loss of one pair of elements.
struct LossRow {
  const char* op;
  std::vector<double> input;
  std::vector<double> target;
  std::vector<Value> rest;  ///< the arguments after the reduction
  double (*each)(double x, double y);
};

double smooth(double apart, double beta) {
  return apart < beta ? 0.5 * apart * apart / beta : apart - 0.5 * beta;
}

const std::vector<double>& differing() {
  static const std::vector<double> values = {0, 1, -2, 3, 0.5, -0.25};
  return values;
}
const std::vector<double>& compared() {
  static const std::vector<double> values = {0, -1, -1.5, 0.5, 0.5, 1.75};
  return values;
}
const std::vector<double>& shares() {
  static const std::vector<double> values = {0, 1, 0.5, 0.25, 0.75, 0.125};
  return values;
}

std::vector<LossRow> loss_rows() {
  return {
      {"aten::l1_loss",
       differing(),
       compared(),
       {},
       [](double x, double y) { return std::fabs(x - y); }},
      {"aten::mse_loss",
       differing(),
       compared(),
       {},
       [](double x, double y) { return (x - y) * (x - y); }},
      {"aten::smooth_l1_loss",
       differing(),
       compared(),
       {1.0},
       [](double x, double y) { return smooth(std::fabs(x - y), 1); }},
      {"aten::smooth_l1_loss",
       differing(),
       compared(),
       {2.0},
       [](double x, double y) { return smooth(std::fabs(x - y), 2); }},
      {"aten::smooth_l1_loss",
       differing(),
       compared(),
       {0.0},
       [](double x, double y) { return std::fabs(x - y); }},
      {"aten::huber_loss",
       differing(),
       compared(),
       {2.0},
       [](double x, double y) { return 2 * smooth(std::fabs(x - y), 2); }},
      {"aten::soft_margin_loss",
       differing(),
       {1, -1, 1, -1, -1, 1},
       {},
       [](double x, double y) { return std::log1p(std::exp(-x * y)); }},
      {"aten::kl_div",
       differing(),
       shares(),
       {},
       [](double x, double y) { return (y == 0 ? 0 : y * std::log(y)) - y * x; }},
      {"aten::kl_div",
       differing(),
       compared(),
       {true},
       [](double x, double y) { return std::exp(y) * (y - x); }},
  };
}

std::vector<double> losses_of(const LossRow& row) {
  std::vector<double> losses;
  for (std::size_t i = 0; i < row.input.size(); ++i) {
    losses.push_back(row.each(row.input[i], row.target[i]));
  }
  return losses;
}

double total_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

double magnitude_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += std::fabs(value);
  return sum;
}

/// Compares the losses, their mean and their sum: the results of the reductions 0, 1 and 2.
/// `terms` is the magnitude of the summands of one loss.
void expect_reductions(const std::function<TensorValue(std::int64_t reduction)>& ask,
                       const std::vector<double>& losses, double divisor, double terms) {
  const double sum = total_of(losses);
  const double size = magnitude_of(losses) + terms * static_cast<double>(losses.size());
  expect_near(ask(0), losses, std::vector<double>(losses.size(), terms));
  expect_near(ask(1), {sum / divisor}, {size / divisor});
  expect_near(ask(2), {sum}, {size});
}

/// Five classes for each of three samples, the logarithms of no distribution.
const std::vector<double>& logarithms() {
  static const std::vector<double> values = {-1, -2, -0.5, -4,   -3, -0.25, -8,  -2,
                                             -1, -3, -5,   -1.5, -6, -0.75, -2.5};
  return values;
}

}  // namespace

CASES("core/losses") {
  conformance("a_loss_is_reduced_as_asked", {"CORE-22"}, [](Session& subject) {
    for_each_computed_float(subject, [&](Dtype dtype) {
      for (const LossRow& row : loss_rows()) {
        const ScopedTrace at{row.op};
        const auto ask = [&](std::int64_t reduction) {
          std::vector<Value> args{tensor_of(dtype, row.input), tensor_of(dtype, row.target),
                                  reduction};
          args.insert(args.end(), row.rest.begin(), row.rest.end());
          return listed(subject, row.op, args);
        };
        expect_reductions(ask, losses_of(row), static_cast<double>(row.input.size()), 4);
      }
    });
  });

  conformance("losses_that_take_a_margin", {"CORE-22"}, [](Session& subject) {
    for (const Dtype dtype : {kFloat32, kFloat64}) {
      const Value x = tensor_of(dtype, {0.25, -2, 3, 0.5});
      const Value sign = tensor_of(dtype, {1, -1, -1, 1});

      expect_bits(listed(subject, "aten::hinge_embedding_loss", {x, sign, 1.0, 0}),
                  tensor_of(dtype, {0.25, 3, 0, 0.5}));
      expect_bits(listed(subject, "aten::margin_ranking_loss",
                         {x, tensor_of(dtype, {0, 1, 1, 1}), sign, 0.5, 0}),
                  tensor_of(dtype, {0.25, 0, 2.5, 1}));
      expect_bits(listed(subject, "aten::margin_ranking_loss",
                         {x, tensor_of(dtype, {0, 1, 1, 1}), sign, 0.5, 1}),
                  scalar_of(dtype, 0.9375));
    }
  });

  conformance("a_binary_cross_entropy_bounds_its_logarithms", {"CORE-22"}, [](Session& subject) {
    for (const Dtype dtype : {kFloat32, kFloat64}) {
      const Value share = tensor_of(dtype, {0, 1, 0.25});
      const Value target = tensor_of(dtype, {1, 0, 0.5});
      const Value weight = tensor_of(dtype, {1, 2, 4});
      const double last = -0.5 * std::log(0.25) - 0.5 * std::log(0.75);
      const auto ask = [&](const Value& by) {
        return listed(subject, "aten::binary_cross_entropy", {share, target, by, 0});
      };
      expect_near(ask({}), {100, 100, last});
      expect_near(ask(weight), {100, 200, 4 * last});
    }
  });

  conformance("a_logit_that_is_nearly_right_keeps_its_loss", {"CORE-22"}, [](Session& subject) {
    for (const Dtype dtype : {kFloat32, kFloat64}) {
      expect_near(listed(subject, "aten::binary_cross_entropy_with_logits",
                         {tensor_of(dtype, {30}), tensor_of(dtype, {1}), {}, {}, 0}),
                  {std::log1p(std::exp(-30.0))});
    }
  }).since(Release::k2_11);

  conformance(
      "a_binary_cross_entropy_with_logits_does_not_overflow", {"CORE-22"}, [](Session& subject) {
        for_each_computed_float(subject, [&](Dtype dtype) {
          const std::vector<double> x = {0, 2, -200, 200, -1.5};
          const std::vector<double> y = {1, 0.5, 1, 1, 0};
          const Value input = tensor_of(dtype, x);
          const Value target = tensor_of(dtype, y);
          const Value weight = tensor_of(dtype, {1, 2, 1, 1, 0.5});
          const auto losses = [&](double positive, const std::vector<double>& by) {
            std::vector<double> all;
            for (std::size_t i = 0; i < x.size(); ++i) {
              const double lost = std::log1p(std::exp(-std::fabs(x[i]))) + std::max(-x[i], 0.0);
              all.push_back(by[i] * ((1 - y[i]) * x[i] + (1 + (positive - 1) * y[i]) * lost));
            }
            return all;
          };
          const auto ask = [&](const Value& by, const Value& positive, std::int64_t reduction) {
            return listed(subject, "aten::binary_cross_entropy_with_logits",
                          {input, target, by, positive, reduction});
          };
          const std::vector<double> ones(5, 1);
          expect_reductions([&](std::int64_t how) { return ask({}, {}, how); }, losses(1, ones), 5,
                            4);
          expect_reductions(
              [&](std::int64_t how) { return ask(weight, tensor_of(dtype, {3}), how); },
              losses(3, {1, 2, 1, 1, 0.5}), 5, 12);
        });
      });

  conformance("a_class_is_weighted_or_ignored", {"CORE-22"}, [](Session& subject) {
    for_each_computed_float(subject, [&](Dtype dtype) {
      const Value input = matrix(dtype, {3, 5}, logarithms());
      const Value weight = tensor_of(dtype, {1, 2, 4, 0.5, 1});
      const auto ask = [&](const Value& by, std::int64_t ignored) {
        return [&subject, input, by, ignored](std::int64_t reduction) {
          return listed(subject, "aten::nll_loss", {input, i64({2, 0, 3}), by, reduction, ignored});
        };
      };
      expect_reductions(ask({}, -100), {0.5, 0.25, 0.75}, 3, 0);
      expect_reductions(ask(weight, -100), {2, 0.25, 0.375}, 5.5, 0);
      expect_reductions(ask(weight, 0), {2, 0, 0.375}, 4.5, 0);
    });
  });

  conformance("classes_may_have_places", {"CORE-22"}, [](Session& subject) {
    const Value input = matrix(kFloat32, {1, 3, 2, 1}, {-1, -2, -3, -4, -5, -6});

    expect_bits(
        listed(subject, "aten::nll_loss2d", {input, shaped(i64({2, 0}), {1, 2, 1}), {}, 0, -100}),
        matrix(kFloat32, {1, 2, 1}, {5, 2}));
  });

  conformance("a_target_that_is_no_class_is_refused", {"CORE-22"}, [](Session& subject) {
    const Device host{"cpu", -1};
    const Value input = on(matrix(kFloat32, {1, 2}, {-1, -2}), host);
    expect_error(
        [&] {
          listed(subject, "aten::nll_loss", {input, on(i64({2}), host), {}, 1, -100});
        },
        ErrorKind::kIndex, {"out of bounds"});
  });

  conformance("a_cross_entropy_is_that_of_the_softmax", {"CORE-22"}, [](Session& subject) {
    for (const Dtype dtype : {kFloat32, kFloat64}) {
      const double total = std::exp(1.0) + std::exp(2.0) + std::exp(-1.0);
      const Value input = matrix(dtype, {1, 3}, {1, 2, -1});
      expect_near(listed(subject, "aten::cross_entropy_loss", {input, i64({1})}),
                  {std::log(total) - 2}, {4});
    }
  });

  conformance("the_mean_of_no_losses_is_nan", {"CORE-22"}, [](Session& subject) {
    const Value none = shaped(f32({}), {0, 3});

    expect_bits(listed(subject, "aten::l1_loss", {none, none, 1}), scalar_of(kFloat32, kNaN));
    expect_bits(listed(subject, "aten::huber_loss", {none, none, 2}), scalar_of(kFloat32, 0));
    expect_bits(listed(subject, "aten::nll_loss", {none, i64({}), {}, 1, -100}),
                scalar_of(kFloat32, kNaN));
  });
}

}  // namespace assay::suites::arithmetic

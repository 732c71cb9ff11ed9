// The cross entropy: smoothed labels, and targets that have a share for each class.
#include "suites/core/listed.hpp"

namespace assay::suites::arithmetic {
namespace {

using enum Dtype;

using Numbers = std::vector<double>;

const Numbers kScores = {1, 2, -1, 0, 0.5, 3};
const Numbers kWeights = {1, 2, 4};
constexpr std::size_t kClasses = 3;

/// Minus the logarithms of the softmax of both samples.
Numbers surprises() {
  Numbers all;
  for (std::size_t row = 0; row < kScores.size(); row += kClasses) {
    double total = 0;
    for (std::size_t i = 0; i < kClasses; ++i) total += std::exp(kScores[row + i]);
    for (std::size_t i = 0; i < kClasses; ++i) all.push_back(std::log(total) - kScores[row + i]);
  }
  return all;
}

/// The losses of both samples where each class has this share.
Numbers losses_of(const Numbers& shares, const Numbers& weights) {
  const Numbers surprise = surprises();
  Numbers losses(2, 0);
  for (std::size_t i = 0; i < shares.size(); ++i) {
    losses[i / kClasses] += shares[i] * weights[i % kClasses] * surprise[i];
  }
  return losses;
}

/// One class has the probability 1 - `smoothing`; the rest is spread equally over all classes.
Numbers smooth_shares(const std::vector<std::size_t>& targets, double smoothing) {
  Numbers shares(kScores.size(), smoothing / kClasses);
  for (std::size_t i = 0; i < targets.size(); ++i) {
    shares[i * kClasses + targets[i]] += 1 - smoothing;
  }
  return shares;
}

/// Arguments after the scores: target, weight, reduction, ignored class, smoothing.
struct Asked {
  Session& subject;
  Dtype dtype;
  Value target;
  Value weight;
  std::int64_t ignored = -100;
  double smoothing = 0;

  TensorValue operator()(std::int64_t reduction) const {
    return listed(subject, "aten::cross_entropy_loss",
                  {matrix(dtype, {2, 3}, kScores), target, weight, reduction, ignored, smoothing});
  }
};

void expect_losses(const Asked& asked, const Numbers& losses, double divisor) {
  const double sum = losses[0] + losses[1];
  expect_near(asked(0), losses, {16, 16});
  expect_near(asked(1), {sum / divisor}, {32 / divisor});
  expect_near(asked(2), {sum}, {32});
}

}  // namespace

CASES("core/cross_entropy") {
  conformance("a_smoothed_label_has_a_part_of_all_classes", {"CORE-22"}, [](Session& subject) {
    for (const Dtype dtype : {kFloat32, kFloat64}) {
      const ScopedTrace at{std::string(name_of(dtype))};
      const Value weight = tensor_of(dtype, kWeights);
      const Numbers even = smooth_shares({1, 2}, 0.25);
      const Numbers plain(kClasses, 1);

      expect_losses({subject, dtype, i64({1, 2}), {}, -100, 0.25}, losses_of(even, plain), 2);
      // The mean divides by the weights of the targets, 2 and 4.
      expect_losses({subject, dtype, i64({1, 2}), weight, -100, 0.25}, losses_of(even, kWeights),
                    6);
      expect_losses({subject, dtype, i64({1, 2}), weight, 1, 0.25},
                    {0, losses_of(even, kWeights)[1]}, 4);
      expect_losses({subject, dtype, i64({1, 2}), {}, 1, 0.25}, {0, losses_of(even, plain)[1]}, 1);
    }
  });

  conformance("a_target_may_have_a_share_for_each_class", {"CORE-22"}, [](Session& subject) {
    const Numbers shares = {0.25, 0.5, 0.25, 0, 0, 2};
    const Numbers plain(kClasses, 1);
    for (const Dtype dtype : {kFloat32, kFloat64}) {
      const ScopedTrace at{std::string(name_of(dtype))};
      const Value target = matrix(dtype, {2, 3}, shares);
      const Value weight = tensor_of(dtype, kWeights);
      Numbers even = shares;
      for (double& share : even) share = share * 0.75 + 0.25 / kClasses;

      // The mean divides by the samples, with weights too.
      expect_losses({subject, dtype, target, {}}, losses_of(shares, plain), 2);
      expect_losses({subject, dtype, target, weight}, losses_of(shares, kWeights), 2);
      expect_losses({subject, dtype, target, weight, -100, 0.25}, losses_of(even, kWeights), 2);
    }
  });

  conformance("a_cross_entropy_refuses_what_means_nothing", {"CORE-22"}, [](Session& subject) {
    const Value shares = matrix(kFloat32, {2, 3}, {1, 0, 0, 0, 1, 0});
    const auto refused = [&](const Asked& asked, std::vector<std::string> words) {
      expect_error([&] { asked(1); }, ErrorKind::kError, std::move(words));
    };

    refused({subject, kFloat32, i64({1, 2}), {}, -100, 1.5}, {"label_smoothing"});
    refused({subject, kFloat32, shares, {}, 0}, {"ignore_index"});
    refused({subject, kFloat32, shares, tensor_of(kFloat32, {1, 2})}, {"weight"});
    refused({subject, kFloat32, shaped(i64({1, 0, 0, 0, 1, 0}), {2, 3}), {}}, {"floating"});
  });
}

}  // namespace assay::suites::arithmetic

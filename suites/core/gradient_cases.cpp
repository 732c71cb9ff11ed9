// Gradients of softmax, layer norm and the losses of classes.
#include <optional>

#include "harness/suite/clients/autograd.hpp"
#include "harness/suite/reading.hpp"
#include "suites/core/listed.hpp"

namespace assay::suites::arithmetic {
namespace {

using enum Dtype;

using Numbers = std::vector<double>;

enum : std::int64_t { kEach, kMean, kSum };

/// Calls the operator, with leaves in the place of the first argument and of `also`, and returns
/// their gradients.
std::vector<TensorValue> gradients(Session& subject, const std::string& op, std::vector<Value> args,
                                   const Value& incoming,
                                   const std::vector<std::size_t>& also = {}) {
  std::vector<Ref> leaves{subject.core().leaf(args[0])};
  args[0] = leaves[0];
  for (const std::size_t i : also) {
    leaves.push_back(subject.core().leaf(args[i]));
    args[i] = leaves.back();
  }
  const Ref made{subject.fresh_name("made")};
  subject.send("dispatch.call", {{"op", op}, {"args", List{std::move(args)}}}, made.name);
  subject.autograd().backward(made, incoming);
  std::vector<TensorValue> found;
  for (const Ref& leaf : leaves) found.push_back(tensor_in(subject.core().grad(leaf)));
  return found;
}

/// Four equal shares, whose gradients are 1/4 of the distances from the mean of the incoming ones.
void expect_softmax(Session& subject, Dtype dtype, const Numbers& incoming, const Numbers& wanted) {
  const ScopedTrace at{std::string(name_of(dtype))};
  const std::vector<Value> args{tensor_of(dtype, {0, 0, 0, 0}), 0, Value()};

  expect_bits(gradients(subject, "aten::softmax.int", args, tensor_of(dtype, incoming))[0],
              tensor_of(dtype, wanted));
}

const Numbers kScores = {1, 2, -1, 0, 0.5, 3};
constexpr std::size_t kClasses = 3;

/// The softmax of both samples.
Numbers shares_of_scores() {
  Numbers all;
  for (std::size_t row = 0; row < kScores.size(); row += kClasses) {
    double total = 0;
    for (std::size_t i = 0; i < kClasses; ++i) total += std::exp(kScores[row + i]);
    for (std::size_t i = 0; i < kClasses; ++i) all.push_back(std::exp(kScores[row + i]) / total);
  }
  return all;
}

/// The gradient of the losses whose classes have these shares, times the weights.
Numbers slopes_of(const Numbers& shares, double divisor) {
  const Numbers likely = shares_of_scores();
  Numbers slopes;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const std::size_t row = i / kClasses * kClasses;
    const double total = shares[row] + shares[row + 1] + shares[row + 2];
    slopes.push_back((likely[i] * total - shares[i]) / divisor);
  }
  return slopes;
}

struct ClassLossRow {
  Value target;
  Value weight;
  std::int64_t reduction;
  std::int64_t ignored;
  Numbers incoming;
  Numbers wanted;
};

}  // namespace

CASES("core/gradient") {
  conformance("functions_of_one_element_have_their_slopes", {"CORE-22"}, [](Session& subject) {
    struct Row {
      const char* op;
      double at;
      double slope;
      std::optional<double> exponent = {};
    };
    const std::vector<Row> rows = {
        {"acos", 0, -1},
        {"acos", 0.5, -1 / std::sqrt(0.75)},
        {"asin", 0.5, 1 / std::sqrt(0.75)},
        {"cosh", 0.5, std::sinh(0.5)},
        {"exp", 1, std::exp(1)},
        {"expm1", 1, std::exp(1)},
        {"log", 0.5, 2},
        {"log10", 0.5, 2 / std::log(10)},
        {"log1p", 1, 0.5},
        {"log2", 0.5, 2 / std::log(2)},
        {"reciprocal", 0.5, -4},
        {"rsqrt", 0.25, -4},
        {"sinh", 0.5, std::cosh(0.5)},
        {"tan", 0.5, 1 / (std::cos(0.5) * std::cos(0.5))},
        {"pow.Tensor_Scalar", 3, 6, 2.0},
        {"pow.Tensor_Scalar", 4, 0.25, 0.5},
        {"pow.Tensor_Scalar", 0, 0, 0.0},
    };
    for_each_computed_float(subject, [&](Dtype dtype) {
      for (const Row& row : rows) {
        const ScopedTrace at{std::string(row.op) + " in " + std::string(name_of(dtype))};
        std::vector<Value> args{tensor_of(dtype, {row.at})};
        if (row.exponent) args.emplace_back(*row.exponent);

        expect_near(
            gradients(subject, std::string("aten::") + row.op, args, tensor_of(dtype, {3}))[0],
            {3 * row.slope}, {6 * std::fabs(row.slope)});
      }
    });
  });

  conformance("equal_shares_of_softmax_have_exact_gradients", {"CORE-22"}, [](Session& subject) {
    for_each_computed_float(subject, [&](Dtype dtype) {
      expect_softmax(subject, dtype, {4, 0, 0, 0}, {0.75, -0.25, -0.25, -0.25});
    });
  });

  conformance("the_gradient_of_softmax_is_rounded_once", {"CORE-22"}, [](Session& subject) {
    // The sums of gradients times shares are no numbers of these types.
    expect_softmax(subject, kFloat16, {2048, 1, 1, 1}, {383.75, -127.9375, -127.9375, -127.9375});
    expect_softmax(subject, kBfloat16, {256, 1, 1, 1}, {47.75, -15.9375, -15.9375, -15.9375});
  }).since(Release::k2_11);

  conformance("softmax_takes_its_gradient_along_its_dimension", {"CORE-22"}, [](Session& subject) {
    const TensorValue zeros = matrix(kFloat32, {2, 2}, {0, 0, 0, 0});
    for (const std::int64_t dim : {0, 1, -1}) {
      const Numbers wanted =
          dim == 0 ? Numbers{-0.5, 0, 0.5, 0} : Numbers{-0.25, 0.25, 0.25, -0.25};

      expect_bits(gradients(subject, "aten::softmax.int", {zeros, dim, Value()},
                            matrix(kFloat32, {2, 2}, {1, 2, 3, 2}))[0],
                  matrix(kFloat32, {2, 2}, wanted));
    }
  });

  conformance("a_logarithm_of_softmax_takes_the_sum_of_gradients_by_shares", {"CORE-22"},
              [](Session& subject) {
                const Numbers shares = shares_of_scores();
                const Numbers incoming = {1, 0, 2, -1, 4, 0};
                Numbers wanted;
                for (std::size_t i = 0; i < shares.size(); ++i) {
                  wanted.push_back(incoming[i] - 3 * shares[i]);
                }
                for_each_computed_float(subject, [&](Dtype dtype) {
                  const ScopedTrace at{std::string(name_of(dtype))};
                  const std::vector<Value> args{matrix(dtype, {2, 3}, kScores), 1, Value()};

                  expect_near(gradients(subject, "aten::log_softmax.int", args,
                                        matrix(dtype, {2, 3}, incoming))[0],
                              wanted, Numbers(wanted.size(), 8));
                });
              });

  conformance(
      "layer_norm_gives_gradients_to_rows_weight_and_bias", {"CORE-22"}, [](Session& subject) {
        // Deviations of 1 and 2, so that everything is exact.
        const Numbers rows = {-1, 1, -1, 1, 6, 2, 6, 2};
        const Numbers incoming = {4, 0, 0, 8, 8, 2, 1, 4};
        for_each_computed_float(subject, [&](Dtype dtype) {
          const ScopedTrace at{std::string(name_of(dtype))};
          for (const std::vector<std::int64_t>& row : {std::vector<std::int64_t>{4}, {2, 2}}) {
            std::vector<std::int64_t> sizes = row;
            sizes.insert(sizes.begin(), 2);
            const Value x = matrix(dtype, sizes, rows);
            const Value given = matrix(dtype, sizes, incoming);
            const Value weight = matrix(dtype, row, {1, 2, 4, 0.5});

            const auto plain = gradients(subject, "aten::layer_norm",
                                         {x, ints(row), Value(), Value(), 0.0}, given);
            const auto all = gradients(subject, "aten::layer_norm",
                                       {x, ints(row), weight, weight, 0.0}, given, {2, 3});

            expect_bits(plain[0], matrix(dtype, sizes, {2, -4, -2, 4, 1.75, -0.5, -1.75, 0.5}));
            expect_bits(all[0], matrix(dtype, sizes, {2, -2, -2, 2, 1, 0.5, -1, -0.5}));
            expect_bits(all[1], matrix(dtype, row, {4, -2, 1, 4}));
            expect_bits(all[2], matrix(dtype, row, {12, 2, 1, 12}));
          }
        });
      });

  conformance("gradients_have_gradients", {"CORE-22"}, [](Session& subject) {
    struct Row {
      const char* op;
      Numbers at;
      std::vector<Value> more;
      Numbers incoming;
      Numbers wanted;  ///< the gradient of the first gradient
    };
    const Value zero = std::int64_t{0};
    const double tangent = std::tan(0.25);
    const std::vector<Row> rows = {
        {"exp", {0}, {}, {3}, {3}},
        {"log", {0.5}, {}, {1}, {-4}},
        {"reciprocal", {0.5}, {}, {1}, {16}},
        {"tan", {0.25}, {}, {1}, {2 * tangent * (1 + tangent * tangent)}},
        {"sinh", {0}, {}, {1}, {0}},
        {"pow.Tensor_Scalar", {2}, {3.0}, {1}, {12}},
        {"softmax.int",
         Numbers(4, 0),
         {zero},
         {1, 0, 0, 0},
         {0.09375, -0.03125, -0.03125, -0.03125}},
        {"log_softmax.int", Numbers(4, 0), {zero}, {4, 0, 0, 0}, {-0.75, 0.25, 0.25, 0.25}},
    };
    for (const Row& row : rows) {
      const ScopedTrace at{row.op};
      const Ref x = subject.core().leaf(tensor_of(kFloat64, row.at));
      List args{{x}};
      args.items.insert(args.items.end(), row.more.begin(), row.more.end());
      const Ref made{subject.fresh_name("made")};
      subject.send("dispatch.call", {{"op", std::string("aten::") + row.op}, {"args", args}},
                   made.name);
      const std::string slopes = subject.fresh_name("slopes");
      subject.send("autograd.grad",
                   {{"output", made},
                    {"inputs", List{{x}}},
                    {"gradient", tensor_of(kFloat64, row.incoming)},
                    {"create_graph", true}},
                   slopes);
      Numbers first(row.at.size(), 0);
      first[0] = 1;
      subject.autograd().backward(Ref{slopes + ".0"}, tensor_of(kFloat64, first));

      expect_near(tensor_in(subject.core().grad(x)), row.wanted, Numbers(row.at.size(), 32));
    }
  });

  conformance(
      "nll_loss_gives_gradients_to_the_picked_logarithms", {"CORE-22"}, [](Session& subject) {
        const Value pair = i64({0, 2});
        for_each_computed_float(subject, [&](Dtype dtype) {
          const ScopedTrace at{std::string(name_of(dtype))};
          const std::vector<ClassLossRow> cases = {
              {pair, tensor_of(dtype, {1, 2, 3}), kMean, -100, {2}, {-0.5, 0, 0, 0, 0, -1.5}},
              {pair, tensor_of(dtype, {1, 2, 4}), kEach, -100, {2, 5}, {-2, 0, 0, 0, 0, -20}},
              {pair, {}, kSum, -100, {3}, {-3, 0, 0, 0, 0, -3}},
              {pair, {}, kMean, 2, {2}, {-2, 0, 0, 0, 0, 0}},
          };
          for (const ClassLossRow& row : cases) {
            const Value incoming = row.reduction == kEach ? tensor_of(dtype, row.incoming)
                                                          : matrix(dtype, {}, row.incoming);

            expect_bits(gradients(subject, "aten::nll_loss",
                                  {matrix(dtype, {2, 3}, kScores), row.target, row.weight,
                                   row.reduction, row.ignored},
                                  incoming)[0],
                        matrix(dtype, {2, 3}, row.wanted));
          }
        });
      });

  conformance(
      "nll_loss_gives_gradients_beside_further_dimensions", {"CORE-22"}, [](Session& subject) {
        TensorValue target = i64({1, 0});
        target.shape = {1, 1, 2};
        const Value x = matrix(kFloat32, {1, 3, 1, 2}, kScores);

        expect_bits(
            gradients(subject, "aten::nll_loss2d", {x, target, Value(), kMean, std::int64_t{-100}},
                      matrix(kFloat32, {}, {4}))[0],
            matrix(kFloat32, {1, 3, 1, 2}, {0, -2, -2, 0, 0, 0}));
      });

  conformance("the_weight_of_nll_loss_takes_no_gradient", {"CORE-22"}, [](Session& subject) {
    const Ref weight = subject.core().leaf(f32({1, 1, 1}));
    const std::vector<Value> args{matrix(kFloat32, {2, 3}, kScores), i64({0, 2}), weight, kSum,
                                  std::int64_t{-100}};

    expect_error([&] { listed(subject, "aten::nll_loss", args); }, ErrorKind::kError, {"weight"});
  });

  conformance(
      "a_smoothed_cross_entropy_gives_a_gradient_to_each_class", {"CORE-22"}, [](Session& subject) {
        const Numbers weights = {1, 2, 4};
        for (const double smoothing : {0.0, 0.25}) {
          Numbers shares(kScores.size(), smoothing / kClasses);
          shares[1] += 1 - smoothing;
          shares[5] += 1 - smoothing;
          for (std::size_t i = 0; i < shares.size(); ++i) shares[i] *= weights[i % kClasses];
          for (const Dtype dtype : {kFloat32, kFloat64}) {
            const ScopedTrace at{std::string(name_of(dtype))};
            const std::vector<Value> args{matrix(dtype, {2, 3}, kScores),
                                          i64({1, 2}),
                                          tensor_of(dtype, weights),
                                          kMean,
                                          std::int64_t{-100},
                                          smoothing};

            // The mean divides by the weights of the targets, 2 and 4.
            expect_near(
                gradients(subject, "aten::cross_entropy_loss", args, matrix(dtype, {}, {1}))[0],
                slopes_of(shares, 6), Numbers(shares.size(), 4));
          }
        }
      });

  conformance("a_cross_entropy_of_shares_gives_gradients_to_the_shares_too", {"CORE-22"},
              [](Session& subject) {
                const Numbers shares = {0.25, 0.5, 0.25, 0, 0, 2};
                const Numbers weights = {1, 2, 4};
                const Numbers likely = shares_of_scores();
                Numbers weighted = shares;
                Numbers of_shares;
                for (std::size_t i = 0; i < shares.size(); ++i) {
                  weighted[i] *= weights[i % kClasses];
                  of_shares.push_back(-std::log(likely[i]) * weights[i % kClasses] / 2);
                }
                for (const Dtype dtype : {kFloat32, kFloat64}) {
                  const ScopedTrace at{std::string(name_of(dtype))};
                  const std::vector<Value> args{matrix(dtype, {2, 3}, kScores),
                                                matrix(dtype, {2, 3}, shares),
                                                tensor_of(dtype, weights),
                                                kMean,
                                                std::int64_t{-100},
                                                0.0};

                  const auto found = gradients(subject, "aten::cross_entropy_loss", args,
                                               matrix(dtype, {}, {1}), {1});

                  expect_near(found[0], slopes_of(weighted, 2), Numbers(shares.size(), 16));
                  expect_near(found[1], of_shares, Numbers(shares.size(), 16));
                }
              });
}

}  // namespace assay::suites::arithmetic

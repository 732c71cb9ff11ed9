// Layer norm: the normalized rows, their means, and one over their deviations.
#include "harness/suite/itself.hpp"
#include "harness/suite/reading.hpp"
#include "suites/core/listed.hpp"

namespace assay::suites::arithmetic {
namespace {

using enum Dtype;

using Numbers = std::vector<double>;
using Shape = std::vector<std::int64_t>;

constexpr double kEps = 0.5;

std::vector<Value> normed(Session& subject, const Value& rows, const Shape& row,
                          const Value& weight = {}, const Value& bias = {}) {
  const List args{{rows, ints(row), weight, bias, kEps}};
  const Value results =
      subject.read<Value>("dispatch.call", {{"op", "aten::native_layer_norm"}, {"args", args}});
  return held_in<List>(results).items;
}

TensorValue tensor_at(const std::vector<Value>& results, std::size_t i) {
  return tensor_in(results.at(i));
}

/// The tensors of the result, the means and the inverse deviations near these numbers.
void expect_normed(const std::vector<Value>& results, const Numbers& rows, const Numbers& means,
                   const Numbers& inverses) {
  expect_near(tensor_at(results, 0), rows, Numbers(rows.size(), 16));
  expect_near(tensor_at(results, 1), means, Numbers(means.size(), 16));
  expect_near(tensor_at(results, 2), inverses);
}

/// Two rows with the means 2 and -3, and the distances 1 and 2 from the mean.
const Numbers kRows = {1, 3, 3, 1, -1, -1, -5, -5};
const Numbers kDistances = {-1, 1, 1, -1, 2, 2, -2, -2};

double inverse_of(double deviation) { return 1 / std::sqrt(deviation * deviation + kEps); }

Numbers normed_numbers(const Numbers& weight, const Numbers& bias) {
  Numbers all;
  for (std::size_t i = 0; i < kDistances.size(); ++i) {
    const double normal = kDistances[i] * inverse_of(i < 4 ? 1 : 2);
    all.push_back(normal * weight[i % weight.size()] + bias[i % bias.size()]);
  }
  return all;
}

/// A device without a kernel of its own gets PyTorch's composite form, which takes other types and
/// divides by no elements.
void expect_kernels_of_pytorch(const Session& subject) {
  expect_itself(subject, subject.contract().cuda() ? "cuda" : "cpu");
}

}  // namespace

CASES("core/layer_norm") {
  conformance("rows_are_normed_weighted_and_moved_and_their_statistics_returned", {"CORE-22"},
              [](Session& subject) {
                const Numbers means = {2, -3};
                const Numbers inverses = {inverse_of(1), inverse_of(2)};
                const Numbers factors = {1, 2, 4, -1};
                const Numbers shifts = {0, 1, -2, 3};
                for_each_computed_float(subject, [&](Dtype dtype) {
                  const ScopedTrace at{std::string(name_of(dtype))};
                  for (const Shape& row : {Shape{4}, Shape{2, 2}, Shape{1, 4}}) {
                    Shape sizes = row;
                    sizes.insert(sizes.begin(), 2);
                    const Value x = matrix(dtype, sizes, kRows);
                    const Value weight = matrix(dtype, row, factors);
                    const Value bias = matrix(dtype, row, shifts);

                    expect_normed(normed(subject, x, row), normed_numbers({1}, {0}), means,
                                  inverses);
                    expect_normed(normed(subject, x, row, weight), normed_numbers(factors, {0}),
                                  means, inverses);
                    expect_normed(normed(subject, x, row, {}, bias), normed_numbers({1}, shifts),
                                  means, inverses);
                    expect_normed(normed(subject, x, row, weight, bias),
                                  normed_numbers(factors, shifts), means, inverses);
                  }
                });
              });

  conformance("the_statistics_of_rows_keep_their_dimensions", {"CORE-22", "CAST-1006"},
              [](Session& subject) {
                for_each_computed_float(subject, [&](Dtype dtype) {
                  const Value x = matrix(dtype, {2, 2, 2}, kRows);
                  const std::vector<std::pair<Shape, Shape>> shapes = {
                      {{2}, {2, 2, 1}}, {{2, 2}, {2, 1, 1}}, {{2, 2, 2}, {1, 1, 1}}};
                  for (const auto& [row, statistics] : shapes) {
                    const std::vector<Value> results = normed(subject, x, row);

                    expect_equal(tensor_at(results, 0).shape, Shape{2, 2, 2});
                    expect_equal(tensor_at(results, 1).shape, statistics);
                    expect_equal(tensor_at(results, 2).shape, statistics);
                  }
                });
              });

  conformance("a_gpu_keeps_statistics_of_half_types_in_float32", {"CORE-22"}, [](Session& subject) {
    const bool is_gpu = subject.contract().cuda();
    for_each_computed_float(subject, [&](Dtype dtype) {
      const bool is_half = dtype == kFloat16 || dtype == kBfloat16;
      const Dtype wanted = is_half && is_gpu ? kFloat32 : dtype;
      const std::vector<Value> results =
          normed(subject, matrix(dtype, {2, 4}, kRows), {4}, {}, tensor_of(dtype, {0, 0, 0, 0}));

      expect_equal(tensor_at(results, 0).dtype, dtype);
      expect_equal(tensor_at(results, 1).dtype, wanted);
      expect_equal(tensor_at(results, 2).dtype, wanted);
    });
  });

  conformance(
      "a_cpu_takes_parameters_of_float32_beside_half_types", {"CORE-22"},
      [](Session& subject) {
        expect_kernels_of_pytorch(subject);
        const Value ones = tensor_of(kFloat32, {1, 1, 1, 1});
        for (const Dtype dtype : {kFloat16, kBfloat16}) {
          const std::vector<Value> results =
              normed(subject, matrix(dtype, {2, 4}, kRows), {4}, ones, ones);

          expect_equal(tensor_at(results, 0).dtype, dtype);
          expect_normed(results, normed_numbers({1}, {1}), {2, -3}, {inverse_of(1), inverse_of(2)});
          expect_equal(tensor_at(results, 1).dtype, kFloat32);
        }
      })
      .since(Release::k2_4)
      .only(DeviceRules::kCpu);

  conformance("parameters_of_another_type_are_refused", {"CORE-22"}, [](Session& subject) {
    expect_kernels_of_pytorch(subject);
    const auto refused = [&](Dtype input, const Value& weight, const Value& bias) {
      const Value x = matrix(input, {2, 4}, kRows);
      expect_error([&] { normed(subject, x, {4}, weight, bias); }, ErrorKind::kError,
                   {"scalar type"});
    };
    const auto ones = [](Dtype dtype) { return tensor_of(dtype, {1, 1, 1, 1}); };

    refused(kFloat32, ones(kBfloat16), {});
    refused(kBfloat16, ones(kFloat16), {});
    refused(kBfloat16, ones(kFloat32), ones(kBfloat16));
    refused(kBfloat16, ones(kBfloat16), ones(kFloat32));
    if (subject.contract().cuda()) refused(kFloat16, ones(kFloat32), {});
  }).since(Release::k2_4);

  conformance(
      "rows_of_nothing_have_the_mean_0_and_no_deviation", {"CORE-22"}, [](Session& subject) {
        expect_kernels_of_pytorch(subject);
        for (const Dtype dtype : {kFloat32, kFloat64}) {
          const std::vector<Value> empty_rows = normed(subject, matrix(dtype, {3, 0}, {}), {0});
          const std::vector<Value> no_rows = normed(subject, matrix(dtype, {0, 2}, {}), {2});

          expect_equal(tensor_at(empty_rows, 0).shape, Shape{3, 0});
          expect_bits(empty_rows.at(1), matrix(dtype, {3, 1}, {0, 0, 0}));
          expect_bits(empty_rows.at(2), matrix(dtype, {3, 1}, {kNaN, kNaN, kNaN}));
          expect_bits(no_rows.at(1), matrix(dtype, {0, 1}, {}));
        }
      });

  conformance("a_row_is_the_end_of_the_sizes_and_so_are_its_parameters", {"CORE-22"},
              [](Session& subject) {
                const Value x = matrix(kFloat32, {2, 4}, kRows);
                const Value one = tensor_of(kFloat32, {1});
                const auto refused = [&](const Shape& row, const Value& weight, const Value& bias) {
                  for (const char* op : {"aten::layer_norm", "aten::native_layer_norm"}) {
                    const List args{{x, ints(row), weight, bias, kEps}};
                    expect_error(
                        [&] {
                          subject.send("dispatch.call", {{"op", op}, {"args", args}});
                        },
                        ErrorKind::kError, {"normalized_shape"});
                  }
                };

                refused({2}, {}, {});
                refused({}, {}, {});
                refused({2, 2, 4}, {}, {});
                refused({4}, one, {});
                refused({4}, {}, one);
              });
}

}  // namespace assay::suites::arithmetic

// Convolutions, and products that are added to a tensor: exact where every order of the sums is.
#include "suites/core/listed.hpp"

namespace assay::suites::arithmetic {
namespace {

using enum Dtype;

/// Small integers from -2 to 2.
TensorValue counted(Dtype dtype, const Shape& shape) {
  std::int64_t count = 1;
  for (const std::int64_t size : shape) count *= size;
  std::vector<double> values;
  for (std::int64_t i = 0; i < count; ++i) values.push_back(static_cast<double>(i * 3 % 5 - 2));
  return matrix(dtype, shape, values);
}

struct ConvolutionRow {
  const char* op;
  Shape input;
  Shape weight;
  std::int64_t bias;  ///< number of channels; 0 for none
  std::vector<Value> options;
  Shape shape;
  std::vector<double> wanted;
};

std::vector<ConvolutionRow> convolution_rows() {
  return {
      {"aten::conv1d",
       {1, 4, 5},
       {4, 2, 2},
       4,
       {ints({2}), ints({1}), ints({1}), 2},
       {1, 4, 3},
       {-8, -8, -8, 7, 5, 3, -3, -2, -1, 2, 1, 0}},
      {"aten::conv1d",
       {2, 5},
       {3, 2, 3},
       0,
       {ints({1}), ints({0}), ints({2}), 1},
       {3, 1},
       {-1, 1, 3}},
      {"aten::conv2d",
       {2, 2, 3, 4},
       {4, 1, 2, 2},
       4,
       {ints({2, 1}), ints({1, 0}), ints({1, 2}), 2},
       {2, 4, 2, 2},
       {-2, 1,  -7, 3,  0, 0, 3, 2, 1,  -7, 4,  -3, 2,  6, 7, -1,
        0,  -2, -7, -7, 0, 0, 4, 3, -1, 1,  -4, 4,  -2, 2, 0, 7}},
      {"aten::conv2d",
       {1, 3, 3},
       {1, 1, 3, 1},
       0,
       {ints({1}), ints({1}), ints({1}), 1},
       {1, 3, 5},
       {0, -4, 1, 1, 0, 0, 5, -1, -2, 0, 0, -3, -1, 6, 0}},
      {"aten::conv3d",
       {1, 2, 2, 3, 2},
       {1, 2, 1, 2, 2},
       1,
       {ints({1, 1, 2}), ints({0, 1, 1}), ints({1, 2, 1}), 1},
       {1, 1, 2, 3, 2},
       {-4, -6, -3, -3, -3, -6, 4, -1, -8, 1, 4, -2}},
      {"aten::conv_transpose1d",
       {1, 4, 3},
       {4, 1, 2},
       2,
       {ints({2}), ints({1}), ints({1}), 2, ints({2})},
       {1, 2, 6},
       {-2, -2, -2, 3, -2, -7, 1, -3, 1, 6, 1, -4}},
      {"aten::conv_transpose2d.input",
       {1, 2, 2, 2},
       {2, 1, 2, 2},
       0,
       {ints({2, 1}), ints({0, 1}), ints({1, 0}), 1, ints({1, 2})},
       {1, 1, 5, 2},
       {-2, -2, -3, -4, -4, -3, -3, -3, 0, 0}},
      {"aten::conv_transpose3d.input",
       {1, 1, 1, 2, 2},
       {1, 2, 1, 2, 1},
       2,
       {ints({1, 2, 1}), ints({0, 0, 0}), ints({0, 1, 0}), 1, ints({1, 1, 1})},
       {1, 2, 1, 5, 2},
       {2, -4, -4, -1, 0, -6, -3, 0, -2, -2, 3, 0, -3, 3, 2, -1, -1, 5, 1, 1}},
      {"aten::convolution",
       {1, 2, 3, 3},
       {2, 1, 2, 2},
       0,
       {ints({1, 1}), ints({0, 0}), ints({1, 1}), false, ints({0, 0}), 2},
       {1, 2, 2, 2},
       {3, -7, -7, 3, 1, 0, -7, 2}},
      {"aten::convolution",
       {1, 2, 3, 3},
       {2, 1, 2, 2},
       0,
       {ints({1, 1}), ints({1, 1}), ints({1, 1}), true, ints({0, 0}), 2},
       {1, 2, 2, 2},
       {-3, 7, 7, -3, 0, -1, 7, -4}},
  };
}

/// An odd total of "same" has one more zero at the end.
std::vector<ConvolutionRow> rows_of_words() {
  return {
      {"aten::conv1d.padding",
       {1, 5},
       {1, 1, 2},
       0,
       {ints({1}), "same", ints({1}), 1},
       {1, 5},
       {5, -3, 4, -4, 0}},
      {"aten::conv1d.padding",
       {1, 4, 5},
       {4, 2, 4},
       4,
       {ints({1}), "same", ints({1}), 2},
       {1, 4, 5},
       {-1, 3, -3, -2, -6, -4, 1, -4, 4, 3, -2, 4, 0, 0, -3, 5, -3, 4, -4, 6}},
      {"aten::conv2d.padding",
       {2, 2, 3, 4},
       {2, 2, 2, 3},
       2,
       {ints({1, 1}), "same", ints({3, 2}), 1},
       {2, 2, 3, 4},
       {5,  -4, 4,  -6, -2, -9, 0,  2, 0, -2, -2, 0,  5, 3, -6, 1,  -3, 7,  -1, 8,  -3, -3, 5,  -1,
        -1, 5,  -6, 4,  0,  -2, -2, 0, 2, 0,  -9, -2, 2, 5, 2,  -6, -3, -3, 5,  -1, 7,  -3, -9, 5}},
      {"aten::conv2d.padding",
       {1, 3, 3},
       {1, 1, 2, 2},
       0,
       {ints({1}), "same", ints({1}), 1},
       {1, 3, 3},
       {3, -7, 4, -7, 3, 2, -3, 4, -4}},
      {"aten::conv3d.padding",
       {1, 2, 2, 2, 3},
       {2, 1, 2, 1, 2},
       0,
       {ints({1}), "same", ints({1}), 2},
       {1, 2, 2, 2, 3},
       {2, 2, 0, -8, 2, 3, -3, 4, -4, -2, 5, -2, -2, 2, -2, 0, -1, 2, 0, 4, 0, 2, -4, 0}},
      {"aten::conv2d.padding",
       {1, 1, 4, 4},
       {1, 1, 2, 2},
       1,
       {ints({2, 1}), "valid", ints({1, 2}), 1},
       {1, 1, 2, 2},
       {3, -2, -7, -7}},
  };
}

void expect_convolved(Session& subject, Dtype dtype, const std::vector<ConvolutionRow>& rows) {
  for (const ConvolutionRow& row : rows) {
    const ScopedTrace at{row.op};
    std::vector<Value> args{counted(dtype, row.input), counted(dtype, row.weight), {}};
    if (row.bias > 0) args[2] = counted(dtype, {row.bias});
    args.insert(args.end(), row.options.begin(), row.options.end());

    expect_bits(listed(subject, row.op, args), matrix(dtype, row.shape, row.wanted));
  }
}

struct AddedRow {
  const char* op;
  Shape self;
  Shape left;
  Shape right;
  Shape shape;
  std::vector<double> wanted;  ///< 2 * self - the sum of products
  std::vector<double> alone;   ///< the products times -1
};

std::vector<AddedRow> added_rows() {
  return {
      {"aten::baddbmm",
       {1, 2},
       {2, 2, 3},
       {2, 3, 2},
       {2, 2, 2},
       {-7, 0, 0, -4, 1, 1, 2, 1},
       {-3, -2, 4, -6, 5, -1, 6, -1}},
      {"aten::addbmm", {2, 1}, {2, 2, 3}, {2, 3, 2}, {2, 2}, {-2, -7, 12, -5}, {2, -3, 10, -7}},
      {"aten::addmv", {3}, {3, 2}, {2}, {3}, {-9, -2, 0}, {-5, -4, 2}},
      {"aten::addr", {2}, {3}, {2}, {3, 2}, {-8, 4, -2, 1, -6, 3}, {-4, 2, 2, -1, -2, 1}},
      {"aten::addmm", {1, 2}, {2, 3}, {3, 2}, {2, 2}, {-7, 0, 0, -4}, {-3, -2, 4, -6}},
  };
}

TensorValue empty_of(const Shape& shape) { return shaped(f32({}), shape); }

}  // namespace

CASES("core/convolution") {
  conformance("small_integers_are_convolved_exactly", {"CORE-22"}, [](Session& subject) {
    for (const Dtype dtype : {kFloat32, kFloat64}) {
      const ScopedTrace at{std::string(name_of(dtype))};
      expect_convolved(subject, dtype, convolution_rows());
    }
  });

  conformance("half_types_are_convolved_in_float32", {"CORE-22"}, [](Session& subject) {
    for (const Dtype dtype : {kFloat16, kBfloat16}) {
      const ScopedTrace at{std::string(name_of(dtype))};
      expect_convolved(subject, dtype, convolution_rows());
      const double edge = dtype == kFloat16 ? 2048 : 256;
      expect_bits(listed(subject, "aten::conv2d",
                         {matrix(dtype, {1, 1, 1, 3}, {edge, 1, 1}),
                          matrix(dtype, {1, 1, 1, 3}, {1, 1, 1})}),
                  matrix(dtype, {1, 1, 1, 1}, {edge + 2}));
    }
  }).except(Release::k1_13, DeviceRules::kCpu);

  conformance("operands_that_do_not_fit_are_refused", {"CORE-22"}, [](Session& subject) {
    const auto expect_refused = [&](const char* op, const Shape& input, const Shape& weight,
                                    std::int64_t groups) {
      const ScopedTrace at{op};
      const Value ones = ints(Shape(input.size() - 2, 1));
      const Value none = ints(Shape(input.size() - 2, 0));
      expect_error(
          [&] {
            listed(subject, op,
                   {counted(kFloat32, input),
                    counted(kFloat32, weight),
                    {},
                    ones,
                    none,
                    ones,
                    groups});
          },
          ErrorKind::kError, {});
    };
    expect_refused("aten::conv2d", {1, 3, 4, 4}, {2, 2, 2, 2}, 1);
    expect_refused("aten::conv2d", {1, 4, 4, 4}, {2, 4, 2, 2}, 2);
    expect_refused("aten::conv1d", {1, 1, 2}, {1, 1, 3}, 1);
    expect_refused("aten::conv2d", {1, 1, 5, 5}, {0, 1, 2, 2}, 1);
  });

  conformance(
      "an_input_without_channels_has_no_results_for_the_weight", {"CORE-22"}, [](Session& subject) {
        const auto shape_of = [&](const char* op, const Shape& input, const Shape& weight) {
          return listed(subject, op, {empty_of(input), empty_of(weight), Value()}).shape;
        };

        expect_equal(shape_of("aten::conv2d", {2, 0, 5, 5}, {4, 0, 2, 2}), Shape{2, 0, 4, 4});
        expect_equal(shape_of("aten::conv1d", {0, 5}, {4, 0, 2}), Shape{0, 4});
      });

  conformance("a_padding_is_a_word", {"CORE-22", "CAST-1006"}, [](Session& subject) {
    for_each_computed_float(
        subject, [&](Dtype dtype) { expect_convolved(subject, dtype, rows_of_words()); });
  });

  conformance("a_padding_of_another_word_is_refused", {"CORE-22"}, [](Session& subject) {
    const auto refused = [&](const Shape& input, std::int64_t stride, const char* word,
                             const char* because, const Shape& weight = {1, 1, 3}) {
      const ScopedTrace at{word};
      expect_error(
          [&] {
            listed(subject, "aten::conv1d.padding",
                   {counted(kFloat32, input), counted(kFloat32, weight), {}, ints({stride}), word});
          },
          ErrorKind::kError, {because});
    };

    refused({1, 1, 5}, 1, "full", "padding");
    refused({1, 1, 5}, 2, "Same", "padding");
    refused({1, 1, 5}, 2, "same", "strided");
    refused({1, 1, 2}, 1, "valid", "ernel");
    refused({1, 1, 0}, 1, "same", "ernel");
    refused({1, 1, 5, 5}, 1, "same", "input", {1, 1, 2, 2});
    refused({1, 1, 5, 5}, 1, "valid", "input", {1, 1, 2, 2});
    refused({5}, 1, "valid", "input");
  });

  conformance("a_product_is_added_to_a_tensor", {"CORE-22"}, [](Session& subject) {
    for_each_computed_float(subject, [&](Dtype dtype) {
      for (const AddedRow& row : added_rows()) {
        const ScopedTrace at{row.op};
        const Value left = counted(dtype, row.left);
        const Value right = counted(dtype, row.right);
        const TensorValue nothing =
            on(scalar_of(dtype, kNaN), subject.device());  // is not read where beta is 0

        expect_bits(listed(subject, row.op, {counted(dtype, row.self), left, right, 2, -1}),
                    matrix(dtype, row.shape, row.wanted));
        expect_bits(listed(subject, row.op, {nothing, left, right, 0, -1}),
                    matrix(dtype, row.shape, row.alone));
      }
    });
  });
}

}  // namespace assay::suites::arithmetic

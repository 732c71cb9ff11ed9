// Shapes that recorded_shapes_test.py does
// not cover: options, batches, and errors.
#include <gtest/gtest.h>

#include <cmath>
#include <string_view>

#include "cuda_impl/aten/shapes/rows.hpp"

namespace assay::cuda::aten {
namespace {

Boxed tensor(Shape sizes, Dtype dtype = Dtype::kFloat32) {
  return Boxed(empty(std::move(sizes), dtype, kCpu));
}
Boxed ints(const Shape& numbers) {
  auto items = std::make_shared<BoxedItems>();
  for (const std::int64_t number : numbers) items->items.emplace_back(number);
  return Boxed(std::move(items));
}
Boxed number(std::int64_t value) { return Boxed(value); }
Boxed text(const char* word) { return Boxed(std::string(word)); }
const Boxed kNone;

ShapeRule rule_of(std::string_view name) {
  for (const auto rows : {convolution_rows, product_rows, window_rows, loss_rows,
                          factorization_rows, solver_rows, spectrum_rows, element_rows, cell_rows,
                          added_product_rows, computed_loss_rows, line_rows, power_rows}) {
    for (const ShapeRow& row : rows()) {
      const std::string_view schema = row.schema;
      if (schema.substr(0, schema.find('(')) == name) return row.rule;
    }
  }
  throw Error("no row " + std::string(name));
}

Results call(std::string_view name, const std::vector<Boxed>& args) {
  return rule_of(name)(ArgumentReader(args, Release::k2_11));
}
Shape shape(std::string_view name, const std::vector<Boxed>& args, std::size_t result = 0) {
  return call(name, args)[result].tensor().sizes();
}
Dtype type(std::string_view name, const std::vector<Boxed>& args, std::size_t result = 0) {
  return call(name, args)[result].tensor().dtype();
}

TEST(Shapes, ConvolutionsTakeStridesPaddingDilationAndGroups) {
  EXPECT_EQ(shape("conv2d", {tensor({2, 4, 9, 8}), tensor({6, 2, 3, 2}), kNone, ints({2, 1}),
                             ints({1, 0}), ints({1, 3}), number(2)}),
            (Shape{2, 6, 5, 5}));
  EXPECT_EQ(shape("conv2d", {tensor({4, 9, 8}), tensor({6, 4, 3, 2}), kNone, number(1), number(0),
                             number(1), number(1)}),
            (Shape{6, 7, 7}));
  EXPECT_THROW(call("conv2d", {tensor({2, 4, 9, 8}), tensor({6, 3, 3, 2}), kNone, number(1),
                               number(0), number(1), number(1)}),
               Error);
}

TEST(Shapes, PaddingByAWordKeepsTheSizeOrNothing) {
  const auto with = [](const char* word, std::int64_t stride) {
    return shape("conv1d.padding", {tensor({1, 2, 7}), tensor({3, 2, 4}), kNone, number(stride),
                                    text(word), number(1), number(1)});
  };
  EXPECT_EQ(with("same", 1), (Shape{1, 3, 7}));
  EXPECT_EQ(with("valid", 2), (Shape{1, 3, 2}));
  EXPECT_THROW(with("same", 2), Error);
  EXPECT_THROW(with("full", 1), Error);
}

TEST(Shapes, TransposedConvolutionsGrow) {
  EXPECT_EQ(shape("conv_transpose2d.input",
                  {tensor({1, 4, 3, 3}), tensor({4, 2, 3, 3}), kNone, ints({2, 1}), ints({1, 0}),
                   ints({1, 0}), number(2), ints({1, 2})}),
            (Shape{1, 4, 6, 7}));
}

TEST(Shapes, PoolsRoundUpWhereTheyAreTold) {
  const auto pooled = [](bool up) {
    return shape("avg_pool3d", {tensor({1, 5, 6, 7}), number(2), ints({}), number(0), Boxed(up),
                                Boxed(true), kNone});
  };
  EXPECT_EQ(pooled(false), (Shape{1, 2, 3, 3}));
  EXPECT_EQ(pooled(true), (Shape{1, 3, 3, 4}));
  // A window that would start in the right padding does not count.
  EXPECT_EQ(shape("max_pool3d", {tensor({1, 1, 1, 3}), ints({1, 1, 2}), ints({1, 1, 2}),
                                 ints({0, 0, 1}), number(1), Boxed(true)}),
            (Shape{1, 1, 1, 2}));
}

TEST(Shapes, PaddingBeginsWithTheLastDimension) {
  EXPECT_EQ(shape("reflection_pad2d", {tensor({1, 4, 5}), ints({1, 2, 3, 0})}), (Shape{1, 7, 8}));
}

TEST(Shapes, LossesThatAreNotReducedHaveTheShapeOfWhatIsCompared) {
  EXPECT_EQ(shape("l1_loss", {tensor({2, 1}), tensor({3}), number(0)}), (Shape{2, 3}));
  EXPECT_EQ(
      shape("triplet_margin_loss", {tensor({2, 4}), tensor({2, 4}), tensor({2, 4}), Boxed(1.0),
                                    Boxed(2.0), Boxed(1e-6), Boxed(false), number(0)}),
      (Shape{2}));
  EXPECT_THROW(call("l1_loss", {tensor({2}), tensor({2}), number(3)}), Error);
}

TEST(Shapes, RectangularMatricesAreFactorized) {
  const Boxed tall = tensor({3, 5, 2});
  const auto svd = [&](bool full, std::size_t result) {
    return shape("linalg_svd", {tall, Boxed(full), kNone}, result);
  };
  EXPECT_EQ(svd(true, 0), (Shape{3, 5, 5}));
  EXPECT_EQ(svd(false, 0), (Shape{3, 5, 2}));
  EXPECT_EQ(svd(false, 1), (Shape{3, 2}));
  EXPECT_EQ(svd(true, 2), (Shape{3, 2, 2}));
  EXPECT_EQ(shape("linalg_qr", {tall, text("complete")}, 0), (Shape{3, 5, 5}));
  EXPECT_EQ(shape("linalg_qr", {tall, text("r")}, 0), (Shape{0}));
  EXPECT_EQ(shape("linalg_qr", {tall, text("reduced")}, 1), (Shape{3, 2, 2}));
  EXPECT_EQ(shape("pinverse", {tall, Boxed(1e-15)}), (Shape{3, 2, 5}));
  EXPECT_THROW(call("inverse", {tall}), Error);
  EXPECT_THROW(call("linalg_qr", {tall, text("all")}), Error);
}

TEST(Shapes, EigenvaluesOfGeneralMatricesAreComplex) {
  const Boxed doubles = tensor({2, 2}, Dtype::kFloat64);
  EXPECT_EQ(type("linalg_eigvals", {doubles}), Dtype::kComplex128);
  EXPECT_EQ(type("linalg_eig", {tensor({2, 2})}, 1), Dtype::kComplex64);
  EXPECT_EQ(type("linalg_eigvalsh", {doubles, text("L")}), Dtype::kFloat64);
}

TEST(Shapes, SolversTakeVectorsAndBatches) {
  EXPECT_EQ(shape("linalg_solve", {tensor({3, 2, 2}), tensor({3, 2}), Boxed(true)}), (Shape{3, 2}));
  EXPECT_EQ(shape("linalg_solve", {tensor({2, 2}), tensor({4, 2, 5}), Boxed(true)}),
            (Shape{4, 2, 5}));
  EXPECT_EQ(shape("linalg_lstsq", {tensor({5, 2}), tensor({5, 3}), kNone, text("gelsd")}, 1),
            (Shape{3}));
  EXPECT_EQ(shape("linalg_lstsq", {tensor({5, 2}), tensor({5, 3}), kNone, text("gelsd")}, 3),
            (Shape{2}));
  EXPECT_EQ(shape("linalg_tensorsolve", {tensor({6, 2, 3}), tensor({6}), kNone}), (Shape{2, 3}));
  EXPECT_EQ(shape("linalg_tensorsolve", {tensor({2, 3, 6}), tensor({6}), ints({0, 0})}),
            (Shape{2, 3}));
}

TEST(Shapes, HalfASpectrumStandsForRealNumbers) {
  const auto dims = ints({-2, -1});
  EXPECT_EQ(shape("fft_rfft2", {tensor({4, 7}), kNone, dims, kNone}), (Shape{4, 4}));
  EXPECT_EQ(shape("fft_irfft2", {tensor({4, 4}), ints({5, 7}), dims, kNone}), (Shape{5, 7}));
  EXPECT_EQ(shape("fft_irfftn", {tensor({4, 4}), kNone, kNone, kNone}), (Shape{4, 6}));
  EXPECT_EQ(shape("fft_fftn", {tensor({4, 6}), ints({3}), kNone, kNone}), (Shape{4, 3}));
  EXPECT_EQ(type("fft_irfft", {tensor({4}, Dtype::kComplex64), kNone, number(-1), kNone}),
            Dtype::kFloat32);
  EXPECT_EQ(type("fft_fft", {tensor({4}, Dtype::kInt64), kNone, number(-1), kNone}),
            Dtype::kComplex64);
}

TEST(Shapes, ShortTransformsSlideOverTheSignal) {
  const std::vector<Boxed> args = {tensor({2, 16}), number(8),   number(4),       kNone,
                                   kNone,           Boxed(true), text("reflect"), Boxed(false),
                                   Boxed(false),    Boxed(true)};
  EXPECT_EQ(shape("stft.center", args), (Shape{2, 8, 5}));
  std::vector<Boxed> real = args;
  real[8] = Boxed(true);
  real[9] = Boxed(false);
  EXPECT_EQ(shape("stft.center", real), (Shape{2, 5, 5, 2}));
}

TEST(Shapes, QuantilesStandInFrontOfWhatIsLeft) {
  const auto rest = [](const Boxed& dim, bool keepdim) {
    return shape("quantile", {tensor({4, 5}), tensor({3}), dim, Boxed(keepdim), text("linear")});
  };
  EXPECT_EQ(rest(kNone, false), (Shape{3}));
  EXPECT_EQ(rest(number(1), false), (Shape{3, 4}));
  EXPECT_EQ(rest(number(0), true), (Shape{3, 1, 5}));
}

TEST(Shapes, ProductsFitOrAreRefused) {
  EXPECT_EQ(shape("cdist", {tensor({7, 1, 3, 2}), tensor({6, 4, 2}), Boxed(2.0), kNone}),
            (Shape{7, 6, 3, 4}));
  EXPECT_THROW(call("addmv", {tensor({2}), tensor({2, 3}), tensor({2}), number(1), number(1)}),
               Error);
  EXPECT_THROW(call("addmv", {tensor({2}), tensor({2, 3}), tensor({3}, Dtype::kFloat16), number(1),
                              number(1)}),
               Error);
}

TEST(Shapes, ElementsAreOfNoMeaning) {
  const Tensor made = call("renorm", {tensor({2}), number(2), number(0), number(1)})[0].tensor();

  EXPECT_TRUE(std::isnan(made.data_as<float>()[0]));
  EXPECT_TRUE(std::isnan(made.data_as<float>()[1]));
}

}  // namespace
}  // namespace assay::cuda::aten

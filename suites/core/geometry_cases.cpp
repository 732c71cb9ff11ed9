// Geometry: shapes, strides, and derived properties.
#include "harness/suite/cases.hpp"
#include "harness/suite/clients/core.hpp"

namespace assay::suites {
namespace {

TensorValue of_shape(const Shape& shape) {
  TensorValue tensor;
  tensor.shape = shape;
  tensor.data.resize(static_cast<std::size_t>(tensor.numel()) * sizeof(float));
  return tensor;
}

struct Strides {
  Shape shape;
  Shape wanted;
};

}  // namespace

CASES("core/geometry") {
  conformance("a_tensor_without_dimensions_has_one_element", {"CORE-12"}, [](Session& subject) {
    const TensorInfo info = subject.core().info(scalar_of(Dtype::kFloat32, 3));

    expect_equal(info.numel, 1);
    expect_equal(info.dim, 0);
    expect_equal(info.shape, {});
    expect_true(info.contiguous, "a scalar is contiguous");
  });

  conformance("a_new_tensor_is_in_row_major_order", {"CORE-12"}, [](Session& subject) {
    const std::vector<Strides> table = {{{4}, {1}}, {{2, 3}, {3, 1}}, {{2, 3, 4}, {12, 4, 1}}};
    for (const Strides& row : table) {
      const TensorInfo info = subject.core().info(of_shape(row.shape));

      expect_equal(info.strides, row.wanted);
      expect_true(info.contiguous, "a new tensor is contiguous");
      expect_true(info.dense, "a new tensor is dense");
    }
  });

  conformance("a_size_of_zero_counts_as_one_in_the_strides", {"CORE-12"}, [](Session& subject) {
    const std::vector<Strides> table = {
        {{2, 0, 3}, {3, 3, 1}}, {{0}, {1}}, {{0, 5}, {5, 1}}, {{4, 0}, {1, 1}}};
    for (const Strides& row : table) {
      const TensorInfo info = subject.core().info(of_shape(row.shape));

      expect_equal(info.strides, row.wanted);
      expect_equal(info.numel, 0);
      expect_true(info.contiguous, "a tensor without elements is contiguous");
      expect_true(info.null, "a tensor without elements has a null pointer");
    }
  });

  conformance("a_tensor_with_elements_has_an_address", {"CORE-12"}, [](Session& subject) {
    expect_false(subject.core().info(f32({1})).null, "its pointer is not null");
  });

  conformance("a_dimension_of_size_one_may_have_any_stride", {"CORE-12"}, [](Session& subject) {
    const Ref x = subject.core().tensor(f32({1, 2, 3}));

    const Ref row = subject.core().as_strided(x, {.shape = {1, 3}, .strides = {77, 1}});
    const Ref column = subject.core().as_strided(x, {.shape = {3, 1}, .strides = {1, 77}});

    expect_true(subject.core().info(row).contiguous, "[1,3] with strides [77,1] is contiguous");
    expect_true(subject.core().info(column).contiguous, "[3,1] with strides [1,77] is contiguous");
  });

  conformance("a_new_dimension_of_one_element_has_a_stride", {"CORE-12"}, [](Session& subject) {
    const auto strides_of = [&](const Shape& from, const Shape& to) {
      return subject.core()
          .info(subject.core().expand(subject.core().tensor(of_shape(from)), to))
          .strides;
    };

    expect_equal(strides_of({3, 1, 2}, {1, 3, 4, 2}), {6, 2, 0, 1});
    expect_equal(strides_of({2, 3}, {4, 1, 2, 3}), {0, 6, 3, 1});
    expect_equal(strides_of({1, 3}, {1, 4, 3}), {0, 0, 1});
    expect_equal(strides_of({1, 3}, {1, 1, 3}), {3, 3, 1});
    expect_equal(strides_of({}, {1, 1}), {0, 0});
  });

  conformance("an_expanded_dimension_has_stride_zero", {"CORE-12"}, [](Session& subject) {
    const Ref x = subject.core().tensor(shaped(f32({1, 2, 3}), {1, 3}));

    const Ref wide = subject.core().expand(x, {4, 3});
    const TensorInfo info = subject.core().info(wide);

    expect_equal(info.strides, {0, 1});
    expect_false(info.contiguous, "an expanded tensor is not contiguous");
    expect_false(info.dense, "an expanded tensor is not dense");
    expect_bits(subject.core().read(wide),
                strided(shaped(f32({1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3}), {4, 3}), {0, 1}));
  });

  conformance("a_transposed_tensor_is_dense_but_not_contiguous", {"CORE-12"}, [](Session& subject) {
    const Ref x = subject.core().tensor(shaped(f32({1, 2, 3, 4, 5, 6}), {2, 3}));

    const Ref turned = subject.core().as_strided(x, {.shape = {3, 2}, .strides = {1, 3}});

    expect_false(subject.core().info(turned).contiguous, "it is not contiguous");
    expect_true(subject.core().info(turned).dense, "it is dense");
    expect_bits(subject.core().read(turned),
                strided(shaped(f32({1, 4, 2, 5, 3, 6}), {3, 2}), {1, 3}));
  });

  conformance("a_slice_with_gaps_is_not_dense", {"CORE-12"}, [](Session& subject) {
    const Ref x = subject.core().tensor(f32({0, 1, 2, 3, 4, 5}));

    const Ref odd = subject.core().as_strided(x, {.shape = {3}, .strides = {2}, .offset = 1});
    const TensorInfo info = subject.core().info(odd);

    expect_false(info.contiguous, "every other element is not contiguous");
    expect_false(info.dense, "every other element is not dense");
    expect_equal(info.offset, 1);
    expect_bits(subject.core().read(odd), strided(f32({1, 3, 5}), {2}));
    expect_bits(subject.core().storage(odd).elements, f32({0, 1, 2, 3, 4, 5}));
  });

  conformance("a_negative_dimension_counts_from_the_end", {"CORE-12"}, [](Session& subject) {
    const Ref x = subject.core().tensor(of_shape({2, 3, 4}));

    expect_equal(subject.core().size(x, -1), 4);
    expect_equal(subject.core().size(x, -3), 2);
    expect_equal(subject.core().size(x, 2), 4);
  });

  conformance("a_dimension_out_of_range_names_the_range_and_itself", {"CORE-12"},
              [](Session& subject) {
                const Ref x = subject.core().tensor(of_shape({2, 3}));
                const std::vector<ErrorKind> kinds = {ErrorKind::kError, ErrorKind::kIndex};

                expect_error([&] { subject.core().size(x, 2); }, kinds,
                             {"Dimension out of range", "-2", "1", "2"});
                expect_error([&] { subject.core().size(x, -3); }, kinds,
                             {"Dimension out of range", "-2", "1", "-3"});
              });

  conformance("no_index_fits_a_tensor_without_dimensions", {"CORE-12"}, [](Session& subject) {
    const Ref x = subject.core().tensor(scalar_of(Dtype::kFloat32, 1));
    for (const std::int64_t dim : {0, -1, 1}) {
      expect_error([&] { subject.core().size(x, dim); }, {ErrorKind::kError, ErrorKind::kIndex},
                   {"tensor has no dimensions"});
    }
  });

  conformance("a_negative_size_is_refused", {"CORE-12"}, [](Session& subject) {
    expect_error(
        [&] {
          subject.core().empty({.shape = {2, -1}});
        },
        ErrorKind::kError, {"negative dimension"});
  });

  conformance("more_bytes_than_can_be_counted_are_refused", {"CORE-12"}, [](Session& subject) {
    const std::int64_t huge = std::int64_t{1} << 62;
    expect_error([&] { subject.core().empty({.shape = {huge}}); }, ErrorKind::kError,
                 {"calculation overflowed"});
    expect_error(
        [&] {
          subject.core().empty({.shape = {std::int64_t{1} << 40, 1 << 30}});
        },
        ErrorKind::kError, {"calculation overflowed"});
  });
}

}  // namespace assay::suites

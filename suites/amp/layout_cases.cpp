// Layouts: if a gradient is a view, exactly its elements are unscaled.
#include "suites/amp/support.hpp"

namespace assay::suites {
namespace {

TensorValue matrix(Dtype dtype, std::int64_t rows, std::int64_t columns) {
  return shaped(ramp(dtype, rows * columns), {rows, columns});
}

/// A view of a 20x20 matrix.
enum class Layout { kWhole, kTransposed, kColumns };

View view_for(Layout layout) {
  if (layout == Layout::kWhole) return {{20, 20}, {20, 1}};
  if (layout == Layout::kTransposed) return {{20, 20}, {1, 20}};
  return {{20, 5}, {20, 1}};
}

/// The row-major index in the base of the view's element at `row`, `column`.
std::size_t base_index(const View& view, std::int64_t row, std::int64_t column) {
  return static_cast<std::size_t>(view.offset + row * view.strides[0] + column * view.strides[1]);
}

/// `base` with its elements in `view` multiplied by `factor`.
TensorValue with_view_unscaled(TensorValue base, const View& view, float factor) {
  const TensorValue all = unscaled(base, factor);
  for (std::int64_t row = 0; row < view.shape[0]; ++row) {
    for (std::int64_t column = 0; column < view.shape[1]; ++column) {
      const std::size_t index = base_index(view, row, column);
      base.set_bits(index, all.bits_at(index));
    }
  }
  return base;
}

TensorValue with_bad_column(TensorValue base, std::int64_t column) {
  base.set_bits(static_cast<std::size_t>(3 * 20 + column), exact_bits(base.dtype, kInf));
  return base;
}

/// Views of two matrices in one list; `bad` is the column of an inf in each, or -1.
struct Pair {
  Layout layouts[2];
  std::int64_t bad[2] = {-1, -1};
  float flag = 0;
};

void expect_pair(Session& session, const Pair& pair) {
  std::vector<TensorValue> bases;
  std::vector<std::string> names;
  std::vector<Value> grads;
  for (int i = 0; i < 2; ++i) {
    TensorValue base = matrix(Dtype::kFloat32, 20, 20);
    if (pair.bad[i] >= 0) base = with_bad_column(base, pair.bad[i]);
    names.push_back(named(session, base));
    grads.emplace_back(Ref{view_of(session, names.back(), view_for(pair.layouts[i]))});
    bases.push_back(std::move(base));
  }

  const auto result = session.amp().unscale({.grads = grads, .inv_scale = 0.25f});

  expect_bits(result.found_inf, pair.flag);
  for (std::size_t i = 0; i < 2; ++i) {
    const ScopedTrace at("matrix " + std::to_string(i));
    expect_bits(read(session, names[i]),
                with_view_unscaled(bases[i], view_for(pair.layouts[i]), 0.25f));
  }
}

}  // namespace

CASES("amp/layouts") {
  kernel_case("dense_in_any_order_of_dimensions_are_unscaled", {"AMP-304"}, [](Session& session) {
    for (const Dtype dtype : gradient_dtypes(session.contract())) {
      for (std::size_t bad = 0; bad < 6; ++bad) {
        TensorValue grad = strided(matrix(dtype, 2, 3), {1, 2});
        grad.set_bits(bad, non_finite_bits(dtype)[1]);
        expect_unscales(session, {.grads = {grad, ramp(dtype, 3)}});
        expect_unscales(session, {.grads = {ramp(dtype, 3), grad}});
      }
    }
  });

  kernel_case("of_three_dimensions_permuted_are_unscaled", {"AMP-304"}, [](Session& session) {
    const TensorValue cube = shaped(ramp(Dtype::kFloat32, 24), {2, 3, 4});
    expect_unscales(session, {.grads = {strided(cube, {1, 2, 6}), strided(cube, {4, 8, 1}),
                                        strided(cube, {3, 1, 6}), cube}});
  });

  kernel_case("with_gaps_are_unscaled_one_by_one", {"AMP-305", "AMP-306"}, [](Session& session) {
    for (const Dtype dtype : gradient_dtypes(session.contract())) {
      for (std::size_t bad = 0; bad < 4; ++bad) {
        TensorValue grad = strided(ramp(dtype, 4), {3});
        grad.set_bits(bad, non_finite_bits(dtype)[2]);
        expect_unscales(session, {.grads = {grad}});
        expect_unscales(session, {.grads = {ramp(dtype, 2), grad, ramp(dtype, 5)}});
        expect_unscales(session, {.grads = {grad, ramp(dtype, 2), strided(ramp(dtype, 3), {2})}});
      }
    }
  });

  kernel_case("with_gaps_are_unscaled_to_the_last_of_many", {"AMP-305", "AMP-306"},
              [](Session& session) {
                for (const Dtype dtype : {Dtype::kFloat32, Dtype::kFloat16}) {
                  for (const std::int64_t count : {257, 5000}) {
                    const TensorValue grad = strided(ramp(dtype, count), {2});
                    expect_unscales(session, {.grads = {grad}});
                    for (const std::int64_t bad : {std::int64_t{0}, std::int64_t{255}, count - 1}) {
                      const ScopedTrace at("element " + std::to_string(bad) + " of " +
                                           std::to_string(count));
                      TensorValue spoilt = grad;
                      spoilt.set_bits(static_cast<std::size_t>(bad), non_finite_bits(dtype)[2]);
                      expect_unscales(session, {.grads = {spoilt}});
                    }
                  }
                }
              });

  kernel_case("with_gaps_may_have_many_dimensions", {"AMP-305", "AMP-306"}, [](Session& session) {
    const TensorValue four = shaped(ramp(Dtype::kFloat32, 72), {2, 3, 4, 3});
    const TensorValue six = shaped(ramp(Dtype::kFloat32, 144), {2, 3, 2, 3, 2, 2});
    for (const TensorValue& grad : {strided(four, {97, 31, 7, 2}), strided(four, {2, 5, 17, 71}),
                                    strided(six, {500, 160, 70, 21, 9, 4}),
                                    strided(shaped(ramp(Dtype::kFloat32, 3), {3, 1}), {2, 0})}) {
      expect_unscales(session, {.grads = {grad}});
      TensorValue spoilt = grad;
      spoilt.set_bits(static_cast<std::size_t>(grad.numel()) - 1, exact_bits(grad.dtype, kInf));
      expect_unscales(session, {.grads = {spoilt}});
    }
  });

  kernel_case(
      "of_all_sorts_give_the_bits_of_the_fast_route", {"AMP-304", "AMP-305"}, [](Session& session) {
        for (const Dtype dtype : gradient_dtypes(session.contract())) {
          const TensorValue dense = shaped(tensor_of(dtype, {5, -9, 17, 0.0, -0.0, 96}), {2, 3});
          for (const float inverse : {0x1.555556p-2f, 0x1.99999ap-4f, 1.0f, 3.0f}) {
            expect_unscales(session, {.grads = {dense, strided(dense, {1, 2}),
                                                strided(dense, {6, 2}), strided(dense, {4, 1})},
                                      .inv_scale = inverse});
          }
        }
      });

  kernel_case("may_have_any_stride_in_dimensions_of_size_one", {"AMP-304"}, [](Session& session) {
    const TensorValue column = shaped(f32({2, 4, kInf, 8}), {4, 1});
    for (const std::vector<std::int64_t>& strides :
         {std::vector<std::int64_t>{1, 1}, {1, 4}, {1, 0}, {1, 77}}) {
      auto result =
          session.amp().unscale({.grads = {strided(column, strides), column}, .inv_scale = 0.5f});

      expect_bits(result.grads.at(0), unscaled(column, 0.5f));
      expect_bits(result.grads.at(1), unscaled(column, 0.5f));
      expect_bits(result.found_inf, 1.0f);
    }
  });

  kernel_case("that_share_memory_within_are_refused", {"AMP-307"}, [](Session& session) {
    const TensorValue wide = shaped(f32({1, 1, 1, 1, 1, 1}), {2, 3});
    for (const TensorValue& grad :
         {strided(f32({1, 1, 1}), {0}), strided(wide, {0, 0}), strided(wide, {0, 1})}) {
      expect_error([&] { session.amp().unscale({.grads = {grad}, .inv_scale = 0.5f}); },
                   ErrorKind::kError, {"single memory location", "clone"});
      expect_error(
          [&] {
            session.amp().unscale({.grads = {f32({2}), grad}, .inv_scale = 0.5f});
          },
          ErrorKind::kError, {"single memory location", "clone"});
    }
  });
}

CASES("amp/views") {
  kernel_case("of_a_matrix_leave_its_other_columns_alone", {"AMP-306"}, [](Session& session) {
    for (const Dtype dtype : gradient_dtypes(session.contract())) {
      TensorValue base = with_bad_column(matrix(dtype, 20, 20), 7);
      const std::string name = named(session, base);
      const View columns = view_for(Layout::kColumns);

      const auto result = session.amp().unscale(
          {.grads = {Ref{view_of(session, name, columns)}}, .inv_scale = 0.25f});

      expect_bits(result.found_inf, 0.0f);
      expect_bits(read(session, name), with_view_unscaled(base, columns, 0.25f));
    }
  });

  kernel_case(
      "of_every_pair_of_layouts_are_unscaled_alike", {"AMP-304", "AMP-305", "AMP-306"},
      [](Session& session) {
        for (const Layout left : {Layout::kWhole, Layout::kTransposed, Layout::kColumns}) {
          for (const Layout right : {Layout::kWhole, Layout::kTransposed, Layout::kColumns}) {
            expect_pair(session, {.layouts = {left, right}});
            expect_pair(session, {.layouts = {left, right}, .bad = {2, -1}, .flag = 1});
            expect_pair(session, {.layouts = {left, right}, .bad = {-1, 4}, .flag = 1});
            expect_pair(session, {.layouts = {left, right}, .bad = {0, 0}, .flag = 1});
          }
        }
      });

  kernel_case("do_not_report_what_lies_beside_them", {"AMP-306"}, [](Session& session) {
    expect_pair(session, {.layouts = {Layout::kColumns, Layout::kColumns}, .bad = {7, 5}});
    expect_pair(session, {.layouts = {Layout::kColumns, Layout::kTransposed}, .bad = {19, -1}});
  });

  kernel_case("at_any_offset_are_unscaled_and_nothing_around_them", {"AMP-311", "AMP-306"},
              [](Session& session) {
                for (const Dtype dtype : gradient_dtypes(session.contract())) {
                  for (const std::int64_t offset : {0, 1, 2, 3}) {
                    for (const std::int64_t length : {1, 2, 3, 4, 5, 7, 8, 9}) {
                      const ScopedTrace at(std::string(name_of(dtype)) + ", offset " +
                                           std::to_string(offset) + ", length " +
                                           std::to_string(length));
                      const View view = {{1, length}, {length, 1}, offset};
                      const TensorValue base = ramp(dtype, 16);
                      const std::string name = named(session, base);

                      session.amp().unscale(
                          {.grads = {Ref{view_of(session, name, view)}}, .inv_scale = 0.5f});

                      expect_bits(read(session, name), with_view_unscaled(base, view, 0.5f));
                    }
                  }
                }
              });

  kernel_case(
      "at_any_offset_report_each_of_their_elements", {"AMP-311", "AMP-201"}, [](Session& session) {
        for (const std::int64_t offset : {1, 2, 3}) {
          for (std::int64_t bad = 0; bad < 12; ++bad) {
            const ScopedTrace at("offset " + std::to_string(offset) + ", bad element " +
                                 std::to_string(bad));
            TensorValue base = ramp(Dtype::kFloat32, 16);
            base.set_bits(static_cast<std::size_t>(bad), 0x7f800000);
            const std::string view = view_of(session, named(session, base), {{6}, {1}, offset});

            const auto result = session.amp().unscale({.grads = {Ref{view}}, .inv_scale = 0.5f});

            const bool inside = bad >= offset && bad < offset + 6;
            expect_bits(result.found_inf, inside ? 1.0f : 0.0f);
          }
        }
      });

  kernel_case("stay_views_of_the_same_storage", {"AMP-201"}, [](Session& session) {
    const std::string base = named(session, ramp(Dtype::kFloat32, 12));
    const std::string view = view_of(session, base, {{2, 3}, {6, 2}, 1});

    session.amp().unscale({.grads = {Ref{view}}, .inv_scale = 0.5f});

    expect_true(session.alias(base, view), "the gradient still shares its base's storage");
    const Reply info = session.send("core.info", {{"tensor", Ref{view}}});
    expect_equal(field(info, "shape"), List{{2, 3}});
    expect_equal(field(info, "strides"), List{{6, 2}});
    expect_equal(field(info, "dtype"), Dtype::kFloat32);
  });
}

}  // namespace assay::suites

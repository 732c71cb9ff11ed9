// Dtypes and shapes of the results of listed operators, and composites without a rule.
#include "suites/autocast/casting.hpp"

namespace assay::suites {
namespace {

/// All elements are 0.5.
Value halves(const Target& target, std::vector<std::int64_t> shape, Dtype dtype = Dtype::kFloat32) {
  return of_shape(target, dtype, std::move(shape), 0.5);
}

Value whole(const Target& target, const TensorValue& numbers) { return on(numbers, target.device); }

struct Row {
  const char* op;
  std::vector<Value> args;
  Shape shape;
  Dtype dtype = Dtype::kFloat32;
  std::int64_t version = 0;
};

/// The result is named, because complex elements have no values in the protocol.
void expect_row(Session& subject, const Row& row) {
  const ScopedTrace at(row.op);
  const TensorInfo info = subject.core().info(call_ref(subject, row.op, row.args));
  expect_equal(info.shape, row.shape);
  expect_equal(info.dtype, row.dtype);
  if (subject.contract().release > Release::k1_13) expect_equal(info.version, row.version);
}

/// CUDA's list lacks some of these operators, and bans binary_cross_entropy.
void expect_in_and_outside(Session& subject, const std::vector<Row>& rows) {
  for (const Row& row : rows) expect_row(subject, row);
  inside(subject, cpu_target(), [&] {
    for (const Row& row : rows) expect_row(subject, row);
  });
}

Value dims(const std::vector<std::int64_t>& numbers) {
  List list;
  for (const std::int64_t number : numbers) list.items.emplace_back(number);
  return list;
}

}  // namespace

CASES("autocast/results") {
  conformance("a_loss_is_one_number_unless_it_is_not_reduced", {"CAST-1006"}, [](Session& subject) {
    const Target cpu = cpu_target();
    const Value left = halves(cpu, {2, 1});
    const Value right = halves(cpu, {3});
    std::vector<Row> rows;
    for (const char* op :
         {"aten::l1_loss", "aten::smooth_l1_loss", "aten::huber_loss", "aten::kl_div"}) {
      rows.push_back({op, {left, right, 0}, {2, 3}});
      rows.push_back({op, {left, right, 1}, {}});
      rows.push_back({op, {left, right, 2}, {}});
    }
    const Value square = halves(cpu, {2, 3});
    const Value classes = whole(cpu, i64({0, 1}));
    const Value triple = halves(cpu, {2, 4});
    const auto triplet = [&](std::int64_t reduction) {
      return std::vector<Value>{triple,   halves(cpu, {1, 4}), triple, 1.0, 2.0, 0.5, false,
                                reduction};
    };
    rows.push_back({"aten::binary_cross_entropy", {square, square, {}, 0}, {2, 3}});
    rows.push_back({"aten::binary_cross_entropy", {square, square, {}, 1}, {}});
    rows.push_back({"aten::nll_loss", {square, classes, {}, 0}, {2}});
    rows.push_back({"aten::nll_loss", {square, classes, {}, 2}, {}});
    rows.push_back({"aten::triplet_margin_loss", triplet(0), {2}});
    rows.push_back({"aten::triplet_margin_loss", triplet(1), {}});

    expect_in_and_outside(subject, rows);
  });

  conformance("losses_of_every_sort_are_reduced_alike", {"CAST-1006"}, [](Session& subject) {
    const Target cpu = cpu_target();
    const Value square = halves(cpu, {2, 3});
    const Value row = halves(cpu, {1, 3});
    const Value classes = whole(cpu, i64({0, 1}));
    const Value marks = whole(cpu, shaped(i64({1, 0, -1, 2, -1, 0}), {2, 3}));
    const Value image = halves(cpu, {1, 2, 4, 4});
    const Value pixels =
        whole(cpu, shaped(i64({0, 1, 1, 0, 0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 0, 0}), {1, 4, 4}));
    for (const std::int64_t reduction : {0, 1, 2}) {
      const ScopedTrace at("reduction " + std::to_string(reduction));
      const auto reduced = [&](Shape each) { return reduction == 0 ? each : Shape{}; };

      expect_row(subject, {"aten::binary_cross_entropy_with_logits",
                           {square, square, {}, {}, reduction},
                           reduced({2, 3})});
      expect_row(
          subject,
          {"aten::poisson_nll_loss", {square, row, true, false, 1e-8, reduction}, reduced({2, 3})});
      expect_row(subject, {"aten::soft_margin_loss", {square, square, reduction}, reduced({2, 3})});
      expect_row(subject,
                 {"aten::hinge_embedding_loss", {square, row, 1.0, reduction}, reduced({2, 3})});
      // Its losses are clamped in place.
      expect_row(subject, {.op = "aten::margin_ranking_loss",
                           .args = {square, row, halves(cpu, {2, 1}), 0.0, reduction},
                           .shape = reduced({2, 3}),
                           .version = reduction == 0 ? 1 : 0});
      expect_row(
          subject,
          {"aten::cosine_embedding_loss", {square, square, classes, 0.0, reduction}, reduced({2})});
      expect_row(subject,
                 {"aten::multilabel_margin_loss", {square, marks, reduction}, reduced({2})});
      expect_row(
          subject,
          {"aten::multi_margin_loss", {square, classes, 1, 1.0, {}, reduction}, reduced({2})});
      expect_row(subject,
                 {"aten::nll_loss2d", {image, pixels, {}, reduction, -100}, reduced({1, 4, 4})});
    }
  });

  conformance("a_norm_leaves_out_the_dimensions_that_it_runs_over", {"CAST-1006"},
              [](Session& subject) {
                const Target cpu = cpu_target();
                const Value block = halves(cpu, {2, 3, 4});
                const Value square = halves(cpu, {2, 3});
                const std::vector<Row> rows{
                    {"aten::frobenius_norm.dim", {block, dims({2}), false}, {2, 3}},
                    {"aten::frobenius_norm.dim", {block, dims({0, 2}), true}, {1, 3, 1}},
                    {"aten::nuclear_norm", {square}, {}},
                    {"aten::nuclear_norm", {square, true}, {1, 1}},
                    {"aten::nuclear_norm.dim", {block, dims({0, 1}), false}, {4}},
                    {"aten::logsumexp", {block, dims({1}), false}, {2, 4}},
                    {"aten::logsumexp", {block, dims({-1}), true}, {2, 3, 1}},
                    {"aten::linalg_vector_norm", {block, 2.0, dims({0}), false}, {3, 4}},
                    {"aten::linalg_vector_norm", {block, 2.0, {}, false}, {}},
                    {"aten::linalg_matrix_norm", {block, 1.0, dims({1, 2}), true}, {2, 1, 1}},
                    {"aten::linalg_matrix_norm.str_ord", {block, "fro", dims({-2, -1})}, {2}}};
                for (const Row& row : rows) expect_row(subject, row);
              });

  conformance("rms_norm_keeps_its_inputs_type", {"CAST-1006"}, [](Session& subject) {
    const Target cpu = cpu_target();
    const Value low = halves(cpu, {2, 3}, cpu.low);
    const Value wide = halves(cpu, {2, 3});

    expect_in_and_outside(
        subject, {{"aten::rms_norm", {low, dims({3})}, {2, 3}, cpu.low},
                  {"aten::rms_norm", {low, dims({3}), halves(cpu, {3})}, {2, 3}, cpu.low},
                  {"aten::rms_norm", {wide, dims({3}), halves(cpu, {3}, cpu.low)}, {2, 3}}});
  }).since(Release::k2_11);

  conformance("distances_and_forms_are_of_pairs", {"CAST-1006"}, [](Session& subject) {
    const Target cpu = cpu_target();
    const std::vector<Row> rows{
        {"aten::cdist", {halves(cpu, {2, 3}), halves(cpu, {4, 3})}, {2, 4}},
        {"aten::cdist", {halves(cpu, {5, 1, 2, 3}), halves(cpu, {6, 4, 3})}, {5, 6, 2, 4}},
        {"aten::pdist", {halves(cpu, {5, 3})}, {10}},
        {"aten::trace", {halves(cpu, {3, 3})}, {}},
        {"aten::vdot", {halves(cpu, {3}), halves(cpu, {3})}, {}},
        {"aten::bilinear",
         {halves(cpu, {6, 2}), halves(cpu, {6, 3}), halves(cpu, {5, 2, 3}), {}},
         {6, 5}}};
    for (const Row& row : rows) expect_row(subject, row);
  });

  conformance("a_grid_has_the_places_of_its_samples", {"CAST-1006"}, [](Session& subject) {
    const Target cpu = cpu_target();
    const auto args = [&](Shape input, Shape grid) {
      return std::vector<Value>{halves(cpu, std::move(input)), halves(cpu, std::move(grid)), 0, 0,
                                false};
    };
    const auto plane = args({2, 3, 4, 4}, {2, 5, 6, 2});
    const auto space = args({1, 2, 3, 4, 4}, {1, 5, 6, 7, 3});
    for (const char* op :
         {"aten::grid_sampler", "aten::grid_sampler_2d", "aten::_grid_sampler_2d_cpu_fallback"}) {
      expect_row(subject, {op, plane, {2, 3, 5, 6}});
    }
    for (const char* op : {"aten::grid_sampler", "aten::grid_sampler_3d"}) {
      expect_row(subject, {op, space, {1, 2, 5, 6, 7}});
    }
    for (const Shape& grid : {Shape{1, 5, 6, 2}, Shape{2, 5, 6, 3}, Shape{2, 5, 2}}) {
      expect_error(
          [&] {
            call(subject, "aten::grid_sampler", args({2, 3, 4, 4}, grid));
          },
          ErrorKind::kError, {"grid"});
    }
  });

  conformance("a_product_or_a_distance_is_one_number", {"CAST-1006"}, [](Session& subject) {
    const Target cpu = cpu_target();
    const Value square = halves(cpu, {2, 3});

    expect_in_and_outside(subject, {{"aten::prod", {square}, {}},
                                    {"aten::prod.dim_int", {square, 1, true}, {2, 1}},
                                    {"aten::prod.dim_int", {square, -2, false}, {3}},
                                    {"aten::dist", {square, halves(cpu, {3})}, {}}});
  });

  conformance("vectors_are_compared_along_a_dimension", {"CAST-1006"}, [](Session& subject) {
    const Target cpu = cpu_target();
    const Row similarity{
        "aten::cosine_similarity", {halves(cpu, {2, 1, 4}), halves(cpu, {3, 4}), 2}, {2, 3}};

    expect_in_and_outside(subject, {similarity});
    expect_row(subject,
               {"aten::linalg_vecdot", {halves(cpu, {2, 3, 4}), halves(cpu, {3, 4})}, {2, 3}});
  });

  conformance("polar_is_complex", {"CAST-1006"}, [](Session& subject) {
    const Target cpu = cpu_target();
    const auto of = [&](Dtype dtype) {
      return std::vector<Value>{halves(cpu, {2, 1}, dtype), halves(cpu, {3}, dtype)};
    };

    expect_in_and_outside(subject,
                          {{"aten::polar", of(Dtype::kFloat32), {2, 3}, Dtype::kComplex64},
                           {"aten::polar", of(Dtype::kFloat64), {2, 3}, Dtype::kComplex128}});
  });

  conformance(
      "products_without_a_rule_of_their_own_are_lowered_on_the_cpu", {"CAST-1007"},
      [](Session& subject) {
        const Target cpu = cpu_target();
        const auto chain = [&](Dtype dtype) {
          return List{
              {halves(cpu, {2, 3}, dtype), halves(cpu, {3, 4}, dtype), halves(cpu, {4, 5}, dtype)}};
        };
        const List vectors{{halves(cpu, {3}), halves(cpu, {3, 4}), halves(cpu, {4})}};
        const std::vector<Value> contracted{halves(cpu, {2, 3, 4}), halves(cpu, {4, 3, 5}),
                                            dims({1, 2}), dims({1, 0})};
        const std::vector<Row> rows{
            {"aten::tensordot", contracted, {2, 5}, cpu.low},
            {"aten::tensordot",
             {halves(cpu, {2, 3}), halves(cpu, {4}), dims({}), dims({})},
             {2, 3, 4},
             cpu.low},
            {"aten::chain_matmul", {chain(Dtype::kFloat32)}, {2, 5}, cpu.low},
            {"aten::linalg_multi_dot", {vectors}, {}, cpu.low}};

        inside(subject, cpu, [&] {
          for (const Row& row : rows) expect_row(subject, row);
          expect_row(subject,
                     {"aten::linalg_multi_dot", {chain(Dtype::kFloat64)}, {2, 5}, Dtype::kFloat64});
          expect_row(subject, {"aten::chain_matmul", {List{{halves(cpu, {2, 3})}}}, {2, 3}});
        });
        for (Row row : rows) {
          row.dtype = Dtype::kFloat32;
          expect_row(subject, row);
        }
      });

  conformance("a_contraction_sums_over_the_dimensions_named", {"CAST-1007"}, [](Session& subject) {
    const Target cpu = cpu_target();
    const Value left = whole(cpu, shaped(f32({1, 2, 3, 4, 5, 6}), {2, 3}));
    const Value right = whole(cpu, shaped(f32({1, 0, 2, 0, 1, 2}), {2, 3}));

    const Ref made = call_ref(subject, "aten::tensordot", {left, right, dims({0}), dims({0})});
    expect_bits(subject.core().read(made), shaped(f32({1, 4, 10, 2, 5, 14, 3, 6, 18}), {3, 3}));
  });

  conformance(
      "a_contraction_over_everything_is_no_matrix_product", {"CAST-1007"},
      [](Session& subject) {
        const Target cpu = cpu_target();
        const Value all = halves(cpu, {2, 3});

        inside(subject, cpu, [&] {
          expect_row(subject, {"aten::tensordot", {all, all, dims({0, 1}), dims({0, 1})}, {}});
        });
        expect_error(
            [&] {
              call(subject, "aten::tensordot",
                   {all, halves(cpu, {2, 3}, Dtype::kFloat64), dims({0}), dims({0})});
            },
            ErrorKind::kError, {"same dtype"});
      })
      .since(Release::k2_11);
}

}  // namespace assay::suites

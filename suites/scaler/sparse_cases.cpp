// unscale_() of sparse gradients: values in place, duplicates, float16.
#include "harness/suite/reading.hpp"
#include "suites/scaler/training.hpp"

namespace assay::suites {
namespace {

/// The largest float16.
constexpr double kMost = 65504;

SparseValue sparse_row(const std::vector<double>& columns, TensorValue values) {
  const auto count = static_cast<std::int64_t>(columns.size());
  std::vector<double> indices(columns.size(), 0.0);
  indices.insert(indices.end(), columns.begin(), columns.end());
  return {.indices = shaped(i64(indices), {2, count}),
          .values = std::move(values),
          .shape = {1, 4},
          .coalesced = false};
}

Tensor sparse_parameter(Session& subject, const SparseValue& grad) {
  Tensor tensor(subject, shaped(filled(grad.values.dtype, 4, 0), {1, 4}));
  tensor.set_grad(grad);
  return tensor;
}

Value sparse_values(const Tensor& tensor) {
  const Value grad = tensor.grad();
  if (grad.sparse() == nullptr) throw BadReply("the gradient is no longer sparse");
  return sparse_in(grad).values;
}

}  // namespace

CASES("scaler/unscale") {
  scaling("values_of_sparse_gradients_are_unscaled_in_place", {"SCL-206"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    const Tensor sparse = sparse_parameter(subject, sparse_row({2, 0, 2}, f32({16, 32, 64})));
    auto optimizer = sgd(subject, {sparse});

    scaler.unscale_(optimizer);

    expect_bits(sparse_values(sparse), f32({4, 8, 16}));
    expect_flags(scaler, optimizer, {0});
  });

  scaling("a_bad_sparse_value_raises_the_flag", {"SCL-206"}, [](Session& subject) {
    for (const float bad : {kInf, kNaN}) {
      auto scaler = ready(subject, {.init_scale = 4});
      auto optimizer =
          sgd(subject, {sparse_parameter(subject, sparse_row({2, 0, 2}, f32({16, bad, 64})))});

      scaler.unscale_(optimizer);

      expect_flags(scaler, optimizer, {1});
    }
  });

  scaling("sparse_duplicates_are_checked_one_by_one", {"SCL-206"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 1});
    const Tensor sparse =
        sparse_parameter(subject, sparse_row({3, 3}, f32_bits({0x7f61b1e6, 0x7f61b1e6})));
    auto optimizer = sgd(subject, {sparse});

    scaler.unscale_(optimizer);

    expect_bits(sparse_values(sparse), f32_bits({0x7f61b1e6, 0x7f61b1e6}));
    expect_flags(scaler, optimizer, {0});
  });

  scaling("sparse_float16_is_coalesced_before_it_is_checked", {"SCL-207", "SCL-513"},
          [](Session& subject) {
            auto scaler = ready(subject, {.init_scale = 4});
            const Tensor sparse =
                sparse_parameter(subject, sparse_row({2, 0, 2}, f16({64000, 32, 64000})));
            auto optimizer = sgd(subject, {sparse});

            const auto flags = scaler.check_inf(optimizer);

            expect_bits(flags.at(0).second, scalar_of(Dtype::kFloat32, 1));
            expect_bits(sparse_values(sparse), f16({32, kInf}));
          })
      .since(Release::k2_4);

  scaling("sparse_float16_that_sums_to_finite_values_passes", {"SCL-207"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    auto optimizer =
        sgd(subject, {sparse_parameter(subject, sparse_row({2, 0, 2}, f16({16, 32, 64})))});

    const auto flags = scaler.check_inf(optimizer);

    expect_bits(flags.at(0).second, scalar_of(Dtype::kFloat32, 0));
  }).since(Release::k2_4);

  scaling("sparse_float16_with_many_entries_is_sorted_by_its_first_dimension", {"SCL-207"},
          [](Session& subject) {
            constexpr std::int64_t kRows = 25, kColumns = 40;
            const auto entries = static_cast<std::size_t>(kRows * kColumns);
            // Each position once, in an order without a pattern; then the first ones once more.
            std::vector<double> rows, columns, values, sums(entries);
            for (std::size_t i = 0; i < entries + entries / 2; ++i) {
              const std::size_t at = i * 387 % entries;
              const std::size_t row = at / kColumns;
              rows.push_back(static_cast<double>(row));
              columns.push_back(static_cast<double>(at % kColumns));
              values.push_back(static_cast<double>(at % 1009 + (i < entries ? 0 : 1)));
              sums[at] += values.back();
            }
            std::vector<double> indices = rows;
            indices.insert(indices.end(), columns.begin(), columns.end());
            const auto count = static_cast<std::int64_t>(rows.size());
            const Tensor tensor(subject,
                                shaped(filled(Dtype::kFloat16, entries, 0), {kRows, kColumns}));
            tensor.set_grad(SparseValue{.indices = shaped(i64(indices), {2, count}),
                                        .values = f16(values),
                                        .shape = {kRows, kColumns},
                                        .coalesced = false});
            auto scaler = ready(subject, {.init_scale = 4});
            auto optimizer = sgd(subject, {tensor});

            scaler.check_inf(optimizer);

            const SparseValue after = sparse_in(tensor.grad());
            std::vector<double> in_order(2 * entries);
            for (std::size_t at = 0; at < entries; ++at) {
              const std::size_t row = at / kColumns;
              in_order[at] = static_cast<double>(row);
              in_order[entries + at] = static_cast<double>(at % kColumns);
            }
            expect_bits(after.indices, shaped(i64(in_order), {2, kRows * kColumns}));
            expect_bits(after.values, f16(sums));
          })
      .since(Release::k2_4);

  // Each sum is exact in float32 in any order.
  scaling("sparse_float16_sums_are_rounded_where_the_device_rounds_them", {"SCL-207"},
          [](Session& subject) {
            const bool rounds_each = subject.device().type == "cpu";
            const std::pair<std::vector<double>, double> sums[] = {
                {{2048, 1, 1}, rounds_each ? 2048.0 : 2050.0},
                {{1, 1, 2048}, 2050},
                {{kMost, 8, 8}, rounds_each ? kMost : double{kInf}},
                {{-0.0, -0.0}, rounds_each ? -0.0 : 0.0}};
            for (const auto& [values, sum] : sums) {
              const ScopedTrace at("the sum of " + std::to_string(values.front()) + " and others");
              auto scaler = ready(subject, {.init_scale = 4});
              const std::vector<double> columns(values.size(), 1.0);
              const Tensor sparse = sparse_parameter(subject, sparse_row(columns, f16(values)));
              auto optimizer = sgd(subject, {sparse});

              const auto flags = scaler.check_inf(optimizer);

              expect_bits(sparse_values(sparse), f16({sum}));
              expect_bits(flags.at(0).second, scalar_of(Dtype::kFloat32, sum == kInf ? 1 : 0));
            }
          })
      .reach(Reach::kWidth)
      .since(Release::k2_4);

  scaling("a_sparse_float16_entry_alone_keeps_its_sign", {"SCL-207"},
          [](Session& subject) {
            auto scaler = ready(subject, {.init_scale = 4});
            const Tensor sparse = sparse_parameter(subject, sparse_row({2}, f16({-0.0})));
            auto optimizer = sgd(subject, {sparse});

            scaler.check_inf(optimizer);

            expect_bits(sparse_values(sparse), f16({-0.0}));
          })
      .reach(Reach::kWidth)
      .since(Release::k2_4);

  scaling("unscale_refuses_sparse_float16_as_it_is", {"SCL-207", "SCL-205"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    auto optimizer =
        sgd(subject, {sparse_parameter(subject, sparse_row({2, 0, 2}, f16({16, 32, 64})))});

    expect_error([&] { scaler.unscale_(optimizer); }, ErrorKind::kValue, {"FP16"});
  });
}

}  // namespace assay::suites

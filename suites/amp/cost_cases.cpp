// The cost of calls: launches by the plan of chunks, no read-back, no allocation.
#include "suites/amp/support.hpp"

namespace assay::suites {
namespace {

using Counts = std::vector<std::int64_t>;

constexpr std::int64_t kChunk = 65536;

struct PlanRow {
  std::string_view id;
  Counts counts;
  Counts small;  ///< at most 110 tensors and 320 blocks
  Counts large;  ///< at most 770 and 2240
};

Counts times(std::size_t number, std::int64_t count) { return Counts(number, count); }

Counts followed_by(Counts counts, const Counts& more) {
  counts.insert(counts.end(), more.begin(), more.end());
  return counts;
}

const std::vector<PlanRow>& plan_rows() {
  static const std::vector<PlanRow> rows = {
      {"P01", times(110, 1), {110}, {110}},
      {"P02", times(111, 1), {110, 1}, {111}},
      {"P03", {320 * kChunk}, {320}, {320}},
      {"P04", {320 * kChunk + 1}, {320, 1}, {321}},
      {"P05", {319 * kChunk, 1, 1}, {320, 1}, {321}},
      {"P06", times(1000, 0), {}, {}},
      {"P07", {10, 0}, {1}, {1}},
      {"P08", {0, 7, 0, 7}, {2}, {2}},
      {"P09", times(640, kChunk), followed_by(times(5, 110), {90}), {640}},
      {"P10", times(771, 1), followed_by(times(7, 110), {1}), {770, 1}},
  };
  return rows;
}

struct Operands {
  std::string scale;
  std::string tracker;
  std::string flag;
};

Operands make_operands(Session& session) {
  return {named(session, scalar_of(Dtype::kFloat32, 8)),
          named(session, scalar_of(Dtype::kInt32, 0)),
          named(session, scalar_of(Dtype::kFloat32, 0))};
}

void update(Session& session, const Operands& operands) {
  session.amp().update_scale({.scale = Ref{operands.scale},
                              .tracker = Ref{operands.tracker},
                              .found_inf = Ref{operands.flag}});
}

std::int64_t launches_for(Session& session, const std::vector<TensorValue>& grads) {
  session.count();
  session.amp().unscale({.grads = {grads.begin(), grads.end()}, .inv_scale = 0.5f});
  return session.counted("launches");
}

void expect_launches(Session& session, const std::vector<TensorValue>& grads, std::int64_t most,
                     Where where = Where::current()) {
  const std::int64_t launches = launches_for(session, grads);
  expect_true(
      launches >= 1 && launches <= most,
      std::to_string(launches) + " launches are at least 1 and at most " + std::to_string(most),
      where);
}

}  // namespace

CASES("amp/plan") {
  kernel_case("cuts_lists_into_these_launches", {"AMP-312"}, [](Session& session) {
    for (const PlanRow& row : plan_rows()) {
      const ScopedTrace at{std::string(row.id)};
      expect_equal(session.amp().plan({row.counts, 110, 320}), row.small);
      expect_equal(session.amp().plan({row.counts, 770, 2240}), row.large);
    }
  }).since(Release::k2_4);

  kernel_case("gives_every_chunk_one_block", {"AMP-312", "AMP-311"}, [](Session& session) {
    expect_equal(session.amp().plan({{1, kChunk - 1, kChunk, kChunk + 1, 2 * kChunk}, 110, 320}),
                 {7});
    expect_equal(session.amp().plan({{3 * kChunk, 3 * kChunk}, 110, 2}), {2, 2, 2});
    expect_equal(session.amp().plan({{1, 1, 1}, 1, 320}), {1, 1, 1});
    expect_equal(session.amp().plan({{5 * kChunk, 1}, 110, 3}), {3, 3});
    expect_equal(session.amp().plan({{}, 110, 320}), Counts{});
  });

  kernel_case("counts_the_carried_tensor_among_the_next_ones", {"AMP-312"}, [](Session& session) {
    // The rest of the long tensor takes one of three places.
    expect_equal(session.amp().plan({{4 * kChunk, 1, 1, 1}, 3, 3}), {3, 3, 1});
    expect_equal(session.amp().plan({{4 * kChunk, 1, 1, 1}, 2, 3}), {3, 2, 2});
  });

  kernel_case("skips_tensors_without_elements", {"AMP-312", "AMP-302"}, [](Session& session) {
    for (const std::size_t empties : {109u, 110u, 111u, 1000u}) {
      expect_equal(session.amp().plan({followed_by(times(empties, 0), {5}), 110, 320}), {1});
      expect_equal(session.amp().plan({followed_by({5}, times(empties, 0)), 110, 320}), {1});
    }
    const Counts apart = followed_by(followed_by({1}, times(110, 0)), {1, 1});
    expect_equal(session.amp().plan({apart, 110, 320}), {3});
    expect_equal(session.amp().plan({followed_by(times(110, 1), {0}), 110, 320}), {110});
    expect_equal(session.amp().plan({followed_by(times(110, 1), {0, 1}), 110, 320}), {110, 1});
  }).since(Release::k2_4);

  kernel_case("counts_elements_beyond_32_bits", {"AMP-311", "AMP-312"}, [](Session& session) {
    const std::int64_t huge = (std::int64_t{1} << 31) + 8;
    const std::int64_t vast = (std::int64_t{1} << 32) + 8;

    expect_equal(session.amp().plan({{huge}, 110, 320}), followed_by(times(102, 320), {129}));
    expect_equal(session.amp().plan({{vast}, 110, 320}), followed_by(times(204, 320), {257}));
    expect_equal(session.amp().plan({{vast}, 770, 2240}), followed_by(times(29, 2240), {577}));
  });
}

CASES("amp/cost") {
  kernel_case("of_update_scale_is_one_launch", {"AMP-003", "AMP-120"}, [](Session& session) {
    const Operands operands = make_operands(session);
    session.count();

    update(session, operands);

    expect_equal(session.counted("launches"), std::int64_t{1});
  }).only(DeviceRules::kCuda);

  kernel_case("of_update_scale_is_no_read_and_no_allocation", {"AMP-120"}, [](Session& session) {
    const Operands operands = make_operands(session);
    session.count();

    update(session, operands);

    expect_equal(session.counted("host_reads"), std::int64_t{0});
    expect_equal(session.counted("allocations"), std::int64_t{0});
    expect_equal(session.counted("copies"), std::int64_t{0});
  });

  kernel_case("of_unscale_is_no_read_and_no_allocation", {"AMP-502"}, [](Session& session) {
    const Operands operands = make_operands(session);
    const std::string grad = named(session, f32({4, kInf}));
    const std::string other = named(session, f16({4, 8}));
    session.count();

    session.amp().unscale({.grads = {Ref{grad}, Ref{other}},
                           .found_inf = Ref{operands.flag},
                           .inv_scale = Ref{operands.scale}});

    expect_equal(session.counted("host_reads"), std::int64_t{0});
    expect_equal(session.counted("allocations"), std::int64_t{0});
    expect_equal(session.counted("copies"), std::int64_t{0});
  });

  kernel_case("of_an_empty_list_is_no_launch", {"AMP-301"},
              [](Session& session) { expect_equal(launches_for(session, {}), std::int64_t{0}); });

  kernel_case("of_tensors_without_elements_is_no_launch", {"AMP-302"}, [](Session& session) {
    expect_equal(launches_for(session, {f32({}), f32({})}), std::int64_t{0});
    expect_equal(launches_for(session, std::vector<TensorValue>(1000, f32({}))), std::int64_t{0});
  });

  kernel_case("of_one_dtype_is_the_plan", {"AMP-304", "AMP-312"}, [](Session& session) {
    expect_launches(session, {f32({1}), f32({2, 3}), f32({4})}, 1);
    expect_launches(session, std::vector<TensorValue>(110, f32({1})), 1);
    expect_launches(session, std::vector<TensorValue>(111, f32({1})), 2);
    expect_launches(session, std::vector<TensorValue>(331, f32({1})), 4);
  }).only(DeviceRules::kCuda);

  kernel_case("of_dense_layouts_is_one_launch", {"AMP-304"}, [](Session& session) {
    const TensorValue matrix = shaped(f32({1, 2, 3, 4, 5, 6}), {2, 3});
    const TensorValue column = shaped(f32({1, 2, 3}), {3, 1});

    expect_launches(session, {matrix, strided(matrix, {1, 2}), strided(column, {1, 7}), f32({1})},
                    1);
  }).only(DeviceRules::kCuda);

  kernel_case("of_each_odd_tensor_is_one_launch_more", {"AMP-305"}, [](Session& session) {
    const TensorValue gaps = strided(f32({1, 2}), {3});

    expect_launches(session, {f32({1}), gaps, f32({2})}, 2);
    expect_launches(session, {f32({1}), f16({1}), f32({2}), f64({1})}, 3);
    expect_launches(session, {f32({1}), gaps, f16({1}), gaps, f32({2})}, 4);
  }).only(DeviceRules::kCuda);

  kernel_case("of_a_call_is_told_by_its_counts", {"AMP-003"}, [](Session& session) {
    session.count();
    session.amp().unscale({.grads = {f32({1}), f32({2}), f16({3})}, .inv_scale = 0.5f});

    expect_equal(session.counted("unscale_calls"), std::int64_t{1});
    expect_equal(session.counted("unscale_tensors"), std::int64_t{3});
  });
}

}  // namespace assay::suites

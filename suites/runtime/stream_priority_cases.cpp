// Priorities of pool streams: levels, clamping, driver calls.
#include "suites/runtime/support.hpp"

namespace assay::suites {
namespace {

/// The priority level in a native id.
std::int64_t level_of(const Session& subject, std::int64_t id) {
  return is_old(subject) ? (id & 7) - 1 : ((id >> 1) & 15) - 1;
}

/// A requested priority, and the resulting level.
struct Row {
  std::int64_t priority;
  std::int64_t of_four;
  std::int64_t of_two;
};

/// V-24 and V-25. 2.4 rejects positive priorities.
std::vector<Row> rows_of(const Session& subject) {
  std::vector<Row> rows{{-100, 3, 1}, {-5, 3, 1}, {-4, 3, 1}, {-3, 3, 1},
                        {-2, 2, 1},   {-1, 1, 1}, {0, 0, 0}};
  if (subject.contract().release == Release::k2_4) return rows;
  for (const std::int64_t positive : {1, 5, 10}) rows.push_back({positive, 0, 0});
  return rows;
}

}  // namespace

CASES("runtime/priority") {
  on_cuda("four_levels_where_the_driver_has_so_many", {"STR-016"},
          [](Session& subject) {
            subject.sim().machine({.least = 0, .greatest = -5});
            const PriorityRange range = subject.runtime().priority_range();
            expect_equal({range.least, range.greatest}, {0, -3});
            for (const Row& row : rows_of(subject)) {
              const ScopedTrace place("priority " + std::to_string(row.priority));
              const auto stream = subject.runtime().pool_stream({.priority = row.priority});
              expect_equal(level_of(subject, stream.id()), row.of_four);
              expect_equal(stream.priority(), -row.of_four);
            }
          })
      .since(Release::k2_4)
      .fresh();

  on_cuda("fewer_where_the_driver_has_fewer", {"STR-016"},
          [](Session& subject) {
            subject.sim().machine({.least = 0, .greatest = -1});
            const PriorityRange range = subject.runtime().priority_range();
            expect_equal({range.least, range.greatest}, {0, -1});
            for (const Row& row : rows_of(subject)) {
              const ScopedTrace place("priority " + std::to_string(row.priority));
              const auto stream = subject.runtime().pool_stream({.priority = row.priority});
              expect_equal(level_of(subject, stream.id()), row.of_two);
              expect_equal(stream.priority(), -row.of_two);
            }
            expect_equal(subject.runtime().pool_stream({.high = true}).priority(), -1);
          })
      .since(Release::k2_4)
      .fresh();

  on_cuda("two_levels_in_1_13", {"STR-016", "STR-017"}, [](Session& subject) {
    const PriorityRange range = subject.runtime().priority_range();
    expect_equal({range.least, range.greatest}, {0, -1});
    expect_equal(subject.runtime().pool_stream({.high = true}).priority(), -1);
    expect_equal(subject.runtime().pool_stream({.high = false}).priority(), 0);
    expect_equal(subject.runtime().pool_stream().priority(), 0);
  }).until(Release::k1_13);

  on_cuda("an_int_was_a_bool_in_1_13", {"STR-017"}, [](Session& subject) {
    for (const std::int64_t priority : {1, -1, 7}) {
      expect_equal(subject.runtime().pool_stream({.priority = priority}).priority(), -1);
    }
    expect_equal(subject.runtime().pool_stream({.priority = 0}).priority(), 0);
  }).until(Release::k1_13);

  on_cuda("an_int_is_a_priority_and_a_bool_an_extreme", {"STR-016", "STR-017"},
          [](Session& subject) {
            const auto r = subject.runtime();
            const std::int64_t most = subject.runtime().priority_range().greatest;
            expect_equal(r.pool_stream({.priority = -1}).priority(), -1);
            expect_equal(r.pool_stream({.high = true}).priority(), most);
            expect_equal(r.pool_stream({.high = false}).priority(), 0);
            expect_equal(r.pool_stream().priority(), 0);
            expect_equal(level_of(subject, r.pool_stream({.high = true}).id()), -most);
          })
      .since(Release::k2_4);

  on_cuda("a_positive_priority_is_the_lowest", {"STR-016", "STR-017"}, [](Session& subject) {
    const auto stream = subject.runtime().pool_stream({.priority = 1});
    expect_equal(stream.priority(), 0);
    expect_equal(level_of(subject, stream.id()), 0);
  }).since(Release::k2_11);

  on_cuda("a_positive_priority_is_an_error_in_2_4", {"STR-016"},
          [](Session& subject) {
            for (const std::int64_t priority : {1, 10}) {
              expect_error(
                  [&] { subject.runtime().pool_stream({.priority = priority}); }, ErrorKind::kError,
                  {"priority", "less than or equal to 0, got " + std::to_string(priority)});
            }
          })
      .since(Release::k2_4)
      .until(Release::k2_4);

  for (const auto& [name, least, greatest] :
       {std::tuple{"a_range_of_one_priority_is_refused", 0, 0},
        {"a_least_priority_but_0_is_refused", 1, -5}}) {
    on_cuda(name, {"STR-016"},
            [least = least, greatest = greatest](Session& subject) {
              subject.sim().machine({.least = least, .greatest = greatest});
              expect_error([&] { subject.runtime().priority_range(); }, ErrorKind::kInternal);
            })
        .since(Release::k2_4)
        .fresh();
  }
}

}  // namespace assay::suites

// Stream pools and getters with driver failures (FLT-014, FLT-015).
#include "suites/runtime/faults/failing.hpp"

namespace assay::suites {
namespace {

/// The priority levels, with 32 streams each.
std::int64_t levels(Session& subject) {
  const auto range = subject.runtime().priority_range();
  return range.least - range.greatest + 1;
}

}  // namespace

CASES("runtime/failing_pools") {
  on_cuda("a_pool_that_cannot_be_made_is_made_from_the_beginning_next_time", {"FLT-014", "STR-015"},
          [](Session& subject) {
            subject.runtime().set_device(subject.device(1));
            const std::int64_t whole = 32 * levels(subject);
            subject.sim().faults({{.call = "stream_create", .code = 2, .occurrence = 5}});
            subject.sim().log();

            expect_device_error(
                subject, [&] { subject.runtime().pool_stream({.device = subject.device(0)}); }, 2);

            expect_at(subject.runtime().get_device(), subject.device(1));
            expect_equal(subject.runtime().peek_last_error(), 0);
            expect_equal(count_calls(subject, "stream_create"), 5);
            stop_failing(subject);
            const auto first = subject.runtime().pool_stream({.device = subject.device(0)});
            expect_equal(first.id(), is_old(subject) ? 1 : 3);
            expect_equal(count_calls(subject, "stream_create"), whole);
          });

  on_cuda("streams_of_a_pool_that_could_not_be_made_are_destroyed", {"FLT-014"},
          [](Session& subject) {
            subject.sim().faults({{.call = "stream_create", .code = 2, .occurrence = 5}});
            expect_device_error(
                subject, [&] { subject.runtime().pool_stream(); }, 2);

            expect_equal(subject.sim().live().streams, 0);
          })
      .only(Deviations::kStrict);

  on_cuda("streams_of_a_pool_that_could_not_be_made_are_leaked", {"FLT-014"}, [](Session& subject) {
    subject.sim().faults({{.call = "stream_create", .code = 2, .occurrence = 5}});
    expect_device_error(
        subject, [&] { subject.runtime().pool_stream(); }, 2);

    expect_equal(subject.sim().live().streams, 4);
  }).only(Deviations::kCompat);

  on_cuda("another_device_has_its_own_pool", {"FLT-014"}, [](Session& subject) {
    subject.sim().faults({{.call = "stream_create", .code = 2, .occurrence = 5}});
    expect_device_error(
        subject, [&] { subject.runtime().pool_stream(); }, 2);

    const auto there = subject.runtime().pool_stream({.device = subject.device(1)});

    expect_equal(there.id(), is_old(subject) ? 1 : 3);
  });

  on_cuda("every_getter_asks_for_the_range_of_priorities_first", {"FLT-015"},
          [](Session& subject) {
            struct Getter {
              const char* name;
              std::function<void(Session&)> get;
            };
            const std::vector<Getter> getters = {
                {"default", [](Session& s) { s.runtime().default_stream(); }},
                {"current", [](Session& s) { s.runtime().current_stream(); }},
                {"pool", [](Session& s) { s.runtime().pool_stream(); }},
            };
            for (const Getter& getter : getters) {
              const ScopedTrace place(getter.name);
              subject.sim().faults({{.call = "priority_range", .code = 1, .occurrence = 0}});

              expect_device_error(
                  subject, [&] { getter.get(subject); }, 1);
              expect_device_error(
                  subject, [&] { getter.get(subject); }, 1);
              expect_equal(subject.runtime().peek_last_error(), 0);
            }
            stop_failing(subject);
            for (const Getter& getter : getters) getter.get(subject);  // it is retried
          })
      .since(Release::k2_4)
      .fresh();

  on_cuda("devices_that_cannot_be_counted_are_none", {"FLT-015", "GRD-028", "STR-018"},
          [](Session& subject) {
            subject.sim().faults({{.call = "device_count", .code = 1, .occurrence = 0}});

            expect_equal(subject.runtime().device_count(), 0);

            stop_failing(subject);
            expect_equal(subject.runtime().device_count(), 0);
            for (const int index : {0, 1}) {
              const Device device = subject.device(index);
              expect_error([&] { subject.runtime().pool_stream({.device = device}); },
                           ErrorKind::kError, {"[0, 0)"});
              expect_error([&] { subject.runtime().default_stream(device); }, ErrorKind::kError,
                           {"[0, 0)"});
              expect_error([&] { subject.runtime().current_stream(device); }, ErrorKind::kError,
                           {"[0, 0)"});
            }
          })
      .since(Release::k2_4)
      .fresh();
}

}  // namespace assay::suites

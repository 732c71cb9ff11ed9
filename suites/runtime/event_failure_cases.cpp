// Events whose record fails.
#include "suites/runtime/events.hpp"

namespace assay::suites {

CASES("runtime/event_failure") {
  on_cuda("a_first_record_that_fails_leaves_it_empty", {"EVT-025"},
          [](Session& subject) {
            const auto r = subject.runtime();
            const auto stream = r.pool_stream({.device = subject.device(1)});
            for (const char* call : {"event_create", "event_record"}) {
              const ScopedTrace row(call);
              const auto live = subject.sim().live().events;
              const auto event = timed_generic(subject, "cuda");
              subject.sim().faults({{.call = call, .code = 400}});
              expect_error([&] { event.record(stream); }, ErrorKind::kDevice);
              expect_nothing_recorded(event, cuda_any());
              expect_equal(subject.sim().live().events, live);
              expect_at(r.get_device(), subject.device(0));
              expect_equal(r.peek_last_error(), 0);
              event.record(stream);
              expect_at(event.info().device, subject.device(1));
              event.synchronize();
              event.drop();
            }
          })
      .since(Release::k2_4)
      .only(Deviations::kStrict);

  on_cuda("a_generic_event_leaks_and_leaves_the_device", {"EVT-025"},
          [](Session& subject) {
            const auto r = subject.runtime();
            const auto stream = r.pool_stream({.device = subject.device(1)});
            const auto live = subject.sim().live().events;
            const auto event = timed_generic(subject, "cuda");
            subject.sim().faults({{.call = "event_record", .code = 400}});
            expect_error([&] { event.record(stream); }, ErrorKind::kError);
            expect_at(r.get_device(), subject.device(1));
            expect_nothing_recorded(event, cuda_any());
            expect_equal(subject.sim().live().events, live + 1);
            r.set_device(subject.device(0));
          })
      .only(Deviations::kCompat)
      .until(Release::k2_13);

  on_cuda("a_generic_event_leaks_and_the_device_is_back", {"EVT-025"},
          [](Session& subject) {
            const auto r = subject.runtime();
            const auto stream = r.pool_stream({.device = subject.device(1)});
            const auto live = subject.sim().live().events;
            const auto event = timed_generic(subject, "cuda");
            subject.sim().faults({{.call = "event_record", .code = 400}});

            expect_error([&] { event.record(stream); }, ErrorKind::kError);

            expect_at(r.get_device(), subject.device(0));
            expect_nothing_recorded(event, cuda_any());
            expect_equal(subject.sim().live().events, live + 1);
            event.record(stream);
            expect_at(event.info().device, subject.device(1));
            expect_equal(subject.sim().live().events, live + 2);
          })
      .only(Deviations::kCompat)
      .since(Release::k2_14);

  on_cuda("an_event_of_cuda_is_created_then_and_the_device_kept", {"EVT-025", "EVT-017"},
          [](Session& subject) {
            const auto r = subject.runtime();
            const auto stream = r.pool_stream({.device = subject.device(1)});
            const auto event = r.event();
            subject.sim().faults({{.call = "event_record", .code = 400}});
            expect_error([&] { event.record(stream); }, ErrorKind::kError);
            expect_at(r.get_device(), subject.device(0));
            expect_false(event.info().recorded, "it is not recorded");
            expect_true(event.query(), "there is nothing to wait for");
          });

  on_cuda("a_first_record_that_fails_leaves_no_event_of_cuda", {"EVT-025"},
          [](Session& subject) {
            const auto r = subject.runtime();
            const auto stream = r.pool_stream();
            const auto live = subject.sim().live().events;
            const auto event = r.event();
            subject.sim().faults({{.call = "event_record", .code = 400}});
            expect_error([&] { event.record(stream); }, ErrorKind::kDevice);
            expect_false(event.info().created, "it is not created");
            expect_nothing_recorded(event, std::nullopt);
            expect_equal(subject.sim().live().events, live);
          })
      .since(Release::k2_11)
      .only(Deviations::kStrict);

  on_cuda("a_later_record_that_fails_keeps_the_version", {"EVT-025"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto stream = pool_on(subject);
    const auto event = r.event();
    event.record(stream);
    event.synchronize();
    const auto before = event.info();
    const auto gate = r.gate(stream);
    subject.sim().faults({{.call = "event_record", .code = 400}});
    expect_error([&] { event.record(stream); }, ErrorKind::kError);
    expect_true(event.info().recorded, "it is recorded");
    expect_equal(event.info().id, before.id);
    expect_true(event.query(), "the old version is done");
    gate.open();
    stream.synchronize();
  });

  on_cuda("a_failed_wait_puts_the_device_back", {"EVT-013", "EVT-025"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto stream = r.pool_stream({.device = subject.device(1)});
    const auto event = r.event();
    event.record(r.pool_stream());
    subject.sim().faults({{.call = "stream_wait", .code = 400}});
    expect_error([&] { event.block(stream); }, ErrorKind::kError);
    expect_at(r.get_device(), subject.device(0));
    event.block(stream);
    stream.synchronize();
  });

  on_cuda("created_and_not_recorded", {"EVT-017", "EVT-001"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto stream = r.pool_stream();
    const auto event = r.event({.flag = 6});
    event.ipc_handle();
    expect_true(event.info().created, "it is created");
    expect_false(event.info().recorded, "it is not recorded");
    expect_true(event.query(), "there is nothing to wait for");
    event.block(stream);
    event.synchronize();
    r.kernel({.stream = stream});
    stream.synchronize();
    expect_true(stream.query(), "nothing was waited for");
  });

  on_cuda("the_time_of_an_event_that_is_only_created", {"EVT-017"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto stream = r.pool_stream();
    const auto event = r.event({.flag = 0});
    const auto other = r.event({.flag = 0});
    other.record(stream);
    other.synchronize();
    subject.sim().faults({{.call = "event_record", .code = 400}});
    expect_error([&] { event.record(stream); }, ErrorKind::kError);
    if (is_strict(subject)) {
      const ErrorKind kind =
          subject.contract().release >= Release::k2_11 ? ErrorKind::kValue : ErrorKind::kError;
      expect_error([&] { other.elapsed(event); }, kind, {"recorded"});
    } else {
      expect_error([&] { other.elapsed(event); }, ErrorKind::kError,
                   {"CUDA error", "invalid resource handle"});
    }
  });
}

}  // namespace assay::suites

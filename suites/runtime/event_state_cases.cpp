// The state of events: empty, created, recorded; flags, lazy creation, devices, records.
#include "harness/suite/reading.hpp"
#include "suites/runtime/support.hpp"

namespace assay::suites {
namespace {

EventObject generic(Session& subject, const std::string& type = "hip",
                    const std::optional<Value>& flag = {}) {
  return subject.runtime().event({.api = "generic", .device = type, .flag = flag});
}

/// The properties of an event that was never recorded.
void expect_empty(const EventObject& event, const std::optional<Device>& device,
                  Where where = Where::current()) {
  const EventInfo info = event.info();
  expect_false(info.recorded, "it is not recorded", where);
  expect_false(info.created, "it is not created", where);
  expect_at(info.device, device, where);
  expect_equal(info.id, 0, where);
}

/// The driver calls on events.
Texts event_calls(Session& subject) {
  return order_of(driver_calls(subject), {"event_create", "event_record", "event_query",
                                          "event_sync", "event_destroy", "stream_wait"});
}

}  // namespace

CASES("runtime/event_state") {
  conformance("a_new_generic_event_is_empty", {"EVT-001"}, [](Session& subject) {
    add_logging(subject, "hip");
    const auto event = generic(subject);
    expect_empty(event, hip());
    expect_equal(event.info().flag, "pytorch_default");
    expect_calls(subject, {});
  });

  on_cuda("a_new_event_is_empty", {"EVT-001"}, [](Session& subject) {
    subject.sim().log();
    const auto event = subject.runtime().event();
    expect_empty(event, std::nullopt);
    expect_empty(subject.runtime().event({.api = "python"}), std::nullopt);
    expect_true(subject.sim().log().empty(), "the driver was not asked");
  });

  conformance("an_empty_event_holds_nothing_up", {"EVT-001", "EVT-004", "EVT-015"},
              [](Session& subject) {
                add_logging(subject, "hip");
                const auto event = generic(subject);
                expect_true(event.query(), "there is nothing to wait for");
                event.block(subject.runtime().stream(hip(1), 3));
                expect_empty(event, hip());
                expect_calls(subject, {});
              });

  conformance("an_empty_event_can_be_waited_for", {"EVT-016", "EVT-004"}, [](Session& subject) {
    add_logging(subject, "hip");
    const auto event = generic(subject);
    event.synchronize();
    expect_empty(event, hip());
    expect_calls(subject, {});
  }).since(Release::k2_4);

  on_cuda("an_empty_event_asks_no_driver", {"EVT-004", "EVT-015", "EVT-016"}, [](Session& subject) {
    const auto stream = subject.runtime().pool_stream();
    const auto event = subject.runtime().event();
    subject.sim().log();
    expect_true(event.query(), "there is nothing to wait for");
    event.block(stream);
    event.synchronize();
    expect_list(event_calls(subject), {});
    expect_empty(event, std::nullopt);
  });

  conformance("a_type_without_a_backend_has_no_events", {"EVT-002", "GRD-025"},
              [](Session& subject) {
                expect_error([&] { generic(subject, "mps"); }, ErrorKind::kError,
                             {"not linked with support for", "mps devices"});
              });

  conformance("an_event_of_the_cpu_can_be_made_and_not_recorded", {"EVT-002", "GRD-024"},
              [](Session& subject) {
                for (const char* type : {"cpu", "meta"}) {
                  const ScopedTrace row(type);
                  const auto event = generic(subject, type);
                  expect_true(event.query(), "it was never recorded");
                  const auto stream = subject.runtime().stream({type, -1}, 0);
                  event.block(stream);
                  expect_error([&] { event.record(stream); }, ErrorKind::kError,
                               {type, "backend doesn't support events"});
                  expect_true(event.query(), "it was never recorded");
                }
              });

  on_cuda("the_flag_decides_about_timing", {"EVT-003"}, [](Session& subject) {
    const auto stream = subject.runtime().pool_stream();
    for (const auto& [flag, number] :
         {std::pair{"pytorch_default", "2"}, {"backend_default", "0"}}) {
      const ScopedTrace row(flag);
      const auto event = generic(subject, "cuda", flag);
      expect_equal(event.info().flag, flag);
      subject.sim().log();
      event.record(stream);
      const auto made = calls_of(driver_calls(subject), "event_create");
      expect_equal(static_cast<std::int64_t>(made.size()), 1);
      expect_equal(last_of(made.at(0).arguments), number);
      expect_equal(event.info().flag, flag);
    }
  });

  on_cuda("an_unknown_flag_is_found_at_the_first_record", {"EVT-003"}, [](Session& subject) {
    const auto stream = subject.runtime().pool_stream();
    const auto event = generic(subject, "cuda", "invalid");
    expect_equal(event.info().flag, "invalid");
    expect_true(event.query(), "it is an event like others");
    expect_error([&] { event.record(stream); }, ErrorKind::kError,
                 {"CUDA event received unknown flag"});
    expect_empty(event, cuda_any());
  });

  on_cuda("it_is_made_once_at_the_first_record", {"EVT-004"}, [](Session& subject) {
    const auto stream = subject.runtime().pool_stream();
    const auto event = subject.runtime().event();
    subject.sim().log();
    event.record(stream);
    expect_list(event_calls(subject), {"event_create", "event_record"});
    const auto first = event.info();
    expect_true(first.id != 0, "it has a handle");
    expect_true(first.created, "it is created");
    event.record(stream);
    event.record(stream);
    expect_list(event_calls(subject), {"event_record", "event_record"});
    expect_equal(event.info().id, first.id);
  });

  on_cuda("a_generic_event_is_made_once_too", {"EVT-004"}, [](Session& subject) {
    const auto stream = subject.runtime().pool_stream({.device = subject.device(1)});
    const auto event = generic(subject, "cuda");
    subject.sim().log();
    event.record(stream);
    expect_list(event_calls(subject), {"event_create", "event_record"});
    const auto first = event.info();
    event.record(stream);
    expect_list(event_calls(subject), {"event_record"});
    expect_equal(event.info().id, first.id);
  });

  on_cuda("it_is_made_on_the_stream_s_device", {"EVT-004"}, [](Session& subject) {
    const auto stream = subject.runtime().pool_stream({.device = subject.device(1)});
    const auto event = subject.runtime().event();
    event.record(stream);
    expect_at(event.info().device, subject.device(1));
    expect_at(subject.runtime().get_device(), subject.device(0));
    stream.synchronize();
    expect_true(event.query(), "it is done");
  });

  conformance("the_backend_is_given_the_index_that_was_adopted", {"EVT-004", "EVT-005", "EVT-009"},
              [](Session& subject) {
                add_logging(subject, "hip");
                const auto r = subject.runtime();
                const auto event = generic(subject);
                event.record(r.stream(hip(1), 5));
                event.record_once(r.stream(hip(2), 6));
                event.record(r.stream(hip(1), 7));
                event.block(r.stream(hip(3), 8));
                event.drop();
                expect_calls(subject, {"record(null,1:5,index -1)", "record(set,1:7,index 1)",
                                       "block(3:8)", "destroy(index 1)"});
              });

  conformance("a_record_adopts_the_device", {"EVT-005"}, [](Session& subject) {
    add_logging(subject, "hip");
    const auto event = generic(subject);
    event.record(subject.runtime().stream(hip(3), 5));
    expect_at(event.info().device, hip(3));
    expect_true(event.info().recorded, "it is recorded");
  });

  on_cuda("an_event_of_cuda_adopts_the_device_of_the_stream", {"EVT-005", "EVT-007"},
          [](Session& subject) {
            const auto r = subject.runtime();
            const auto stream = r.pool_stream({.device = subject.device(1)});
            for (const char* api : {"cuda", "generic"}) {
              const ScopedTrace row(api);
              const bool typed = std::string_view(api) == "generic";
              const auto event =
                  r.event({.api = api,
                           .device = typed ? std::optional<std::string>("cuda") : std::nullopt});
              event.record(stream);
              expect_at(event.info().device, subject.device(1));
              expect_at(r.get_device(), subject.device(0));
              event.synchronize();
              expect_true(event.query(), "its stream is done");
              expect_at(r.get_device(), subject.device(0));
            }
          })
      .since(Release::k2_4)
      .fresh();

  on_cuda("a_record_elsewhere_makes_a_context_on_the_device_before_until_2_13", {"EVT-005"},
          [](Session& subject) {
            const auto r = subject.runtime();
            const auto stream = r.pool_stream({.device = subject.device(1)});
            r.event().record(stream);
            expect_equal(subject.sim().contexts(), {1});

            r.event({.api = "generic", .device = "cuda"}).record(stream);

            const bool is_made =
                subject.contract().release <= Release::k2_13 && !subject.contract().strict();
            expect_equal(static_cast<std::int64_t>(subject.sim().contexts().size()),
                         is_made ? 2 : 1);
          })
      .since(Release::k2_4)
      .fresh();

  on_cuda("it_cannot_be_recorded_on_another_device", {"EVT-005"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto event = generic(subject, "cuda");
    event.record(r.pool_stream({.device = subject.device(1)}));
    const auto before = event.info();
    const auto other = r.pool_stream({.device = subject.device(2)});
    subject.sim().log();
    expect_error([&] { event.record(other); }, ErrorKind::kError,
                 {"Event device index", "does not match recording stream's device index"});
    expect_list(event_calls(subject), {});
    expect_at(event.info().device, subject.device(1));
    expect_equal(event.info().id, before.id);
    expect_at(r.get_device(), subject.device(0));
    event.record(r.pool_stream({.device = subject.device(1)}));
  });

  on_cuda("the_refusal_prints_both_indices", {"EVT-005"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto event = generic(subject, "cuda");
    event.record(r.pool_stream({.device = subject.device(1)}));
    const auto other = r.pool_stream({.device = subject.device(2)});
    expect_error([&] { event.record(other); }, ErrorKind::kError,
                 {"Event device index 1 does not match recording stream's device index 2"});
  }).only(Deviations::kStrict);

  on_cuda("pytorch_prints_indices_as_characters", {"EVT-005"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto event = generic(subject, "cuda");
    event.record(r.pool_stream({.device = subject.device(1)}));
    const auto other = r.pool_stream({.device = subject.device(2)});
    // The guard of a device with a name of its own may print numbers.
    const bool is_cuda = subject.device(1).type == "cuda";
    expect_error(
        [&] { event.record(other); }, ErrorKind::kError,
        {is_cuda ? "Event device index \x01 does not match recording stream's device index \x02"
                 : "does not match recording stream's device"});
  }).only(Deviations::kCompat);

  on_cuda("an_event_of_cuda_stays_on_its_device", {"EVT-005"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto here = r.pool_stream({.device = subject.device(0)});
    const auto there = r.pool_stream({.device = subject.device(1)});
    const auto event = r.event();
    event.record(here);
    const auto before = event.info();
    // PyTorch prints index 0 as a NUL character, which truncates the message.
    const bool is_cut = !subject.contract().strict();
    expect_error([&] { event.record(there); }, ErrorKind::kError,
                 {"Event device", is_cut ? "" : "does not match recording stream's device"});
    expect_at(event.info().device, subject.device(0));
    expect_equal(event.info().id, before.id);
    expect_at(r.get_device(), subject.device(0));
    event.record(here);
  });

  conformance("it_cannot_be_recorded_by_another_type", {"EVT-006"}, [](Session& subject) {
    add_logging(subject, "hip");
    add_logging(subject, "xpu");
    const auto r = subject.runtime();
    const auto event = generic(subject);
    expect_error([&] { event.record(r.stream(xpu(1), 5)); }, ErrorKind::kError,
                 {"Event device type HIP does not match recording stream's device type XPU."});
    expect_empty(event, hip());
    expect_calls(subject, {});
  });

  on_cuda("an_event_of_cuda_cannot_be_recorded_by_hip", {"EVT-006"}, [](Session& subject) {
    const auto event = generic(subject, "cuda");
    subject.sim().log();
    expect_error([&] { event.record(subject.runtime().stream(hip(0), 0)); }, ErrorKind::kError,
                 {"Event device type CUDA does not match recording stream's device type HIP."});
    expect_list(event_calls(subject), {});
    expect_empty(event, cuda_any());
  });

  conformance("blocking_another_type_is_refused_once_recorded", {"EVT-011", "EVT-012"},
              [](Session& subject) {
                add_logging(subject, "hip");
                add_logging(subject, "xpu");
                const auto r = subject.runtime();
                const auto event = generic(subject);
                event.block(r.stream(xpu(1), 5));
                expect_calls(subject, {});
                event.record(r.stream(hip(1), 5));
                subject.sim().log("backend");
                expect_error(
                    [&] { event.block(r.stream(xpu(1), 5)); }, ErrorKind::kError,
                    {"Event device type HIP does not match blocking stream's device type XPU."});
                expect_calls(subject, {});
              });

  on_cuda("an_event_of_cuda_never_blocks_hip", {"EVT-011", "EVT-012"}, [](Session& subject) {
    const auto event = generic(subject, "cuda");
    const auto wrong = subject.runtime().stream(hip(0), 0);
    event.block(wrong);
    event.record(subject.runtime().pool_stream());
    expect_error([&] { event.block(wrong); }, ErrorKind::kError,
                 {"Event device type CUDA does not match blocking stream's device type HIP."});
  });

  conformance("record_once_never_looks_at_its_stream_again", {"EVT-009"}, [](Session& subject) {
    add_logging(subject, "hip");
    add_logging(subject, "xpu");
    const auto r = subject.runtime();
    const auto event = generic(subject);
    event.record_once(r.stream(hip(1), 5));
    expect_calls(subject, {"record(null,1:5,index -1)"});
    event.record_once(r.stream(hip(1), 6));
    event.record_once(r.stream(hip(2), 6));
    event.record_once(r.stream(xpu(2), 6));
    expect_calls(subject, {});
    expect_at(event.info().device, hip(1));
  });
}

}  // namespace assay::suites

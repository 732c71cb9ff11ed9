// Python's events, events of other processes, and traces.
#include "harness/suite/itself.hpp"
#include "harness/suite/reading.hpp"
#include "suites/runtime/faults/failing.hpp"

namespace assay::suites {
namespace {

struct Flags {
  bool timing;
  bool blocking;
  bool interprocess;
  bool external;
  int flag;
};

/// V-55 and V-56.
const std::vector<Flags> kFlags{{false, false, false, false, 0x2}, {true, false, false, false, 0x0},
                                {false, true, false, false, 0x3},  {false, false, true, false, 0x6},
                                {false, false, false, true, 0xa},  {true, true, false, false, 0x1},
                                {false, true, true, false, 0x7},   {true, false, true, false, 0x4},
                                {true, true, true, true, 0xd}};

EventObject made(Session& subject, const Flags& row) {
  EventOptions options{.api = "python",
                       .timing = row.timing,
                       .blocking = row.blocking,
                       .interprocess = row.interprocess};
  if (row.external) options.external = true;
  return subject.runtime().event(options);
}

bool applies(const Session& subject, const Flags& row) {
  return !row.external || subject.contract().release >= Release::k2_11;
}

/// CUDA refuses this in one process; a simulated runtime represents two processes.
std::optional<EventObject> opened_by_its_exporter(Session& subject, const std::string& handle,
                                                  int device = 0) {
  const auto open = [&] {
    return subject.runtime().event_from_ipc(subject.device(device), handle);
  };
  try {
    return open();
  } catch (const SubjectError&) {
    expect_device_error(subject, open, 201);
    return std::nullopt;
  }
}

}  // namespace

CASES("runtime/python_event") {
  on_cuda("four_switches_make_the_flags", {"EVT-027"}, [](Session& subject) {
    for (const Flags& row : kFlags) {
      const ScopedTrace place("flags " + std::to_string(row.flag));
      if (applies(subject, row)) expect_equal(made(subject, row).info().flag, row.flag);
    }
    expect_equal(subject.runtime().event({.api = "python"}).info().flag, 2);
  });

  on_cuda("the_driver_gets_the_flags_without_our_own", {"EVT-027", "EVT-003"},
          [](Session& subject) {
            const auto stream = subject.runtime().pool_stream();
            for (const Flags& row : kFlags) {
              const ScopedTrace place("flags " + std::to_string(row.flag));
              const bool is_refused = row.timing && row.interprocess;
              if (!applies(subject, row) || is_refused) continue;
              const auto event = made(subject, row);
              subject.sim().log();
              event.record(stream);
              const auto calls = calls_of(driver_calls(subject), "event_create");
              expect_equal(last_of(calls.at(0).arguments), std::to_string(row.flag & 7));
            }
          });

  on_cuda("timing_between_processes_fails_at_the_first_record", {"EVT-027"}, [](Session& subject) {
    expect_cuda_itself(subject);
    const auto event =
        subject.runtime().event({.api = "python", .timing = true, .interprocess = true});
    const auto stream = subject.runtime().pool_stream();
    expect_error([&] { event.record(stream); }, ErrorKind::kError, {"CUDA error"});
    expect_false(event.info().recorded, "it is not recorded");
  });

  on_cuda("how_the_host_waits_changes_nothing_else", {"EVT-027", "EVT-016"}, [](Session& subject) {
    const auto stream = pool_on(subject);
    const auto event = subject.runtime().event({.api = "python", .blocking = true});
    const auto gate = subject.runtime().gate(stream);
    event.record(stream);
    expect_false(event.query(), "the gate is closed");
    gate.open();
    event.synchronize();
    expect_true(event.query(), "it is done");
  });

  on_cuda("a_generic_event_has_timing_by_default_in_2_4", {"EVT-027"},
          [](Session& subject) {
            const auto event = subject.runtime().event({.api = "python", .device = "cuda"});
            expect_equal(event.info().flag, "backend_default");
          })
      .since(Release::k2_4)
      .until(Release::k2_4);

  on_cuda("a_generic_event_has_no_timing_by_default", {"EVT-027"}, [](Session& subject) {
    const auto r = subject.runtime();
    expect_equal(r.event({.api = "python", .device = "cuda"}).info().flag, "pytorch_default");
    expect_equal(r.event({.api = "python", .device = "cuda", .timing = true}).info().flag,
                 "backend_default");
    expect_equal(
        r.event({.api = "python", .device = "cuda", .blocking = true, .interprocess = true})
            .info()
            .flag,
        "pytorch_default");
  }).since(Release::k2_11);

  on_cuda("the_device_is_known_once_it_is_made", {"EVT-028"}, [](Session& subject) {
    expect_cuda_itself(subject);
    const auto r = subject.runtime();
    const auto event = r.event({.api = "python"});
    expect_at(event.info().device, std::nullopt);
    expect_equal(event.info().id, 0);
    event.record(r.pool_stream({.device = subject.device(1)}));
    const auto id = event.info().id;
    expect_true(id != 0, "it has a handle");
    expect_at(event.info().device, subject.device(1));
    event.record(r.pool_stream({.device = subject.device(1)}));
    expect_equal(event.info().id, id);
  });

  on_cuda("a_stream_records_a_fresh_event", {"EVT-028"}, [](Session& subject) {
    const auto stream = pool_on(subject);
    const auto gate = subject.runtime().gate(stream);
    const auto event = subject.runtime().record_event(stream);
    expect_false(event.query(), "the gate is closed");
    expect_equal(event.info().flag, 2);
    gate.open();
    event.synchronize();
    const auto other = subject.runtime().record_event(stream);
    expect_true(other.info().id != event.info().id, "each call makes a new event");
  });

  on_cuda("a_stream_records_an_event_that_is_given", {"EVT-028"}, [](Session& subject) {
    const auto stream = pool_on(subject);
    const auto event = subject.runtime().event({.api = "python"});
    const auto gate = subject.runtime().gate(stream);
    const auto same = subject.runtime().record_event(stream, event);
    expect_equal(same.info().id, event.info().id);
    expect_false(event.query(), "the gate is closed");
    gate.open();
    event.synchronize();
  });

  on_cuda("a_stream_waits_for_an_event", {"EVT-028"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto first = pool_on(subject);
    const auto second = pool_on(subject);
    const auto gate = r.gate(first);
    const auto event = r.record_event(first);
    r.wait_event(second, event);
    r.kernel({.stream = second});
    expect_false(second.query(), "it waits");
    gate.open();
    second.synchronize();
  });

  on_cuda("waiting_without_a_stream_is_for_the_current_one", {"EVT-028", "EVT-008"},
          [](Session& subject) {
            const auto r = subject.runtime();
            const auto first = pool_on(subject);
            const auto current = pool_on(subject);
            r.set_current_stream(current);
            const auto gate = r.gate(first);
            const auto event = r.record_event(first);
            event.block();
            r.kernel();
            expect_false(current.query(), "the current stream waits");
            expect_true(r.default_stream().query(), "the default stream does not wait");
            gate.open();
            current.synchronize();
          });

  on_cuda("waiting_for_a_stream_is_one_way", {"EVT-028"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto a = pool_on(subject);
    const auto b = pool_on(subject);
    const auto gate = r.gate(a);
    r.wait_stream(a, b);
    r.kernel({.stream = b});
    b.synchronize();
    expect_equal(gate.state(), "closed");
    gate.open();
    a.synchronize();

    const auto second = r.gate(b);
    r.wait_stream(a, b);
    r.kernel({.stream = a});
    expect_false(a.query(), "a waits for b");
    second.open();
    a.synchronize();
  });

  on_cuda("waiting_for_a_stream_is_for_its_present_work", {"EVT-028"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto a = pool_on(subject);
    const auto b = pool_on(subject);
    r.wait_stream(a, b);
    const auto gate = r.gate(b);
    r.kernel({.stream = a});
    a.synchronize();
    expect_equal(gate.state(), "closed");
    gate.open();
    b.synchronize();
  });

  on_cuda("a_stream_that_waits_for_itself_goes_on", {"EVT-028"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto stream = pool_on(subject);
    const auto gate = r.gate(stream);
    r.wait_stream(stream, stream);
    r.kernel({.stream = stream});
    expect_false(stream.query(), "its own work is pending");
    gate.open();
    stream.synchronize();
    expect_true(stream.query(), "it is done");
  });
}

CASES("runtime/event_ipc") {
  on_cuda("a_handle_is_64_bytes_and_makes_the_event", {"EVT-029"}, [](Session& subject) {
    const auto r = subject.runtime();
    r.set_device(subject.device(1));
    const auto event = r.event({.api = "python", .interprocess = true});
    const std::string handle = event.ipc_handle();
    expect_equal(static_cast<std::int64_t>(handle.size()), 128);
    expect_true(event.info().created, "it is created");
    expect_false(event.info().recorded, "it is not recorded");
    expect_at(event.info().device, subject.device(1));
    r.set_device(subject.device(0));
  });

  on_cuda("flags_4_and_2_are_needed", {"EVT-029"}, [](Session& subject) {
    for (const std::int64_t flag : {0, 2, 3}) {
      const ScopedTrace row("flag " + std::to_string(flag));
      const auto event = subject.runtime().event({.flag = flag});
      expect_device_error(subject, [&] { event.ipc_handle(); }, 400, {"CUDA error"});
    }
  });

  on_cuda("other_flags_beside_them_do_no_harm", {"EVT-029", "EVT-027"}, [](Session& subject) {
    for (const std::int64_t flag : {7, 14, 15}) {
      const ScopedTrace row("flag " + std::to_string(flag));
      const auto event = subject.runtime().event({.flag = flag});
      expect_equal(static_cast<std::int64_t>(event.ipc_handle().size()), 128);
    }
  });

  on_cuda("flags_that_the_driver_does_not_know_are_its_error", {"EVT-029", "EVT-027"},
          [](Session& subject) {
            for (const std::int64_t flag : {0x10, 0x16, 0x106, 0x10002}) {
              const ScopedTrace row("flag " + std::to_string(flag));
              const auto event = subject.runtime().event({.flag = flag});
              expect_device_error(subject, [&] { event.ipc_handle(); }, 1, {"CUDA error"});
              expect_device_error(subject, [&] { event.record(); }, 1, {"CUDA error"});
              expect_false(event.info().created, "it is not created");
            }
          });

  on_cuda("what_comes_in_is_created", {"EVT-029", "EVT-017"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto stream = pool_on(subject);
    const auto exported = r.event({.api = "python", .interprocess = true});
    const std::string handle = exported.ipc_handle();
    const auto opened = opened_by_its_exporter(subject, handle);
    if (!opened) return;
    const EventObject& imported = *opened;
    expect_true(imported.info().created, "it is created");
    expect_false(imported.info().recorded, "it is not recorded");
    expect_at(imported.info().device, subject.device());
    expect_equal(imported.info().flag, 2);
    expect_true(imported.query(), "nothing is recorded yet");
    const auto gate = r.gate(stream);
    exported.record(stream);
    expect_false(imported.query(), "it sees the record of the exported event");
    gate.open();
    exported.synchronize();
    expect_true(imported.query(), "it is done when the exported event is");
  });

  on_cuda("a_handle_of_another_length_is_refused", {"EVT-029"}, [](Session& subject) {
    for (const std::size_t bytes : {std::size_t{3}, std::size_t{0}, std::size_t{65}}) {
      const ScopedTrace row(std::to_string(bytes) + " bytes");
      const std::string handle(2 * bytes, '0');
      expect_error([&] { subject.runtime().event_from_ipc(subject.device(), handle); },
                   ErrorKind::kError,
                   {"expects byte-like object of size 64, but got " + std::to_string(bytes)});
    }
  });

  on_cuda("a_handle_is_opened_on_the_device_that_is_named", {"EVT-029"}, [](Session& subject) {
    const auto exported = subject.runtime().event({.api = "python", .interprocess = true});
    const auto imported = opened_by_its_exporter(subject, exported.ipc_handle(), 1);
    if (!imported) return;

    expect_at(imported->info().device, subject.device(1));
    expect_at(subject.runtime().get_device(), subject.device(0));
  });

  on_cuda("only_devices_of_cuda_have_them", {"EVT-029"}, [](Session& subject) {
    const std::string handle(128, '0');
    expect_error(
        [&] {
          subject.runtime().event_from_ipc({"cpu", -1}, handle);
        },
        ErrorKind::kError, {"Event can only be created on CUDA devices"});
  });

  on_cuda("generic_events_have_no_handles", {"EVT-029"}, [](Session& subject) {
    const auto event = subject.runtime().event({.api = "python", .device = "cuda"});
    expect_error([&] { event.ipc_handle(); }, ErrorKind::kNotImplemented);
  }).since(Release::k2_4);
}

CASES("runtime/event_trace") {
  on_cuda("a_trace_is_told_after_the_driver", {"EVT-033"}, [](Session& subject) {
    const auto stream = subject.runtime().pool_stream();
    const auto event = subject.runtime().event();
    subject.sim().log("trace");
    const auto told = [&] {
      Texts names;
      for (const std::string& text : subject.sim().log("trace")) {
        names.push_back(text.substr(0, text.find('(')));
      }
      return names;
    };
    event.record(stream);
    expect_equal(static_cast<std::int64_t>(told().size()), 2);
    subject.sim().faults({{.call = "event_record", .code = 400}});
    expect_error([&] { event.record(stream); }, ErrorKind::kError);
    expect_list(told(), {});
    subject.sim().faults({{.call = "stream_wait", .code = 400}});
    expect_error([&] { event.block(stream); }, ErrorKind::kError);
    expect_list(told(), {});
    subject.sim().faults({{.call = "event_sync", .code = 400}});
    expect_error([&] { event.synchronize(); }, ErrorKind::kError);
    expect_equal(static_cast<std::int64_t>(told().size()), 1);
    event.block(stream);
    expect_equal(static_cast<std::int64_t>(told().size()), 1);
    subject.sim().faults({{.call = "event_destroy", .code = 400}});
    event.drop();
    expect_equal(static_cast<std::int64_t>(told().size()), 1);
  }).only(Deviations::kStrict);

  on_cuda("a_failed_creation_is_not_told", {"EVT-033"}, [](Session& subject) {
    const auto stream = subject.runtime().pool_stream();
    const auto event = subject.runtime().event();
    subject.sim().log("trace");
    subject.sim().faults({{.call = "event_create", .code = 400}});
    expect_error([&] { event.record(stream); }, ErrorKind::kError);
    expect_list(subject.sim().log("trace"), {});
  });
}

}  // namespace assay::suites

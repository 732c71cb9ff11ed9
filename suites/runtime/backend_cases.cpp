// Backends: registration, minimal backends, the fake backend, CPU and meta.
#include "harness/suite/itself.hpp"
#include "suites/runtime/support.hpp"

namespace assay::suites {
namespace {

EventObject generic(Session& subject, const std::string& type) {
  return subject.runtime().event({.api = "generic", .device = type});
}

}  // namespace

CASES("runtime/registry") {
  conformance("cpu_and_meta_are_always_there", {"GRD-025"}, [](Session& subject) {
    const auto r = subject.runtime();
    expect_true(r.has_backend("cpu"), "the CPU has a backend");
    expect_true(r.has_backend("meta"), "meta has a backend");
    expect_equal(r.has_backend("cuda"), subject.contract().cuda());
    for (const char* type : {"mps", "hip", "xpu", "privateuseone"}) {
      expect_false(r.has_backend(type), std::string("there is no backend of ") + type);
    }
  });

  conformance("a_backend_is_found_by_its_type", {"GRD-025"}, [](Session& subject) {
    const auto r = subject.runtime();
    add_logging(subject, "hip");
    expect_true(r.has_backend("hip"), "it is registered");
    expect_false(r.has_backend("xpu"), "no other backend is registered");
    const auto replies = subject.on("other", subject.block([](Session& s) {
      s.runtime().has_backend("hip");
      s.runtime().get_device("hip");
    }));
    expect_true(field_as<bool>(replies.at(0), "result"), "every thread sees it");
  });

  conformance("registering_again_replaces_it", {"GRD-025"}, [](Session& subject) {
    add_logging(subject, "hip");
    subject.runtime().exchange_device(hip(1));
    expect_calls(subject, {"exch(1)"});
    subject.runtime().backend("hip", "fake");
    subject.sim().log("backend");
    subject.runtime().exchange_device(hip(1));
    expect_calls(subject, {});
  });

  conformance("a_type_that_nobody_registered_is_named", {"GRD-025"}, [](Session& subject) {
    const auto r = subject.runtime();
    const Texts tokens{"not linked with support for", "mps devices"};
    expect_error([&] { r.get_device("mps"); }, ErrorKind::kError, tokens);
    expect_error([&] { r.exchange_device({"mps", 0}); }, ErrorKind::kError, tokens);
    expect_error([&] { r.current_stream(Device{"mps", 0}); }, ErrorKind::kError, tokens);
    expect_error([&] { r.stream_guard(r.stream({"mps", 0}, 1)); }, ErrorKind::kError, tokens);
    expect_error(
        [&] {
          r.multi_stream_guard({r.stream({"mps", 0}, 1)});
        },
        ErrorKind::kError, tokens);
    expect_error([&] { r.optional_device_guard(Device{"mps", 0}); }, ErrorKind::kError, tokens);
  });
}

CASES("runtime/bare_backend") {
  conformance("the_host_has_no_streams_but_its_own", {"GRD-026"}, [](Session& subject) {
    const auto r = subject.runtime();
    const Device host{"cpu", -1};
    expect_error([&] { r.default_stream(host); }, ErrorKind::kError,
                 {"Backend doesn't support acquiring a default stream."});
    expect_error([&] { r.pool_stream({.device = host}); }, ErrorKind::kError,
                 {"Backend doesn't support acquiring a stream from pool."});
    expect_value(r.current_stream(host).value(), host, 0);
  });

  conformance("it_says_what_it_does_not_do", {"GRD-026", "STR-032"}, [](Session& subject) {
    const auto r = subject.runtime();
    r.backend("hip", "bare");
    const auto stream = r.stream(hip(0), 3);
    expect_error([&] { r.default_stream(hip(0)); }, ErrorKind::kError,
                 {"Backend doesn't support acquiring a default stream."});
    expect_error([&] { r.pool_stream({.device = hip(0)}); }, ErrorKind::kError,
                 {"Backend doesn't support acquiring a stream from pool."});
    expect_error([&] { stream.query(); }, ErrorKind::kError,
                 {"Backend doesn't support querying streams."});
    expect_error([&] { stream.synchronize(); }, ErrorKind::kError,
                 {"Backend doesn't support synchronizing streams."});
  });

  conformance("it_makes_no_new_stream", {"GRD-026", "STR-032"}, [](Session& subject) {
    const auto r = subject.runtime();
    r.backend("hip", "bare");
    expect_error([&] { r.new_stream(hip(0)); }, ErrorKind::kError,
                 {"Backend doesn't support create a new Stream"});
  }).since(Release::k2_4);

  conformance("it_has_no_events", {"GRD-026"}, [](Session& subject) {
    const auto r = subject.runtime();
    r.backend("hip", "bare");
    const auto event = generic(subject, "hip");
    expect_true(event.query(), "an empty event is complete");
    event.block(r.stream(hip(0), 3));
    expect_error([&] { event.record(r.stream(hip(0), 3)); }, ErrorKind::kError,
                 {"Backend doesn't support events."});
    expect_true(event.query(), "it is still empty");
    event.drop();
  });

  conformance("it_has_devices_and_a_current_stream", {"GRD-026", "GRD-001"}, [](Session& subject) {
    const auto r = subject.runtime();
    r.backend("hip", "bare", 3);
    expect_equal(r.device_count("hip"), 3);
    const auto guard = r.device_guard(hip(2), {.is_virtual = true});
    expect_at(r.get_device("hip"), hip(2));
    guard.leave();
    expect_at(r.get_device("hip"), hip(0));
  });
}

CASES("runtime/fake_backend") {
  conformance("it_has_eight_devices", {"GRD-027"}, [](Session& subject) {
    const auto r = subject.runtime();
    r.backend("hip", "fake");
    expect_equal(r.device_count("hip"), 8);
    expect_at(r.get_device("hip"), hip(0));
    expect_at(r.exchange_device(hip(7)), hip(0));
    expect_at(r.get_device("hip"), hip(7));
  });

  conformance("wrong_devices_are_refused", {"GRD-027"}, [](Session& subject) {
    const auto r = subject.runtime();
    r.backend("hip", "fake");
    r.set_device(hip(2));
    expect_error([&] { r.exchange_device(hip(8)); }, ErrorKind::kInternal);
    expect_error([&] { r.set_device(hip(8)); }, ErrorKind::kInternal);
    expect_error([&] { r.set_device(hip()); }, ErrorKind::kInternal);
    expect_at(r.get_device("hip"), hip(2));
    r.set_device(hip(9), true);
    expect_at(r.get_device("hip"), hip(9));
    r.set_device(hip(0));
  });

  conformance("devices_and_streams_are_of_the_thread", {"GRD-027"}, [](Session& subject) {
    const auto r = subject.runtime();
    r.backend("hip", "fake");
    r.set_device(hip(2));
    r.exchange_stream(r.stream(hip(2), 5));
    const auto replies = subject.on("new", subject.block([](Session& s) {
      s.runtime().get_device("hip");
      s.runtime().current_stream(hip(2));
    }));
    expect_at(field_as<Device>(replies.at(0), "result"), hip(0));
    expect_value(stream_from(replies.at(1)), hip(2), 0);
    expect_equal(r.current_stream(hip(2)).id(), 5);
  });

  conformance("its_streams_are_taken_as_they_are", {"GRD-027"}, [](Session& subject) {
    const auto r = subject.runtime();
    r.backend("hip", "fake");
    for (const std::int64_t id : {std::int64_t{3}, std::int64_t{-7}, std::int64_t{1} << 50}) {
      const auto before = r.current_stream(hip(4)).id();
      expect_equal(r.exchange_stream(r.stream(hip(4), id)).id(), before);
      expect_equal(r.current_stream(hip(4)).id(), id);
    }
  });

  conformance("its_events_are_always_done", {"GRD-027"}, [](Session& subject) {
    const auto r = subject.runtime();
    r.backend("hip", "fake");
    const auto event = generic(subject, "hip");
    event.record(r.stream(hip(1), 3));
    expect_true(event.info().recorded, "it is recorded");
    expect_at(event.info().device, hip(1));
    expect_true(event.query(), "it is done");
    event.block(r.stream(hip(2), 4));
    event.drop();
  });

  conformance("guards_work_on_it", {"GRD-027", "GRD-001", "GRD-012"}, [](Session& subject) {
    const auto r = subject.runtime();
    r.backend("hip", "fake");
    const auto guard = r.stream_guard(r.stream(hip(3), 6));
    expect_at(r.get_device("hip"), hip(3));
    expect_equal(r.current_stream(hip(3)).id(), 6);
    guard.leave();
    expect_at(r.get_device("hip"), hip(0));
    expect_equal(r.current_stream(hip(3)).id(), 0);
    expect_error([&] { r.device_guard(hip(8)); }, ErrorKind::kInternal);
    expect_at(r.get_device("hip"), hip(0));
  });
}

CASES("runtime/cpu_backend") {
  for (const char* type : {"cpu", "meta"}) {
    conformance(std::string("guards_of_") + type + "_change_nothing", {"GRD-024"},
                [type](Session& subject) {
                  const auto r = subject.runtime();
                  for (const int index : {-1, 0}) {
                    const Device device{type, index};
                    const auto guard = r.device_guard(device, {.is_virtual = true});
                    expect_at(guard.info().original_device, Device{type, -1});
                    expect_at(guard.info().current_device, device);
                    expect_at(r.get_device(type), Device{type, -1});
                    guard.leave();
                  }
                });

    conformance(std::string("the_stream_of_") + type + "_is_the_default_one", {"GRD-024"},
                [type](Session& subject) {
                  const auto r = subject.runtime();
                  const Device device{type, -1};
                  expect_value(r.current_stream(device).value(), device, 0);
                  expect_value(r.current_stream(Device{type, 0}).value(), device, 0);
                  r.exchange_stream(r.stream(device, 0));
                  expect_value(r.current_stream(device).value(), device, 0);
                  expect_equal(r.device_count(type), 1);
                });
  }

  conformance("the_cpu_is_always_done", {"GRD-024"}, [](Session& subject) {
    const auto stream = subject.runtime().current_stream(Device{"cpu", -1});
    expect_true(stream.query(), "it is done");
    stream.synchronize();
    const auto guard = subject.runtime().stream_guard(stream);
    guard.leave();
  });
}

CASES("runtime/device_count") {
  on_cuda("the_machine_has_devices", {"GRD-028"}, [](Session& subject) {
    const auto count = subject.runtime().device_count();
    expect_true(count >= 1, "there is at least one device");
    expect_equal(subject.runtime().device_count({}, true), count);
  });

  conformance("a_machine_without_cuda_has_none", {"GRD-028"}, [](Session& subject) {
    expect_cpu_itself(subject);
    expect_equal(subject.runtime().device_count(), 0);
    expect_true(subject.warnings().empty(), "there is nothing to warn of");
    expect_error([&] { subject.runtime().device_count({}, true); }, ErrorKind::kError);
  }).only(DeviceRules::kCpu);

  on_cuda("without_a_driver_there_are_none", {"GRD-028"}, [](Session& subject) {
    subject.sim().machine({.driver = false});
    expect_equal(subject.runtime().device_count(), 0);
    expect_true(subject.warnings().empty(), "there is nothing to warn of");
    expect_error([&] { subject.runtime().device_count({}, true); }, ErrorKind::kError,
                 {"Found no NVIDIA driver on your system"});
  }).fresh();

  on_cuda("without_devices_there_are_none", {"GRD-028"}, [](Session& subject) {
    subject.sim().machine({.devices = 0});
    expect_equal(subject.runtime().device_count(), 0);
    expect_true(subject.warnings().empty(), "there is nothing to warn of");
    expect_error([&] { subject.runtime().device_count({}, true); }, ErrorKind::kError,
                 {"No CUDA GPUs are available"});
  }).fresh();

  on_cuda("an_error_counts_as_none_and_warns_once", {"GRD-028"}, [](Session& subject) {
    subject.sim().faults({{.call = "device_count", .code = 400}});
    expect_equal(subject.runtime().device_count(), 0);
    expect_equal(static_cast<std::int64_t>(subject.warnings().size()), 1);
    expect_equal(subject.runtime().device_count(), 0);
    expect_true(subject.warnings().empty(), "it has warned already");
  }).fresh();

  on_cuda("the_count_is_asked_once", {"GRD-028"}, [](Session& subject) {
    const auto count = subject.runtime().device_count();
    subject.sim().faults({{.call = "device_count", .code = 400, .occurrence = 0}});
    expect_equal(subject.runtime().device_count(), count);
  });
}

}  // namespace assay::suites

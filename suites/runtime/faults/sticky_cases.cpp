// Codes from which a device does not recover (FLT-002), and kernels that fail during execution
// (FLT-010).
#include "suites/runtime/faults/failing.hpp"

namespace assay::suites {
namespace {

const std::vector<std::int64_t> kSticky = {226, 700, 702, 710, 714, 715, 716, 717,
                                           718, 719, 721, 810, 911, 214, 220};
const std::vector<std::int64_t> kPerCall = {1,   2,   9,   98,  101, 209, 400, 600, 701, 704,
                                            900, 901, 902, 903, 904, 905, 906, 907, 908};

/// All calls that use the device, on objects made before it was lost.
struct Use {
  const char* name;
  std::function<void(Session&)> call;
};

struct Prepared {
  StreamObject stream;
  EventObject event;
};

Prepared prepared(Session& subject) {
  const auto stream = pool_on(subject);
  const auto event = subject.runtime().event();
  event.record(stream);
  return {stream, event};
}

/// A kernel that fails during execution; the failure is not observed yet.
void run_a_failing_kernel(Session& subject, const StreamObject& stream, std::int64_t code) {
  subject.sim().schedule("manual");
  subject.runtime().kernel({.stream = stream, .fails = code});
  subject.sim().schedule("eager");
  subject.sim().run();
}

}  // namespace

CASES("runtime/sticky") {
  for (const std::int64_t code : kSticky) {
    on_cuda("code_" + std::to_string(code) + "_loses_the_device", {"FLT-002", "FLT-010"},
            [code](Session& subject) {
              const Prepared there = prepared(subject);
              run_a_failing_kernel(subject, there.stream, code);

              expect_device_error(
                  subject, [&] { subject.runtime().synchronize_device(); }, code);

              const std::vector<Use> uses = {
                  {"synchronize", [&](Session&) { there.stream.synchronize(); }},
                  {"query", [&](Session&) { there.stream.query(); }},
                  {"event query", [&](Session&) { there.event.query(); }},
                  {"record", [&](Session&) { there.event.record(there.stream); }},
                  {"kernel", [&](Session& s) { s.runtime().kernel({.stream = there.stream}); }},
                  {"synchronize device", [](Session& s) { s.runtime().synchronize_device(); }},
              };
              for (const Use& use : uses) {
                const ScopedTrace place(use.name);
                expect_device_error(
                    subject, [&] { use.call(subject); }, code);
              }
            })
        .fresh();
  }

  for (const std::int64_t code : kPerCall) {
    on_cuda("code_" + std::to_string(code) + "_is_of_one_call", {"FLT-002"},
            [code](Session& subject) {
              const Prepared there = prepared(subject);
              fail_next(subject, "stream_sync", code);

              expect_device_error(
                  subject, [&] { there.stream.synchronize(); }, code);

              there.stream.synchronize();
              there.event.record(there.stream);
              expect_true(there.event.query(), "everything is done");
              expect_equal(subject.runtime().peek_last_error(), 0);
            });
  }

  on_cuda("taking_the_error_does_not_clear_a_sticky_one", {"FLT-001", "FLT-002"},
          [](Session& subject) {
            const Prepared there = prepared(subject);
            run_a_failing_kernel(subject, there.stream, 700);
            expect_device_error(
                subject, [&] { there.stream.synchronize(); }, 700);

            expect_equal(subject.runtime().last_error(), 700);
            expect_equal(subject.runtime().last_error(), 700);
            expect_equal(subject.runtime().peek_last_error(), 700);
          })
      .fresh();
}

CASES("runtime/asynchronous") {
  struct Later {
    const char* name;
    std::function<void(Session&, const Prepared&)> call;
  };
  const std::vector<Later> later = {
      {"synchronizing_the_stream", [](Session&, const Prepared& p) { p.stream.synchronize(); }},
      {"synchronizing_the_event", [](Session&, const Prepared& p) { p.event.synchronize(); }},
      {"synchronizing_the_device",
       [](Session& s, const Prepared&) { s.runtime().synchronize_device(); }},
      {"querying_the_stream", [](Session&, const Prepared& p) { p.stream.query(); }},
      {"querying_an_event", [](Session&, const Prepared& p) { p.event.query(); }},
      {"recording_an_event", [](Session&, const Prepared& p) { p.event.record(p.stream); }},
      {"waiting_for_an_event", [](Session&, const Prepared& p) { p.stream.wait(p.event); }},
      {"allocating",
       [](Session& s, const Prepared&) {
         s.send("memory.allocate", {{"size", 1}});
       }},
  };
  for (const Later& each : later) {
    on_cuda(std::string(each.name) + "_finds_that_a_kernel_failed", {"FLT-010"},
            [each](Session& subject) {
              const Prepared there = prepared(subject);
              run_a_failing_kernel(subject, there.stream, 700);

              expect_device_error(
                  subject, [&] { each.call(subject, there); }, 700);

              expect_device_error(
                  subject, [&] { there.stream.synchronize(); }, 700);
            })
        .fresh();
  }

  on_cuda("destroying_an_event_warns_that_a_kernel_failed", {"FLT-010", "FLT-008"},
          [](Session& subject) {
            const Prepared there = prepared(subject);
            run_a_failing_kernel(subject, there.stream, 700);

            there.event.drop();

            expect_cuda_warning(subject, {"an illegal memory access was encountered"});
          })
      .only(Deviations::kStrict)
      .fresh();

  on_cuda("an_event_behind_a_failed_kernel_is_never_ready", {"FLT-010"}, [](Session& subject) {
    const Prepared there = prepared(subject);
    subject.sim().schedule("manual");
    subject.runtime().kernel({.stream = there.stream, .fails = 700});
    there.event.record(there.stream);
    subject.sim().run();

    expect_equal(subject.sim().pending(there.stream), 2);
    for (int i = 0; i < 3; ++i) {
      expect_device_error(
          subject, [&] { there.event.query(); }, 700);
    }
  }).fresh();
}

}  // namespace assay::suites

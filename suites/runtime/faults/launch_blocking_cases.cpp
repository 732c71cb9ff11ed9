// Launches that wait for their kernels, as with CUDA_LAUNCH_BLOCKING=1.
#include "harness/suite/clients/memory.hpp"
#include "harness/suite/device_error.hpp"
#include "suites/runtime/support.hpp"

namespace assay::suites {
namespace {

/// No work completes unless the host waits for it.
void use_blocking_launches(Session& subject) {
  subject.sim().machine({.blocking = true});
  subject.sim().schedule("manual");
}

}  // namespace

CASES("runtime/launch_blocking") {
  on_cuda("a_launch_returns_when_its_kernel_is_over", {"FLT-020"}, [](Session& subject) {
    use_blocking_launches(subject);
    const auto r = subject.runtime();
    for (const int device : {0, 1}) {
      for (const auto& stream :
           {r.default_stream(subject.device(device)), pool_on(subject, device)}) {
        r.kernel({.stream = stream});
        expect_true(stream.query(), "the kernel is over");
      }
    }
    expect_equal(subject.sim().pending(), 0);
    expect_at(r.get_device(), subject.device(0));
  });

  on_cuda("without_it_a_launch_returns_before", {"FLT-020", "STR-030"}, [](Session& subject) {
    subject.sim().machine({.blocking = false});
    subject.sim().schedule("manual");
    for (const int device : {0, 1}) {
      const auto stream = pool_on(subject, device);
      subject.runtime().kernel({.stream = stream});
      expect_false(stream.query(), "the launch does not wait for the kernel");
    }
  });

  on_cuda("what_the_kernel_wrote_is_there", {"FLT-020"}, [](Session& subject) {
    use_blocking_launches(subject);
    for (const int device : {0, 1}) {
      const Ref word = word_on(subject, subject.device(device));
      subject.runtime().store(word, 4.0, pool_on(subject, device));
      // Waits for the default stream alone.
      expect_true(subject.core().read(word).real_at(0) == 4, "it is stored");
    }
  });

  on_cuda("what_the_kernel_waited_for_is_over_as_well", {"FLT-020"}, [](Session& subject) {
    use_blocking_launches(subject);
    const auto r = subject.runtime();
    const auto first = pool_on(subject, 0);
    const auto second = pool_on(subject, 1);
    const Ref word = word_on(subject, subject.device(0), 5);
    r.load(word, first);
    const auto event = r.event();
    event.record(first);
    event.block(second);
    r.kernel({.stream = second});
    expect_true(event.query(), "the stream waited for it");
    expect_true(first.query(), "it has nothing else to do");
  });

  on_cuda("the_kernels_of_operators_are_waited_for", {"FLT-020"}, [](Session& subject) {
    use_blocking_launches(subject);
    const auto r = subject.runtime();
    for (const int device : {0, 1}) {
      const Ref word = word_on(subject, subject.device(device), 3);
      r.set_current_stream(pool_on(subject, device));
      subject.core().add_(word, word);
      r.set_current_stream(r.default_stream(subject.device(device)));
      expect_true(subject.core().read(word).real_at(0) == 6, "the sum is there");
    }
  });

  on_cuda("each_thread_waits_for_its_kernels", {"FLT-020"}, [](Session& subject) {
    use_blocking_launches(subject);
    const auto first = pool_on(subject, 0);
    const auto second = pool_on(subject, 1);
    const auto launching = [&](const StreamObject& stream) {
      return subject.block([&](Session& s) { s.runtime().kernel({.stream = stream}); });
    };
    subject.together({{"a", launching(first)}, {"b", launching(second)}}, 3);
    expect_true(first.query(), "the first thread's kernels are over");
    expect_true(second.query(), "the second thread's kernels are over");
  });

  on_cuda("a_kernel_that_fails_is_the_error_of_its_launch", {"FLT-020", "FLT-010"},
          [](Session& subject) {
            use_blocking_launches(subject);
            const auto r = subject.runtime();
            const auto stream = pool_on(subject, 1);
            expect_device_error(
                subject, [&] { r.kernel({.stream = stream, .fails = 719}); }, 719);
            expect_device_error(
                subject, [&] { r.kernel({.stream = stream}); }, 719);
            expect_device_error(
                subject, [&] { stream.synchronize(); }, 719);
          })
      .fresh();

  on_cuda("a_captured_launch_waits_for_nothing", {"FLT-020", "CAP-001"}, [](Session& subject) {
    use_blocking_launches(subject);
    const auto r = subject.runtime();
    const auto stream = pool_on(subject);
    const Ref word = word_on(subject, subject.device(), 1);
    r.capture_begin(stream);
    r.store(word, 2.0, stream);
    expect_equal(r.capture_status(stream), "active");
    r.capture_end(stream);
    expect_word(subject, word, 1);
  });
}

}  // namespace assay::suites

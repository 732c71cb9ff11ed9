// What a device says of its memory (MEM-032). PyTorch offers it for every accelerator
// (`torch.accelerator.get_memory_info`).
#include "harness/suite/clients/core.hpp"
#include "harness/suite/device_error.hpp"
#include "suites/memory/support.hpp"

namespace assay::suites {
namespace {

std::int64_t free_bytes(Session& subject, const std::optional<Device>& device = {}) {
  return subject.memory().info(device).free_bytes;
}

}  // namespace

CASES("memory/info") {
  on_cuda("segments_are_taken_and_not_blocks", {"MEM-032"}, [](Session& subject) {
    subject.sim().machine({.memory = 128 * kMiB});
    const std::int64_t before = free_bytes(subject);

    const MemoryBlock small = subject.memory().allocate(512);
    expect_equal(before - free_bytes(subject), kSmallSegment);
    subject.memory().allocate(512);
    expect_equal(before - free_bytes(subject), kSmallSegment);
    subject.memory().allocate(30 * kMiB).free();
    expect_equal(before - free_bytes(subject), kSmallSegment + 30 * kMiB);

    subject.memory().empty_cache();
    expect_equal(before - free_bytes(subject), kSmallSegment);
  });

  on_cuda("a_limit_is_not_a_property_of_the_device", {"MEM-032", "MEM-012"}, [](Session& subject) {
    limit_memory(subject, 128 * kMiB, 0.5);

    const MemoryInfo info = subject.memory().info();

    expect_equal(info.total_bytes, 128 * kMiB);
    expect_equal(info.free_bytes, 128 * kMiB);
  });

  on_cuda("it_speaks_of_the_device_that_is_named", {"MEM-032"}, [](Session& subject) {
    subject.sim().machine({.memory = 128 * kMiB});
    const MemoryBlock there = subject.memory().allocate(30 * kMiB, {.device = subject.device(1)});

    expect_equal(free_bytes(subject), 128 * kMiB);
    expect_equal(free_bytes(subject, subject.device(1)), 98 * kMiB);
    expect_true(subject.core().current_device() == subject.device(0), "device 0 is still current");
    expect_equal(free_bytes(subject), 128 * kMiB);
  });

  on_cuda("without_a_device_it_speaks_of_the_current_one", {"MEM-032"}, [](Session& subject) {
    subject.sim().machine({.memory = 128 * kMiB});
    const MemoryBlock there = subject.memory().allocate(30 * kMiB, {.device = subject.device(1)});
    subject.runtime().set_device(subject.device(1));

    expect_equal(free_bytes(subject), 98 * kMiB);
    expect_equal(free_bytes(subject, subject.device(0)), 128 * kMiB);
    expect_equal(free_bytes(subject), 98 * kMiB);
  });

  on_cuda("pinned_memory_is_not_of_the_device", {"MEM-032"}, [](Session& subject) {
    const std::int64_t before = free_bytes(subject);

    const MemoryBlock pinned = subject.memory().pin(3 * kMiB);

    expect_equal(free_bytes(subject), before);
  });

  on_cuda("it_waits_for_nothing", {"MEM-032"}, [](Session& subject) {
    const auto stream = subject.runtime().pool_stream();
    const auto gate = subject.runtime().gate(stream);
    const MemoryBlock block = subject.memory().allocate(512);
    block.record_stream(stream);
    block.free();
    const std::int64_t before = free_bytes(subject);

    expect_equal(free_bytes(subject), before);
    gate.open();
    subject.sim().run();
    expect_equal(free_bytes(subject), before);
  });

  on_cuda("a_device_that_does_not_exist_is_an_error", {"MEM-032"}, [](Session& subject) {
    expect_device_error(
        subject, [&] { subject.memory().info(cuda(9)); }, 101);

    expect_true(subject.core().current_device() == subject.device(0), "device 0 is still current");
    expect_equal(subject.runtime().peek_last_error(), 0);
    expect_true(subject.memory().info().total_bytes > 0, "the next question is answered");
  });

  on_cuda("the_host_has_no_memory_of_an_accelerator", {"MEM-032", "MEM-021", "MEM-012"},
          [](Session& subject) {
            const Device host{"cpu", -1};
            const auto memory = subject.memory();
            const auto refuses = [](const auto& question) {
              expect_error(question, ErrorKind::kValue, {"cuda device"});
            };

            refuses([&] { memory.info(host); });
            refuses([&] { memory.stats(host); });
            refuses([&] { memory.reset_peak(host); });
            refuses([&] { memory.reset_accumulated(host); });
            refuses([&] { memory.set_fraction(0.5, host); });
            refuses([&] { memory.allocate(512, {.device = host}); });
            refuses([&] { memory.info(Device{"cpu", 0}); });
            expect_true(memory.info().total_bytes > 0, "the next question is answered");
          });

  on_cuda("a_failed_question_changes_nothing", {"MEM-032", "FLT-011"}, [](Session& subject) {
    subject.sim().machine({.memory = 128 * kMiB});
    subject.sim().faults({{.call = "mem_info", .code = 1, .occurrence = 1}});

    expect_device_error(
        subject, [&] { subject.memory().info(subject.device(1)); }, 1);

    expect_true(subject.core().current_device() == subject.device(0), "device 0 is still current");
    expect_equal(subject.runtime().peek_last_error(), 0);
    expect_equal(free_bytes(subject, subject.device(1)), 128 * kMiB);
  });
}

}  // namespace assay::suites

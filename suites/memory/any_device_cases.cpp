// Statistics and cache of any device's allocator, whatever its blocks are like: what tensors take,
// peaks, resets, free bytes (MEM-021, MEM-016, MEM-032). PyTorch offers them for every accelerator
// (`torch.accelerator`).
#include "harness/suite/clients/core.hpp"
#include "suites/memory/support.hpp"

namespace assay::suites {
namespace {

const std::string kUsed = "allocated_bytes.all";

Ref tensor_of(Session& subject, std::int64_t size_bytes, int device = 0) {
  return subject.core().empty(
      {.shape = {size_bytes}, .dtype = Dtype::kUint8, .device = subject.device(device)});
}

/// One of the faces of the bytes in use.
std::int64_t used(Session& subject, const std::string& face, int device = 0) {
  return subject.memory().stats(subject.device(device))[kUsed + "." + face];
}

}  // namespace

CASES("memory/any_device") {
  on_cuda("what_a_tensor_takes_is_counted_and_given_back", {"MEM-021"}, [](Session& subject) {
    for (const std::int64_t size : {std::int64_t{1}, 5000L, kMiB, 3 * kMiB, 24 * kMiB}) {
      const ScopedTrace place(std::to_string(size) + " bytes");
      const std::int64_t before = used(subject, "current");
      const std::int64_t total = used(subject, "allocated");
      const std::int64_t freed = used(subject, "freed");

      const Ref tensor = tensor_of(subject, size);

      const std::int64_t taken = used(subject, "current") - before;
      expect_true(taken >= size, "a tensor takes at least its bytes");
      expect_equal(used(subject, "allocated") - total, taken);
      expect_equal(used(subject, "freed"), freed);
      subject.drop(tensor.name);
      expect_equal(used(subject, "current"), before);
      expect_equal(used(subject, "allocated") - total, taken);
      expect_equal(used(subject, "freed") - freed, taken);
    }
  });

  on_cuda("a_peak_is_the_highest_until_it_is_reset", {"MEM-021"}, [](Session& subject) {
    const Ref kept = tensor_of(subject, kMiB);
    subject.memory().reset_peak();
    expect_equal(used(subject, "peak"), used(subject, "current"));
    const std::int64_t before = used(subject, "current");

    subject.drop(tensor_of(subject, 4 * kMiB).name);
    subject.drop(tensor_of(subject, 2 * kMiB).name);

    expect_equal(used(subject, "current"), before);
    const std::int64_t peak = used(subject, "peak");
    expect_true(peak >= before + 4 * kMiB, "the larger tensor is in the peak");
    expect_true(peak < before + 6 * kMiB, "the tensors were there one after the other");
    subject.memory().reset_peak();
    expect_equal(used(subject, "peak"), before);
  });

  on_cuda("what_accumulates_is_reset_and_what_there_is_stays", {"MEM-021"}, [](Session& subject) {
    const Ref kept = tensor_of(subject, kMiB);
    subject.drop(tensor_of(subject, 2 * kMiB).name);
    const std::int64_t before = used(subject, "current");

    subject.memory().reset_accumulated();

    expect_equal(used(subject, "allocated"), 0);
    expect_equal(used(subject, "freed"), 0);
    expect_equal(used(subject, "current"), before);
    const Ref another = tensor_of(subject, 3 * kMiB);
    expect_equal(used(subject, "allocated"), used(subject, "current") - before);
  });

  on_cuda("emptying_the_cache_takes_nothing_that_is_used", {"MEM-016", "MEM-021"},
          [](Session& subject) {
            TensorValue value = f32({1, -2, 3, kInf});
            value.device = subject.device();
            const Ref kept = subject.core().tensor(value);
            subject.drop(tensor_of(subject, 24 * kMiB).name);
            const MemoryStats before = subject.memory().stats();

            subject.memory().empty_cache();

            const MemoryStats after = subject.memory().stats();
            expect_equal(after[kUsed + ".current"], before[kUsed + ".current"]);
            expect_true(after["reserved_bytes.all.current"] <= before["reserved_bytes.all.current"],
                        "nothing is reserved in addition");
            expect_true(after["reserved_bytes.all.current"] >= after[kUsed + ".current"],
                        "what is used is reserved");
            expect_bits(subject.core().read(kept), value);
          });

  on_cuda("what_is_reserved_is_not_free", {"MEM-032"}, [](Session& subject) {
    const Ref kept = tensor_of(subject, 3 * kMiB);

    const MemoryInfo info = subject.memory().info(subject.device());

    expect_true(info.free_bytes >= 0, "a number of bytes is free");
    const std::int64_t reserved =
        subject.memory().stats(subject.device())["reserved_bytes.all.current"];
    expect_true(info.free_bytes + reserved <= info.total_bytes, "it is at most the rest");
    expect_equal(subject.memory().info(subject.device()).total_bytes, info.total_bytes);
  });

  on_cuda("each_device_counts_for_itself", {"MEM-021"}, [](Session& subject) {
    const std::int64_t here = used(subject, "current", 0);
    const std::int64_t there = used(subject, "current", 1);

    const Ref tensor = tensor_of(subject, 2 * kMiB, 1);

    expect_equal(used(subject, "current", 0), here);
    expect_true(used(subject, "current", 1) >= there + 2 * kMiB, "the tensor is on the other one");
    subject.memory().reset_accumulated(subject.device(0));
    expect_true(used(subject, "allocated", 1) >= 2 * kMiB, "a reset is of one device");
  });
}

}  // namespace assay::suites

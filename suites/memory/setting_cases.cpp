// Options set by calls: what a call puts back, what a refused one leaves, and the keys that are
// known (MEM-029).
#include "suites/memory/support.hpp"

namespace assay::suites {
namespace {

constexpr std::int64_t kRequest = 1100 << 10;
constexpr std::int64_t kPlain = 1'126'400;      ///< its block
constexpr std::int64_t kQuartered = 1'310'720;  ///< its block with 4 divisions
constexpr std::int64_t kEighths = 1'179'648;    ///< its block with 8

std::int64_t block_size(Session& subject) {
  const MemoryBlock block = subject.memory().allocate(kRequest);
  const std::int64_t size = block.info().size_bytes;
  block.free();
  return size;
}

void expect_refused(Session& subject, const std::string& options,
                    const std::vector<std::string>& tokens, Where where = Where::current()) {
  const ScopedTrace place(options);
  const bool is_new = subject.contract().release >= Release::k2_11;
  const ErrorKind kind = is_new ? ErrorKind::kValue : ErrorKind::kError;
  if (subject.contract().strict()) {
    expect_error([&] { subject.memory().configure(options); },
                 {ErrorKind::kError, ErrorKind::kValue}, tokens, where);
  } else {
    expect_error([&] { subject.memory().configure(options); }, kind, tokens, where);
  }
}

}  // namespace

CASES("memory/settings") {
  on_cuda("a_call_puts_back_the_divisions_that_it_leaves_out", {"MEM-029", "MEM-001"},
          [](Session& subject) {
            subject.memory().configure("roundup_power2_divisions:4");
            expect_equal(block_size(subject), kQuartered);
            subject.memory().configure("max_split_size_mb:32");
            expect_equal(block_size(subject), kPlain);
            subject.memory().configure("roundup_power2_divisions:8,max_split_size_mb:32");
            expect_equal(block_size(subject), kEighths);
            subject.memory().configure("");
            expect_equal(block_size(subject), kPlain);
          });

  on_cuda("a_call_puts_back_the_size_that_it_leaves_out", {"MEM-029", "MEM-018"},
          [](Session& subject) {
            subject.memory().configure("max_split_size_mb:32");
            subject.memory().configure("roundup_power2_divisions:1");
            const MemoryBlock large = subject.memory().allocate(64 * kMiB);
            const BlockInfo place = large.info();
            large.free();

            expect_same_place(subject.memory().allocate(10 * kMiB).info(), place);
          });

  on_cuda("a_call_puts_back_the_waste_that_it_leaves_out", {"MEM-029", "MEM-018"},
          [](Session& subject) {
            subject.memory().configure("max_split_size_mb:32,max_non_split_rounding_mb:30");
            subject.memory().configure("max_split_size_mb:32");
            const MemoryBlock large = subject.memory().allocate(64 * kMiB);
            const BlockInfo place = large.info();
            large.free();

            expect_true(subject.memory().allocate(34 * kMiB + 1).info().segment != place.segment,
                        "what would lose 29 MiB gets another segment");
          })
      .since(Release::k2_11);

  on_cuda("a_call_puts_back_the_threshold_that_it_leaves_out", {"MEM-029", "MEM-017"},
          [](Session& subject) {
            subject.memory().configure("garbage_collection_threshold:0.5");
            subject.memory().configure("max_split_size_mb:64");
            limit_memory(subject, 200 * kMiB, 0.5);
            const MemoryBlock first = subject.memory().allocate(30 * kMiB);
            const MemoryBlock second = subject.memory().allocate(30 * kMiB);
            first.free();
            second.free();
            calls(subject);

            subject.memory().allocate(36 * kMiB);

            expect_equal(count_of(calls(subject), "free"), 0);
          });

  on_cuda("a_refused_call_changes_nothing", {"MEM-029"}, [](Session& subject) {
    subject.memory().configure("roundup_power2_divisions:4");
    expect_refused(subject, "roundup_power2_divisions:8,no_such_option:1", {"no_such_option"});
    expect_equal(block_size(subject), kQuartered);
    expect_refused(subject, "max_split_size_mb:1", {"max_split_size"});
    expect_equal(block_size(subject), kQuartered);
  }).only(Deviations::kStrict);

  on_cuda("a_refused_call_has_set_what_it_has_read", {"MEM-029"}, [](Session& subject) {
    subject.memory().configure("roundup_power2_divisions:4");
    expect_refused(subject, "roundup_power2_divisions:8,no_such_option:1", {"no_such_option"});
    expect_equal(block_size(subject), kEighths);
    expect_refused(subject, "no_such_option:1,roundup_power2_divisions:4", {"no_such_option"});
    expect_equal(block_size(subject), kPlain);
    subject.memory().configure("roundup_power2_divisions:4");
    expect_refused(subject, "max_split_size_mb:1", {"max_split_size"});
    expect_equal(block_size(subject), kPlain);
  }).only(Deviations::kCompat);

  on_cuda("options_that_only_change_the_speed_are_read", {"MEM-019"}, [](Session& subject) {
    for (const std::string key : {"release_lock_on_cudamalloc", "pinned_use_cuda_host_register"}) {
      subject.memory().configure(key + ":True");
      expect_refused(subject, key + ":yes", {});
    }
  }).since(Release::k2_4);

  on_cuda("the_threads_that_register_are_a_power_of_2_up_to_128", {"MEM-029", "MEM-019"},
          [](Session& subject) {
            subject.memory().configure("pinned_num_register_threads:1");
            subject.memory().configure("pinned_num_register_threads:128");
            expect_refused(subject, "pinned_num_register_threads:3", {"power of 2"});
            expect_refused(subject, "pinned_num_register_threads:0", {"power of 2"});
            expect_refused(subject, "pinned_num_register_threads:256", {"128"});
          })
      .since(Release::k2_4);

  on_cuda("the_pinned_segment_in_reserve_is_not_empty", {"MEM-029", "MEM-019"},
          [](Session& subject) {
            subject.memory().configure("pinned_reserve_segment_size_mb:3");
            expect_refused(subject, "pinned_reserve_segment_size_mb:0", {"segment"});
          })
      .since(Release::k2_11);

  on_cuda("the_fraction_of_a_process_is_from_0_to_1", {"MEM-029", "MEM-019"}, [](Session& subject) {
    subject.memory().configure("per_process_memory_fraction:0");
    subject.memory().configure("per_process_memory_fraction:1.0");
    expect_refused(subject, "per_process_memory_fraction:1.5", {"per_process_memory_fraction"});
    expect_refused(subject, "per_process_memory_fraction:-0.1", {"per_process_memory_fraction"});
  }).since(Release::k2_11);

  on_cuda("the_fraction_limits_a_device_from_its_first_use", {"MEM-029", "MEM-012"},
          [](Session& subject) {
            subject.sim().machine({.memory = 200 * kMiB});
            subject.memory().configure("per_process_memory_fraction:0.5");
            subject.memory().allocate(90 * kMiB);
            expect_error([&] { subject.memory().allocate(20 * kMiB); }, ErrorKind::kOutOfMemory);
            subject.memory().set_fraction(1.0);
            subject.memory().allocate(20 * kMiB);
          })
      .since(Release::k2_11)
      .fresh();

  on_cuda("the_fraction_limits_a_device_whose_first_use_failed", {"MEM-029", "MEM-012"},
          [](Session& subject) {
            subject.sim().machine({.memory = 200 * kMiB});
            subject.memory().configure("per_process_memory_fraction:0.5");
            subject.sim().faults({{.call = "mem_info", .code = 1, .occurrence = 1},
                                  {.call = "malloc", .code = 1, .occurrence = 1}});

            expect_error([&] { subject.memory().allocate(90 * kMiB); }, ErrorKind::kDevice);

            subject.sim().faults({});
            expect_error([&] { subject.memory().allocate(110 * kMiB); }, ErrorKind::kOutOfMemory);
            subject.memory().allocate(90 * kMiB);
          })
      .since(Release::k2_11)
      .fresh();

  on_cuda("the_fraction_of_a_device_in_use_is_not_set", {"MEM-029", "MEM-012"},
          [](Session& subject) {
            subject.sim().machine({.memory = 200 * kMiB});
            subject.memory().allocate(90 * kMiB);
            subject.memory().configure("per_process_memory_fraction:0.5");
            subject.memory().allocate(20 * kMiB);
          })
      .since(Release::k2_11)
      .fresh();
}

}  // namespace assay::suites

// The counters (MEM-021), step by step where their values are known.
#include "harness/suite/itself.hpp"
#include "suites/memory/support.hpp"

namespace assay::suites {
namespace {

const std::vector<std::string> kCounts = {"allocation", "segment", "active", "inactive_split"};
const std::vector<std::string> kSums = {"allocated_bytes", "reserved_bytes", "active_bytes",
                                        "inactive_split_bytes"};
const std::vector<std::string> kPools = {"all", "small_pool", "large_pool"};
const std::vector<std::string> kFaces = {"current", "peak", "allocated", "freed"};

std::vector<std::string> counter_names(const Session& subject) {
  std::vector<std::string> names = kCounts;
  names.insert(names.end(), kSums.begin(), kSums.end());
  if (since(subject, Release::k2_4)) names.emplace_back("requested_bytes");
  return names;
}

/// current = allocated - freed, the sum over pools is the total, and used is at most reserved.
void expect_consistent(const MemoryStats& stats, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    const ScopedTrace place(name);
    for (const std::string& pool : kPools) {
      const std::string key = name + "." + pool;
      expect_equal(stats[key + ".current"], stats[key + ".allocated"] - stats[key + ".freed"]);
      expect_true(stats[key + ".peak"] >= stats[key + ".current"], "the peak is the highest");
    }
    expect_equal(stats[name + ".all.current"],
                 stats[name + ".small_pool.current"] + stats[name + ".large_pool.current"]);
  }
  expect_true(stats["allocated_bytes.all.current"] <= stats["active_bytes.all.current"] &&
                  stats["active_bytes.all.current"] <= stats["reserved_bytes.all.current"],
              "allocated <= active <= reserved");
}

}  // namespace

CASES("memory/counters") {
  on_cuda("what_was_asked_was_not_counted", {"MEM-021"}, [](Session& subject) {
    const MemoryBlock block = subject.memory().allocate(1000);

    const MemoryStats stats = subject.memory().stats();

    for (const char* name : {"requested_bytes.all.current", "num_sync_all_streams",
                             "num_device_alloc", "num_device_free"}) {
      expect_false(stats.has(name), name);
    }
  }).until(Release::k1_13);

  on_cuda("each_counter_is_kept_for_each_pool", {"MEM-021"}, [](Session& subject) {
    expect_cuda_itself(subject);
    const MemoryStats stats = subject.memory().stats();

    for (const std::string& name : counter_names(subject)) {
      for (const std::string& pool : kPools) {
        for (const std::string& face : kFaces) {
          expect_equal(stats[name + "." + pool + "." + face], 0);
        }
      }
    }
    for (const char* name : {"oversize_allocations", "oversize_segments"}) {
      for (const std::string& face : kFaces) {
        expect_equal(stats[std::string(name) + "." + face], 0);
      }
    }
    for (const char* name : {"num_alloc_retries", "num_ooms"}) expect_equal(stats[name], 0);
    expect_true(stats.has("max_split_size"), "max_split_size is reported");
  });

  on_cuda("later_releases_count_waits_and_calls_of_the_driver", {"MEM-021"}, [](Session& subject) {
    subject.memory().allocate(1).free();
    subject.memory().allocate(2 * kMiB).free();
    expect_counters(subject,
                    {{"num_device_alloc", 2}, {"num_device_free", 0}, {"num_sync_all_streams", 0}});

    subject.memory().empty_cache();

    expect_counters(subject, {{"num_device_alloc", 2}, {"num_device_free", 2}});
    expect_true(subject.memory().stats()["num_sync_all_streams"] >= 1,
                "emptying the cache waits for events");
  }).since(Release::k2_4);

  on_cuda("a_release_waits_for_events_of_an_unused_device_too", {"MEM-021"}, [](Session& subject) {
    expect_cuda_itself(subject);
    expect_counters(subject, {{"num_sync_all_streams", 0}});

    subject.memory().empty_cache();

    expect_true(subject.memory().stats()["num_sync_all_streams"] >= 1, "a wait is counted");
  }).since(Release::k2_4);

  on_cuda("a_small_segment_step_by_step", {"MEM-021", "MEM-002", "MEM-005", "MEM-016"},
          [](Session& subject) {
            const MemoryBlock one = subject.memory().allocate(1);
            expect_counters(subject, {{"allocated_bytes", 512},
                                      {"reserved_bytes", 2'097'152},
                                      {"inactive_split", 1},
                                      {"inactive_split_bytes", 2'096'640}});  // V-67

            const MemoryBlock two = subject.memory().allocate(kMiB);
            expect_equal(two.info().segment, one.info().segment);
            expect_equal(two.info().offset, 512);
            expect_counters(subject, {{"allocated_bytes", 1'049'088},
                                      {"reserved_bytes", 2'097'152},
                                      {"inactive_split", 1},
                                      {"inactive_split_bytes", 1'048'064}});  // V-68

            const MemoryBlock three = subject.memory().allocate(kMiB);
            expect_true(three.info().segment != one.info().segment, "a second segment");
            expect_counters(subject, {{"allocated_bytes", 2'097'664},
                                      {"reserved_bytes", 4'194'304},
                                      {"inactive_split", 2},
                                      {"inactive_split_bytes", 2'096'640}});  // V-69

            one.free();
            expect_counters(subject,
                            {{"inactive_split", 3}, {"inactive_split_bytes", 2'097'152}});  // V-70

            two.free();
            expect_counters(subject,
                            {{"inactive_split", 1}, {"inactive_split_bytes", 1'048'576}});  // V-71
            three.free();
            expect_counters(subject, {{"inactive_split", 0},
                                      {"inactive_split_bytes", 0},
                                      {"segment", 2},
                                      {"reserved_bytes", 4'194'304}});

            subject.memory().empty_cache();
            expect_counters(subject, {{"segment", 0}, {"reserved_bytes", 0}});  // V-72
          });

  on_cuda("a_large_segment_step_by_step", {"MEM-021", "MEM-002", "MEM-003", "MEM-004"},
          [](Session& subject) {
            const MemoryBlock first = subject.memory().allocate(5 * kMiB);
            expect_counters(subject, {{"allocated_bytes", 5'242'880},
                                      {"reserved_bytes", 20'971'520},
                                      {"inactive_split", 1},
                                      {"inactive_split_bytes", 15'728'640}});  // V-73

            const MemoryBlock second = subject.memory().allocate(39 * kMiB / 2);
            expect_equal(second.info().size_bytes, 20'971'520);
            expect_counters(subject, {{"allocated_bytes", 26'214'400},
                                      {"reserved_bytes", 41'943'040}});  // V-74

            const MemoryBlock third = subject.memory().allocate(15 * kMiB);
            expect_equal(third.info().segment, first.info().segment);
            expect_equal(third.info().offset, 5'242'880);
            expect_counters(subject, {{"inactive_split", 0},
                                      {"inactive_split_bytes", 0},
                                      {"reserved_bytes", 41'943'040}});  // V-75
          });

  on_cuda("what_was_asked_for_is_counted_as_it_was_asked", {"MEM-021", "MEM-003"},
          [](Session& subject) {
            const MemoryBlock one = subject.memory().allocate(1);
            expect_counters(subject, {{"requested_bytes", 1}});  // V-67
            one.free();
            expect_counters(subject, {{"requested_bytes", 0}});

            const MemoryBlock five = subject.memory().allocate(5 * kMiB);
            const MemoryBlock large = subject.memory().allocate(39 * kMiB / 2);
            expect_counters(subject, {{"requested_bytes", 25'690'112}});  // V-74
          })
      .since(Release::k2_4);

  on_cuda("what_is_used_and_what_is_free_adds_up", {"MEM-021"}, [](Session& subject) {
    std::vector<MemoryBlock> blocks;
    for (const std::int64_t size : {1, 700, 5000, 1 << 20, 3 << 20, 11 << 20, 19 << 20}) {
      blocks.push_back(subject.memory().allocate(size));
      expect_consistent(subject.memory().stats(), counter_names(subject));
    }
    for (const std::size_t index : {1U, 0U, 4U, 6U, 2U, 5U, 3U}) {
      blocks[index].free();
      expect_consistent(subject.memory().stats(), counter_names(subject));
    }
    subject.memory().empty_cache();
    expect_consistent(subject.memory().stats(), counter_names(subject));
  });

  on_cuda("pools_count_for_themselves", {"MEM-021"}, [](Session& subject) {
    const MemoryBlock small = subject.memory().allocate(1000);
    const MemoryBlock large = subject.memory().allocate(3 * kMiB);

    const MemoryStats stats = subject.memory().stats();
    expect_equal(stats["allocated_bytes.small_pool.current"], 1024);
    expect_equal(stats["allocated_bytes.large_pool.current"], 3 * kMiB);
    expect_equal(stats["reserved_bytes.small_pool.current"], kSmallSegment);
    expect_equal(stats["reserved_bytes.large_pool.current"], kLargeSegment);
    expect_equal(stats["segment.small_pool.current"], 1);
    expect_equal(stats["segment.large_pool.current"], 1);
    expect_equal(stats["active.all.current"], 2);
  });

  on_cuda("a_peak_stays_until_it_is_reset_to_what_there_is", {"MEM-021"}, [](Session& subject) {
    const MemoryBlock kept = subject.memory().allocate(512);
    const MemoryBlock gone = subject.memory().allocate(3 * kMiB);
    gone.free();
    expect_counters(subject, {{"allocated_bytes.all.current", 512},
                              {"allocated_bytes.all.peak", 3 * kMiB + 512}});

    subject.memory().reset_peak();

    expect_counters(subject, {{"allocated_bytes.all.peak", 512},
                              {"allocation.all.peak", 1},
                              {"reserved_bytes.all.peak", kSmallSegment + kLargeSegment},
                              {"allocated_bytes.all.allocated", 3 * kMiB + 512}});
  });

  on_cuda(
      "peaks_and_sums_of_oversize_blocks_are_reset_too", {"MEM-021", "MEM-018"},
      [](Session& subject) {
        subject.memory().configure("max_split_size_mb:32");
        subject.memory().allocate(64 * kMiB).free();
        subject.memory().empty_cache();
        for (const char* name : {"oversize_allocations", "oversize_segments"}) {
          const std::string of(name);
          expect_counters(subject, {{of + ".peak", 1}, {of + ".allocated", 1}});
        }

        subject.memory().reset_peak();
        subject.memory().reset_accumulated();

        for (const char* name : {"oversize_allocations", "oversize_segments"}) {
          const std::string of(name);
          expect_counters(subject, {{of + ".peak", 0}, {of + ".allocated", 0}, {of + ".freed", 0}});
        }
      });

  on_cuda("resetting_what_accumulates_leaves_what_there_is", {"MEM-021"}, [](Session& subject) {
    limit_memory(subject, 64 * kMiB, 0.5);
    const MemoryBlock kept = subject.memory().allocate(512);
    subject.memory().allocate(2048).free();
    expect_error([&] { subject.memory().allocate(60 * kMiB); }, ErrorKind::kOutOfMemory);

    subject.memory().reset_accumulated();

    expect_counters(subject, {{"allocated_bytes.all.current", 512},
                              {"allocated_bytes.all.allocated", 0},
                              {"allocated_bytes.all.freed", 0},
                              {"allocation.all.allocated", 0},
                              {"allocated_bytes.all.peak", 2560},
                              {"num_ooms", 0},
                              {"num_alloc_retries", 0}});
    kept.free();
    expect_counters(subject,
                    {{"allocated_bytes.all.current", 0}, {"allocated_bytes.all.freed", 512}});
  });

  on_cuda("each_device_counts_for_itself", {"MEM-021", "MEM-022"}, [](Session& subject) {
    const MemoryBlock there = subject.memory().allocate(1000, {.device = subject.device(1)});

    const MemoryStats other = subject.memory().stats(subject.device(1));
    expect_equal(other["allocated_bytes.all.current"], 1024);
    expect_counters(subject, {{"allocated_bytes", 0}, {"segment", 0}});
    expect_true(subject.memory().segments().empty(), "the first device has no segments");
    expect_equal(static_cast<std::int64_t>(subject.memory().segments(subject.device(1)).size()), 1);
  });
}

}  // namespace assay::suites

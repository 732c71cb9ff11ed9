// The sizes of blocks and segments (MEM-001 to MEM-003), and how sizes are printed (MEM-014).
#include "suites/memory/support.hpp"

namespace assay::suites {
namespace {

struct Rounding {
  std::int64_t asked;
  std::int64_t block;
};

struct Sizes {
  std::int64_t asked;
  std::int64_t block;
  std::int64_t segment;
};

void expect_roundings(Session& subject, const std::vector<Rounding>& table,
                      Where where = Where::current()) {
  for (const auto& [asked, block] : table) {
    const ScopedTrace place(std::to_string(asked));
    expect_equal(subject.memory().round(asked), block, where);
    const MemoryBlock made = subject.memory().allocate(asked);
    expect_equal(made.info().size_bytes, block, where);
    expect_equal(made.info().requested_bytes, asked, where);
    made.free();
    subject.memory().empty_cache();
  }
}

void expect_sizes(Session& subject, const std::vector<Sizes>& table,
                  Where where = Where::current()) {
  for (const auto& [asked, block, segment] : table) {
    const ScopedTrace place(std::to_string(asked));
    const MemoryBlock made = subject.memory().allocate(asked);
    expect_equal(made.info().size_bytes, block, where);
    expect_equal(made.info().offset, 0, where);
    expect_equal(subject.memory().stats()["reserved_bytes.all.current"], segment, where);
    made.free();
    subject.memory().empty_cache();
  }
}

/// The pool of the only segment.
std::string pool_of(Session& subject, std::int64_t size_bytes) {
  const MemoryBlock made = subject.memory().allocate(size_bytes);
  const std::string pool = subject.memory().segments().at(0).pool;
  made.free();
  subject.memory().empty_cache();
  return pool;
}

}  // namespace

CASES("memory/size") {
  on_cuda("rounds_up_to_multiples_of_512", {"MEM-001"}, [](Session& subject) {
    expect_roundings(subject, {{1, 512},
                               {511, 512},
                               {512, 512},
                               {513, 1024},
                               {1024, 1024},
                               {1025, 1536},
                               {1'048'575, 1'048'576}});  // V-60, V-61
  });

  on_cuda("the_smallest_block_has_512_bytes", {"MEM-001"}, [](Session& subject) {
    expect_equal(subject.memory().round(0), 512);
    expect_equal(subject.memory().round(1), 512);
  });

  on_cuda("rounds_to_steps_between_powers_of_two_when_asked", {"MEM-001"}, [](Session& subject) {
    subject.memory().configure("roundup_power2_divisions:4");

    expect_roundings(subject, {{1200, 1536},
                               {2048, 2048},
                               {2049, 2560},
                               {3000, 3072},
                               {3072, 3072},
                               {4097, 5120},
                               {5121, 6144},
                               {1'048'577, 1'310'720}});  // V-64
  });

  on_cuda("steps_are_used_only_above_512_times_their_number", {"MEM-001"}, [](Session& subject) {
    subject.memory().configure("roundup_power2_divisions:8");

    expect_roundings(subject, {{1200, 1536}, {4096, 4096}, {4097, 4608}, {5000, 5120}});
  });

  on_cuda("each_interval_of_sizes_has_its_own_divisions", {"MEM-001"}, [](Session& subject) {
    subject.memory().configure("roundup_power2_divisions:[1:4,2:8,4:2,>:2]");

    // Below 1 MiB, the first interval applies.
    expect_roundings(subject, {{4097, 5120},
                               {1 * kMiB + 1, 1 * kMiB + 256 * kKiB},
                               {2 * kMiB + 1, 2 * kMiB + 256 * kKiB},
                               {4 * kMiB + 1, 6 * kMiB},
                               {16 * kMiB + 1, 24 * kMiB}});
  }).since(Release::k2_4);

  on_cuda("nothing_asked_is_a_null_pointer_that_nobody_counts", {"MEM-001"}, [](Session& subject) {
    calls(subject);

    const MemoryBlock nothing = subject.memory().allocate(0);

    expect_true(nothing.is_null(), "the address of no bytes is null");
    expect_counters(subject, {{"allocation", 0}, {"allocated_bytes", 0}, {"reserved_bytes", 0}});
    expect_equal(count_of(calls(subject), "malloc"), 0);
    nothing.free();
    expect_counters(subject, {{"allocation", 0}, {"allocation.all.freed", 0}});
  });

  on_cuda("small_blocks_come_from_segments_of_2_mib", {"MEM-002"}, [](Session& subject) {
    expect_sizes(subject, {{1, 512, kSmallSegment},
                           {1'048'575, 1'048'576, kSmallSegment},
                           {1'048'576, 1'048'576, kSmallSegment}});  // V-61
    expect_equal(pool_of(subject, 1'048'576), "small");
  });

  on_cuda("large_blocks_below_10_mib_come_from_segments_of_20_mib", {"MEM-002"},
          [](Session& subject) {
            expect_sizes(subject, {{1'048'577, 1'049'088, kLargeSegment},
                                   {10'485'248, 10'485'248, kLargeSegment}});  // V-61, V-62
            expect_equal(pool_of(subject, 1'048'577), "large");
          });

  on_cuda("from_10_mib_on_segments_are_rounded_to_2_mib", {"MEM-002"}, [](Session& subject) {
    expect_sizes(subject, {{10'485'249, 10'485'760, 10'485'760},
                           {10'485'760, 10'485'760, 10'485'760},
                           {20 * kMiB, 20 * kMiB, 20 * kMiB}});  // V-62
    for (const auto& [asked, segment] : std::vector<Rounding>{{10'485'761, 12'582'912},
                                                              {12'582'913, 14'680'064},
                                                              {20'971'521, 23'068'672}}) {  // V-63
      const MemoryBlock made = subject.memory().allocate(asked);
      expect_equal(subject.memory().stats()["reserved_bytes.all.current"], segment);
      made.free();
      subject.memory().empty_cache();
    }
  });

  on_cuda("a_small_remainder_of_512_bytes_is_split_off", {"MEM-003"}, [](Session& subject) {
    const MemoryBlock first = subject.memory().allocate(kMiB);
    const MemoryBlock second = subject.memory().allocate(kMiB - 512);

    expect_equal(second.info().segment, first.info().segment);
    expect_equal(second.info().size_bytes, kMiB - 512);
    expect_counters(subject, {{"inactive_split", 1}, {"inactive_split_bytes", 512}});
    const MemoryBlock third = subject.memory().allocate(1);
    expect_equal(third.info().offset, kSmallSegment - 512);
    expect_counters(subject, {{"inactive_split", 0}, {"inactive_split_bytes", 0}});
  });

  on_cuda("a_large_remainder_of_exactly_1_mib_is_kept", {"MEM-003"}, [](Session& subject) {
    const MemoryBlock whole = subject.memory().allocate(19 * kMiB);
    const MemoryBlock part = subject.memory().allocate(19 * kMiB - 512);

    expect_equal(whole.info().size_bytes, kLargeSegment);  // V-76, T25
    expect_equal(part.info().size_bytes, 19 * kMiB - 512);
    expect_counters(subject, {{"inactive_split", 1}, {"inactive_split_bytes", kMiB + 512}});
  });

  on_cuda("a_block_counts_whole_and_a_request_as_it_was_asked", {"MEM-003"}, [](Session& subject) {
    const MemoryBlock made = subject.memory().allocate(20'000'000);

    expect_equal(made.info().size_bytes, kLargeSegment);
    expect_equal(made.info().requested_bytes, 20'000'000);
    expect_counters(subject, {{"allocated_bytes", kLargeSegment}, {"requested_bytes", 20'000'000}});
  }).since(Release::k2_4);

  on_cuda("expandable_segments_split_off_every_512_bytes", {"MEM-003"}, [](Session& subject) {
    subject.memory().configure("expandable_segments:True");

    const MemoryBlock made = subject.memory().allocate(20 * kMiB - 512);

    expect_equal(made.info().size_bytes, 20 * kMiB - 512);
  }).since(Release::k2_4);

  on_cuda("sizes_are_printed_with_two_decimals", {"MEM-014"}, [](Session& subject) {
    struct Text {
      std::int64_t bytes;
      const char* text;
    };
    const std::vector<Text> table = {{0, "0 bytes"},
                                     {1, "1 bytes"},
                                     {1024, "1024 bytes"},
                                     {1025, "1.00 KiB"},
                                     {1536, "1.50 KiB"},
                                     {1'048'576, "1024.00 KiB"},
                                     {1'048'577, "1.00 MiB"},
                                     {2'097'152, "2.00 MiB"},
                                     {1'073'741'824, "1024.00 MiB"},
                                     {1'073'741'825, "1.00 GiB"},
                                     {85'899'345'920, "80.00 GiB"}};  // V-66
    for (const auto& [bytes, text] : table) {
      expect_equal(subject.memory().size_text(bytes), text);
    }
  });
}

}  // namespace assay::suites

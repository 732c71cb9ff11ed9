// Several threads that use one allocator (MEM-026).
#include "harness/suite/unsupported_case.hpp"
#include "suites/memory/support.hpp"

namespace assay::suites {
namespace {

void need_threads(const Session& subject) {
  if (!subject.info().threads) throw NotOffered("the subject takes commands from one thread only");
}

/// Allocates blocks, writes to them, checks their contents, and frees them.
Block taking_and_freeing(Session& subject, const StreamObject& stream, int byte) {
  return subject.block([&](Session& s) {
    std::vector<MemoryBlock> blocks;
    for (int i = 0; i < 6; ++i) {
      blocks.push_back(s.memory().allocate(512 << i, {.stream = stream}));
      blocks.back().write(byte, {.stream = stream});
      if (i % 2 == 0) blocks.back().record_stream(s.runtime().default_stream());
    }
    for (const MemoryBlock& block : blocks) {
      block.read(0, 4);
      block.free();
    }
  });
}

}  // namespace

CASES("memory/threads") {
  on_cuda("a_block_may_be_freed_by_another_thread", {"MEM-026", "MEM-004"}, [](Session& subject) {
    need_threads(subject);
    const auto stream = subject.runtime().pool_stream();
    const auto other = subject.runtime().pool_stream();
    const MemoryBlock block = subject.memory().allocate(512, {.stream = stream});
    const BlockInfo place = block.info();

    subject.on("there", subject.block([&](Session& s) {
      s.runtime().set_current_stream(other);
      block.free();
    }));

    const MemoryBlock theirs = subject.memory().allocate(512, {.stream = other});
    expect_true(theirs.info().segment != place.segment, "it kept its stream");
    const MemoryBlock ours = subject.memory().allocate(512, {.stream = stream});
    expect_same_place(ours.info(), place);
  });

  on_cuda("a_request_is_for_the_thread_s_own_stream", {"MEM-026", "MEM-022"}, [](Session& subject) {
    need_threads(subject);
    const auto stream = subject.runtime().pool_stream();

    subject.on("there", subject.block([&](Session& s) {
      s.runtime().set_current_stream(stream);
      s.memory().allocate(512);
    }));
    subject.memory().allocate(512);

    std::int64_t sum = 0;
    for (const SegmentInfo& segment : subject.memory().segments()) {
      sum += segment.stream;
    }
    expect_equal(static_cast<std::int64_t>(subject.memory().segments().size()), 2);
    expect_equal(sum, stream.id());
  });

  on_cuda("threads_that_allocate_at_once_lose_nothing", {"MEM-026", "MEM-021"},
          [](Session& subject) {
            need_threads(subject);
            const auto one = subject.runtime().pool_stream();
            const auto two = subject.runtime().pool_stream();

            subject.together({{"a", taking_and_freeing(subject, one, 0x11)},
                              {"b", taking_and_freeing(subject, one, 0x22)},
                              {"c", taking_and_freeing(subject, two, 0x33)}},
                             25);

            subject.runtime().synchronize_device();
            subject.memory().empty_cache();
            expect_counters(subject, {{"allocation", 0},
                                      {"allocation.all.allocated", 450},
                                      {"allocation.all.freed", 450},
                                      {"active_bytes", 0},
                                      {"reserved_bytes", 0}});
            expect_equal(subject.sim().live().device_blocks, 0);
          });

  on_cuda(
      "the_cache_may_be_emptied_while_others_allocate", {"MEM-026", "MEM-016"},
      [](Session& subject) {
        need_threads(subject);
        const auto stream = subject.runtime().pool_stream();
        const Block empties = subject.block([](Session& s) {
          for (int i = 0; i < 4; ++i) s.memory().empty_cache();
        });

        subject.together({{"a", taking_and_freeing(subject, stream, 0x11)}, {"b", empties}}, 25);

        subject.memory().empty_cache();
        expect_counters(subject, {{"allocation", 0}, {"reserved_bytes", 0}});
      });

  on_cuda("an_observer_may_free_memory", {"MEM-026", "MEM-013"}, [](Session& subject) {
    limit_memory(subject, 64 * kMiB, 0.5);
    const MemoryBlock kept = subject.memory().allocate(512);
    subject.memory().set_observer(
        subject.callback("frees", subject.block([&](Session&) { kept.free(); })));

    expect_error([&] { subject.memory().allocate(100 * kMiB); }, ErrorKind::kOutOfMemory);

    expect_counters(subject, {{"allocation", 0}});
  });
}

}  // namespace assay::suites

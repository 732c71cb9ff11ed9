// The choice of a free block (MEM-004), merging of free blocks (MEM-005), and errors of freeing
// (MEM-020).
#include "harness/suite/itself.hpp"
#include "suites/memory/support.hpp"

namespace assay::suites {
namespace {

/// Free blocks of these sizes in one segment, each between two allocated blocks.
class Holes {
 public:
  Holes(Session& subject, const std::vector<std::int64_t>& sizes) {
    std::vector<MemoryBlock> holes;
    walls_.push_back(subject.memory().allocate(512));
    for (const std::int64_t size : sizes) {
      holes.push_back(subject.memory().allocate(size));
      walls_.push_back(subject.memory().allocate(512));
    }
    for (const MemoryBlock& hole : holes) {
      at_.push_back(hole.info().address);
      hole.free();
    }
  }
  std::int64_t at(std::size_t index) const { return at_[index]; }

 private:
  std::vector<MemoryBlock> walls_;
  std::vector<std::int64_t> at_;
};

/// `allocated 512, free 1024`: the blocks of the segment at that address.
std::string parts_of(Session& subject, std::int64_t segment) {
  std::string text;
  for (const SegmentInfo& each : subject.memory().segments()) {
    if (each.address != segment) continue;
    for (const SegmentInfo::Part& part : each.blocks) {
      text += (text.empty() ? "" : ", ") + part.state + " " + std::to_string(part.size_bytes);
    }
  }
  return text;
}

}  // namespace

CASES("memory/reuse") {
  on_cuda("a_freed_block_is_given_again_at_once_on_its_stream", {"MEM-004"}, [](Session& subject) {
    const auto stream = subject.runtime().pool_stream();
    const auto gate = subject.runtime().gate(stream);
    const MemoryBlock first = subject.memory().allocate(512, {.stream = stream});
    const BlockInfo place = first.info();
    first.write(7, {.stream = stream});

    first.free();  // safe with pending work, because the stream is in order

    const MemoryBlock again = subject.memory().allocate(512, {.stream = stream});
    expect_same_place(again.info(), place);
    gate.open();
  });

  on_cuda("a_free_block_never_goes_to_another_stream", {"MEM-004"}, [](Session& subject) {
    const auto one = subject.runtime().pool_stream();
    const auto two = subject.runtime().pool_stream();
    const MemoryBlock first = subject.memory().allocate(512, {.stream = one});
    const BlockInfo place = first.info();
    first.free();
    subject.runtime().synchronize_device();

    const MemoryBlock other = subject.memory().allocate(512, {.stream = two});  // V-83, T29
    expect_true(other.info().segment != place.segment, "it has a segment of its own");
    expect_counters(subject, {{"reserved_bytes", 4'194'304}});

    const MemoryBlock again = subject.memory().allocate(512, {.stream = one});  // V-84
    expect_same_place(again.info(), place);
  });

  on_cuda("the_default_stream_is_a_stream_like_others", {"MEM-004"}, [](Session& subject) {
    const auto stream = subject.runtime().pool_stream();
    const MemoryBlock first = subject.memory().allocate(512);
    const BlockInfo place = first.info();
    first.free();

    const MemoryBlock other = subject.memory().allocate(512, {.stream = stream});
    expect_true(other.info().segment != place.segment, "it has a segment of its own");
    const MemoryBlock third =
        subject.memory().allocate(512, {.stream = subject.runtime().default_stream()});
    expect_same_place(third.info(), place);
  });

  on_cuda("two_values_of_one_queue_share_their_blocks", {"MEM-004"}, [](Session& subject) {
    const auto pool = subject.runtime().pool_stream();
    const auto alias = subject.runtime().external_stream(pool.handle().handle, subject.device(0));
    const MemoryBlock first = subject.memory().allocate(512, {.stream = pool});
    const BlockInfo place = first.info();
    first.free();

    const MemoryBlock again = subject.memory().allocate(512, {.stream = alias});

    expect_same_place(again.info(), place);
  });

  on_cuda("the_smallest_block_that_fits_is_taken", {"MEM-004"}, [](Session& subject) {
    const Holes holes(subject, {4096, 1024, 2048});

    expect_equal(subject.memory().allocate(1536).info().address, holes.at(2));
    expect_equal(subject.memory().allocate(1024).info().address, holes.at(1));
    expect_equal(subject.memory().allocate(4096).info().address, holes.at(0));
  });

  on_cuda("of_equal_blocks_the_one_at_the_lowest_address_is_taken", {"MEM-004"},
          [](Session& subject) {
            const Holes holes(subject, {1024, 1024, 1024});

            for (const std::size_t index : {0U, 1U, 2U}) {
              expect_equal(subject.memory().allocate(1000).info().address, holes.at(index));
            }
          });

  on_cuda("of_equal_blocks_the_one_in_the_oldest_segment_is_taken", {"MEM-004"},
          [](Session& subject) {
            // Drivers often give later segments lower addresses.
            const MemoryClient memory = subject.memory();
            std::vector<MemoryBlock> blocks;
            std::vector<std::int64_t> places;
            for (int i = 0; i < 4; ++i) {
              blocks.push_back(memory.allocate(12 * kMiB));
              places.push_back(blocks.back().info().address);
            }
            for (const std::size_t index : {2U, 0U, 3U, 1U}) blocks[index].free();

            for (const std::int64_t place : places) {
              expect_equal(memory.allocate(12 * kMiB).info().address, place);
            }
          })
      .since(Release::k2_12);

  on_cuda("small_and_large_blocks_do_not_mix", {"MEM-004", "MEM-002"}, [](Session& subject) {
    const MemoryBlock large = subject.memory().allocate(3 * kMiB);
    const MemoryBlock small = subject.memory().allocate(512);

    expect_true(small.info().segment != large.info().segment, "a segment of the small pool");
    small.free();
    const MemoryBlock third = subject.memory().allocate(kMiB + 1);
    expect_equal(third.info().segment, large.info().segment);
  });

  on_cuda("a_freed_block_grows_together_with_free_neighbours", {"MEM-005"}, [](Session& subject) {
    std::vector<MemoryBlock> blocks;
    for (int i = 0; i < 4; ++i) blocks.push_back(subject.memory().allocate(512 * kKiB));
    const std::int64_t segment = blocks[0].info().segment;
    expect_equal(parts_of(subject, segment),
                 "allocated 524288, allocated 524288, allocated 524288, "
                 "allocated 524288");

    blocks[0].free();
    blocks[2].free();
    expect_equal(parts_of(subject, segment),
                 "free 524288, allocated 524288, free 524288, allocated 524288");
    blocks[1].free();
    expect_equal(parts_of(subject, segment), "free 1572864, allocated 524288");
    blocks[3].free();
    expect_equal(parts_of(subject, segment), "free 2097152");
    expect_counters(subject, {{"inactive_split", 0}});
  });

  on_cuda("blocks_of_two_segments_do_not_grow_together", {"MEM-005"}, [](Session& subject) {
    const MemoryBlock first = subject.memory().allocate(12 * kMiB);
    const MemoryBlock second = subject.memory().allocate(12 * kMiB);
    first.free();
    second.free();

    expect_equal(static_cast<std::int64_t>(subject.memory().segments().size()), 2);
    const MemoryBlock third = subject.memory().allocate(24 * kMiB);
    expect_counters(subject, {{"segment", 3}});
  });

  on_cuda("a_block_that_waits_for_events_stays_by_itself", {"MEM-005", "MEM-007"},
          [](Session& subject) {
            const auto other = subject.runtime().pool_stream();
            const MemoryBlock first = subject.memory().allocate(512 * kKiB);
            const MemoryBlock second = subject.memory().allocate(512 * kKiB);
            const MemoryBlock third = subject.memory().allocate(kMiB);
            const std::int64_t segment = first.info().segment;
            const auto gate = subject.runtime().gate(other);
            second.record_stream(other);

            second.free();
            first.free();
            third.free();
            expect_equal(parts_of(subject, segment), "free 524288, pending 524288, free 1048576");

            gate.open();
            subject.memory().allocate(3 * kMiB);  // processes events
            expect_equal(parts_of(subject, segment), "free 2097152");
          });

  on_cuda("each_part_of_a_block_keeps_what_was_written_to_it", {"MEM-003"}, [](Session& subject) {
    const MemoryBlock block = subject.memory().allocate(1024);
    block.write(0x11, {.count = 1024});
    block.write(0x22, {.offset = 512, .count = 16});

    expect_equal(block.read(0, 2), "1111");
    expect_equal(block.read(511, 2), "1122");
    expect_equal(block.read(527, 2), "2211");
  });

  on_cuda("all_of_a_large_block_is_written", {"MEM-003"}, [](Session& subject) {
    const MemoryBlock block = subject.memory().allocate(20'000);
    block.write(0x11);
    block.write(0x22, {.offset = 100, .count = 10'000});

    expect_equal(block.read(98, 4), "11112222");
    for (const std::int64_t at : {4096, 8191, 8192, 10'096})
      expect_equal(block.read(at, 4), "22222222");
    expect_equal(block.read(10'098, 4), "22221111");
    for (const std::int64_t at : {12'287, 16'384, 19'996})
      expect_equal(block.read(at, 4), "11111111");
  });

  on_cuda("the_null_pointer_may_be_freed", {"MEM-020"}, [](Session& subject) {
    subject.memory().free_address(0);
    subject.memory().allocate(0).free();

    expect_counters(subject, {{"allocation.all.freed", 0}});
  });

  on_cuda("what_is_not_allocated_cannot_be_freed", {"MEM-020"}, [](Session& subject) {
    const MemoryBlock block = subject.memory().allocate(1024);
    const std::int64_t address = block.info().address;

    expect_error([&] { subject.memory().free_address(address + 512); }, ErrorKind::kError,
                 {"invalid device pointer:"});
    expect_error([&] { subject.memory().free_address(12345); }, ErrorKind::kError,
                 {"invalid device pointer:"});
    expect_counters(subject, {{"allocation", 1}});

    subject.memory().free_address(address);
    expect_counters(subject, {{"allocation", 0}});
    expect_error([&] { subject.memory().free_address(address); }, ErrorKind::kError,
                 {"invalid device pointer:"});
    expect_error([&] { block.free(); }, ErrorKind::kError, {"invalid device pointer:"});
    expect_counters(subject, {{"allocation", 0}, {"allocation.all.freed", 1}});
  });

  on_cuda("a_device_without_an_allocator_is_an_internal_error", {"MEM-020"}, [](Session& subject) {
    expect_cuda_itself(subject);
    const Device nowhere = cuda(99);

    expect_error([&] { subject.memory().stats(nowhere); }, ErrorKind::kInternal,
                 {"did you call init?"});
    expect_error([&] { subject.memory().reset_peak(nowhere); }, ErrorKind::kInternal,
                 {"did you call init?"});
  });

  on_cuda("a_request_is_served_on_the_current_stream_of_the_current_device", {"MEM-022"},
          [](Session& subject) {
            const auto stream = subject.runtime().pool_stream({.device = subject.device(1)});
            subject.runtime().set_device(subject.device(1));
            subject.runtime().set_current_stream(stream);

            const MemoryBlock made = subject.memory().allocate(512);

            const auto segments = subject.memory().segments(subject.device(1));
            expect_equal(segments.at(0).stream, stream.id());
            expect_equal(segments.at(0).address, made.info().segment);
            expect_true(subject.memory().segments(subject.device(0)).empty(),
                        "the first device has no segments");
          });

  on_cuda("a_request_for_another_device_leaves_the_current_one", {"MEM-022"}, [](Session& subject) {
    const auto stream = subject.runtime().pool_stream({.device = subject.device(1)});
    subject.runtime().set_current_stream(stream);

    const MemoryBlock made = subject.memory().allocate(512, {.device = subject.device(1)});

    expect_equal(subject.memory().segments(subject.device(1)).at(0).stream, stream.id());
    expect_equal(subject.runtime().get_device(), subject.device(0));
    made.free();
    expect_equal(subject.runtime().get_device(), subject.device(0));
  });

  on_cuda("the_stream_of_a_request_may_be_named", {"MEM-022"}, [](Session& subject) {
    const auto stream = subject.runtime().pool_stream();

    const MemoryBlock made = subject.memory().allocate(512, {.stream = stream});

    expect_equal(subject.memory().segments().at(0).stream, stream.id());
    made.write(0x5a, {.count = 16, .stream = stream});
    subject.runtime().synchronize_device();
    expect_equal(made.read(0, 4), "5a5a5a5a");
  });

  on_cuda("bytes_of_one_block_are_no_bytes_of_another", {"MEM-022"}, [](Session& subject) {
    std::vector<MemoryBlock> blocks;
    for (int i = 0; i < 8; ++i) {
      blocks.push_back(subject.memory().allocate(512));
      blocks.back().write(i + 1);
    }
    for (int i = 0; i < 8; ++i) {
      const std::string byte = "0" + std::to_string(i + 1);
      expect_equal(blocks[static_cast<std::size_t>(i)].read(0, 1), byte);
      expect_equal(blocks[static_cast<std::size_t>(i)].read(511, 1), byte);
    }
  });
}

}  // namespace assay::suites

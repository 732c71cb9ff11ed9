// The allocator, by the test vectors of the specification: blocks, streams, events, limits.
#include <gtest/gtest.h>

#include "reference/core/types/error.hpp"
#include "reference/memory/caching_allocator.hpp"

namespace assay::reference {
namespace {

constexpr std::uint64_t kMega = std::uint64_t{1} << 20;

class MemoryAllocator : public ::testing::Test {
 protected:
  Address malloc(std::uint64_t size, const Stream& stream) {
    return allocator().malloc(0, size, stream);
  }
  Address malloc(std::uint64_t size) { return malloc(size, Stream{cuda_device(0), 0}); }
  void free(Address address) { allocator().free(address); }
  CachingAllocator& allocator() { return allocator_of(runtime_); }
  DeviceStats stats() { return allocator().stats(0); }
  BlockFacts facts(Address address) { return allocator().facts_of(address).value(); }
  std::uint64_t offset(Address address) { return address - facts(address).segment; }
  Driver& driver() { return driver_of(runtime_); }

  Stream stream() {
    StreamHandle handle = 0;
    EXPECT_EQ(driver().stream_create(handle, true, 0), Code::kSuccess);
    return {cuda_device(0), static_cast<std::int64_t>(handle)};
  }
  GateHandle gate(const Stream& on) {
    GateHandle gate = 0;
    EXPECT_EQ(driver().gate(static_cast<StreamHandle>(on.id), gate, 10000), Code::kSuccess);
    return gate;
  }
  void expect_inactive(std::int64_t count, std::int64_t bytes) {
    EXPECT_EQ(stats().inactive_split.of[0].current, count);
    EXPECT_EQ(stats().inactive_split_bytes.of[0].current, bytes);
  }
  void expect_bytes(std::int64_t allocated, std::int64_t reserved) {
    EXPECT_EQ(stats().allocated_bytes.of[0].current, allocated);
    EXPECT_EQ(stats().reserved_bytes.of[0].current, reserved);
  }

  Runtime runtime_;
};

TEST_F(MemoryAllocator, SmallBlocksShareSegmentsAndMerge) {  // V-67 to V-72
  const Address byte = malloc(1);
  expect_bytes(512, 2097152);
  expect_inactive(1, 2096640);
  EXPECT_EQ(stats().requested_bytes.of[0].current, 1);

  const Address first = malloc(kMega);
  expect_bytes(1049088, 2097152);
  expect_inactive(1, 1048064);
  EXPECT_EQ(offset(first), 512u);

  const Address second = malloc(kMega);
  expect_bytes(2097664, 4194304);
  expect_inactive(2, 2096640);
  EXPECT_NE(facts(second).segment, facts(first).segment);

  free(byte);
  expect_inactive(3, 2097152);
  free(first);
  expect_inactive(1, 1048576);
  free(second);
  expect_inactive(0, 0);
  expect_bytes(0, 4194304);

  allocator().empty_cache();
  expect_bytes(0, 0);
  EXPECT_EQ(stats().segment.of[0].current, 0);
}

TEST_F(MemoryAllocator, LargeBlocksSplitAboveOneMebibyteOnly) {  // V-73 to V-75
  malloc(5 * kMega);
  expect_bytes(5242880, 20971520);
  expect_inactive(1, 15728640);

  malloc(19 * kMega + kMega / 2);
  expect_bytes(26214400, 41943040);
  EXPECT_EQ(stats().requested_bytes.of[0].current, 25690112);

  EXPECT_EQ(offset(malloc(15 * kMega)), 5242880u);
  expect_inactive(0, 0);
}

TEST_F(MemoryAllocator, ARestOfExactlyOneMebibyteStays) {  // V-76
  EXPECT_EQ(facts(malloc(19 * kMega)).size, 20971520u);
  EXPECT_EQ(facts(malloc(19 * kMega - 512)).size, 19922432u);
}

TEST_F(MemoryAllocator, ABlockStaysWithItsStream) {  // V-83, V-84
  const Stream one = stream();
  const Stream other = stream();
  const Address first = malloc(512, one);
  const Address segment = facts(first).segment;
  free(first);

  EXPECT_NE(facts(malloc(512, other)).segment, segment);
  EXPECT_EQ(stats().reserved_bytes.of[0].current, 4194304);
  EXPECT_EQ(malloc(512, one), first);
}

TEST_F(MemoryAllocator, AnotherStreamsUseHoldsABlockBackByOneEvent) {  // V-85
  const Stream one = stream();
  const Stream other = stream();
  const Address block = malloc(2 * kMega, one);
  const GateHandle closed = gate(other);
  for (const Stream& user : {other, one, other}) allocator().record_stream(block, user);

  driver().take_log();
  free(block);

  EXPECT_EQ(stats().allocation.of[0].current, 0);
  EXPECT_EQ(stats().active.of[0].current, 1);
  EXPECT_EQ(stats().active_bytes.of[0].current, 2097152);
  EXPECT_EQ(driver().live().events, 1);
  EXPECT_EQ(offset(malloc(2 * kMega, one)), 2097152u);

  driver().open(closed);
  EXPECT_EQ(offset(malloc(2 * kMega, one)), 0u);
}

TEST_F(MemoryAllocator, StreamsDoNotHoldUpEachOther) {  // V-86
  const Stream one = stream();
  const Stream second = stream();
  const Stream third = stream();
  const GateHandle closed = gate(second);
  const Address p = malloc(30 * kMega, one);
  const Address q = malloc(40 * kMega, one);
  allocator().record_stream(p, second);
  allocator().record_stream(q, second);
  allocator().record_stream(q, third);
  free(p);
  free(q);
  const auto active = [&] {
    free(malloc(1, one));
    return stats().active_bytes.of[0].current;
  };

  EXPECT_EQ(active(), 73400320);
  driver().open(closed);
  EXPECT_EQ(active(), 0);
}

TEST_F(MemoryAllocator, PendingBlocksAreWaitedForBeforeMemoryIsOut) {  // V-87, V-88
  const Stream one = stream();
  const Stream other = stream();
  driver().shape_machine({.memory_bytes = 128 * kMega});
  allocator().set_fraction(0, 0.5);
  const Address x = malloc(30 * kMega, one);
  malloc(30 * kMega, one);
  allocator().record_stream(x, other);
  free(x);

  EXPECT_NE(malloc(32 * kMega, one), 0u);
  EXPECT_EQ(stats().num_alloc_retries, 1);
  EXPECT_EQ(stats().num_device_free, 1);
  EXPECT_EQ(stats().num_ooms, 0);

  try {
    malloc(20 * kMega, one);
    ADD_FAILURE() << "there is no memory left";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kOutOfMemory);
    EXPECT_NE(error.message().find("Tried to allocate 20.00 MiB"), std::string::npos);
  }
  EXPECT_EQ(stats().num_alloc_retries, 2);
  EXPECT_EQ(stats().num_ooms, 1);
  EXPECT_EQ(stats().allocated_bytes.of[0].current, 65011712);
}

TEST_F(MemoryAllocator, WhatIsNotAllocatedCannotBeFreed) {
  const Address block = malloc(1024);
  free(0);
  free(block);

  EXPECT_THROW(free(block), Error);
  EXPECT_THROW(free(block + 512), Error);
  EXPECT_THROW(allocator().of_device(9), Error);
}

}  // namespace
}  // namespace assay::reference

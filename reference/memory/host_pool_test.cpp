// Pinned memory: sizes, streams, and reuse of blocks.
#include "reference/memory/host_pool.hpp"

#include <gtest/gtest.h>

#include "reference/core/types/error.hpp"
#include "reference/runtime/streams/pool.hpp"
#include "reference/runtime/work.hpp"

namespace assay::reference {
namespace {

TEST(MemoryHostPool, SizesArePowersOfTwoSince2) {
  Runtime later;
  Runtime first(Contract{.release = Release::k1_13});
  const auto size = [](Runtime& runtime) {
    HostPool& pool = host_pool_of(runtime);
    return pool.facts_of(pool.allocate(5000)).size;
  };

  EXPECT_EQ(size(later), 8192u);
  EXPECT_EQ(size(first), 5000u);
  EXPECT_EQ(host_pool_of(later).allocate(0), 0u);
}

TEST(MemoryHostPool, ABlockWaitsForEveryStreamThatUsesIt) {
  Runtime runtime;
  HostPool& pool = host_pool_of(runtime);
  const Stream one = stream_from_pool(runtime, 0, 0);
  const Stream other = stream_from_pool(runtime, 0, 1);
  const GateHandle first = put_gate(runtime, one, 10000);
  const GateHandle second = put_gate(runtime, other, 10000);
  const Address block = pool.allocate(4096);
  EXPECT_TRUE(pool.record(block, one));
  EXPECT_TRUE(pool.record(block, other));
  EXPECT_FALSE(pool.record(block + HostPool::kForeign, one));

  pool.free(block);

  EXPECT_NE(pool.allocate(4096), block);
  driver_of(runtime).open(first);
  EXPECT_NE(pool.allocate(4096), block);
  driver_of(runtime).open(second);
  EXPECT_EQ(pool.allocate(4096), block);
}

TEST(MemoryHostPool, AFreeWhoseEventFailsHasNotHappened) {
  Runtime runtime;
  HostPool& pool = host_pool_of(runtime);
  const Stream stream = stream_from_pool(runtime, 0, 0);
  const Address block = pool.allocate(4096);
  pool.record(block, stream);
  driver_of(runtime).set_fault_plan({{.call = "event_record", .code = Code::kInvalidHandle}});

  EXPECT_THROW(pool.free(block), Error);

  EXPECT_EQ(driver_of(runtime).live().events, 0);
  pool.free(block);
  EXPECT_EQ(pool.allocate(4096), block);
}

}  // namespace
}  // namespace assay::reference

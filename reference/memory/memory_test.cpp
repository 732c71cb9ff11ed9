// Errors of option texts; operators are executed in stream order, and readers wait for them.
#include <gtest/gtest.h>

#include "reference/core/math/elementwise.hpp"
#include "reference/core/tensor/copy.hpp"
#include "reference/core/tensor/factory.hpp"
#include "reference/core/tensor/fill.hpp"
#include "reference/core/tensor/storage_memory.hpp"
#include "reference/core/types/element.hpp"
#include "reference/core/types/error.hpp"
#include "reference/memory/caching_allocator.hpp"
#include "reference/memory/config.hpp"
#include "reference/memory/tensor_memory.hpp"
#include "reference/runtime/streams/pool.hpp"
#include "reference/runtime/streams/stream.hpp"
#include "reference/runtime/work.hpp"

namespace assay::reference {
namespace {

AllocatorConfig parsed(const std::string& text, Release release = Release::k2_11) {
  AllocatorConfig config;
  parse_options(config, text, release);
  return config;
}

ErrorKind refusal(const std::string& text, Release release = Release::k2_11) {
  try {
    parsed(text, release);
  } catch (const Error& error) {
    return error.kind();
  }
  ADD_FAILURE() << "'" << text << "' was taken";
  return ErrorKind::kError;
}

TEST(MemoryConfig, WrongValuesAreValueErrorsSince2_11) {
  for (const char* text :
       {"foo:1", "max_split_size_mb:19", "max_split_size_mb:x", "garbage_collection_threshold:0",
        "garbage_collection_threshold:1", "expandable_segments:true", "roundup_power2_divisions:3",
        "roundup_power2_divisions:0", "roundup_power2_divisions:[300:1]", "backend:foo", ","}) {
    EXPECT_EQ(refusal(text), ErrorKind::kValue) << text;
  }
  EXPECT_EQ(refusal("foo:1", Release::k2_4), ErrorKind::kError);
  EXPECT_EQ(refusal("expandable_segments:True", Release::k1_13), ErrorKind::kError);
}

TEST(MemoryConfig, ATextThatEndsTooEarlyIsAnInternalError) {
  EXPECT_EQ(refusal("max_split_size_mb"), ErrorKind::kInternal);
  EXPECT_EQ(refusal("roundup_power2_divisions:[256:1"), ErrorKind::kInternal);
}

// Operators are executed in stream order, and readers wait for them.

class StreamQueues : public ::testing::Test {
 protected:
  StreamQueues() { use_devices(runtime_); }

  Tensor number(double value, Device device) {
    return scalar_tensor(runtime_, value, ScalarType::kFloat, device);
  }
  /// Makes a stream with a closed gate the current stream of the device.
  GateHandle closed_stream(int device = 0) {
    const Stream stream = stream_from_pool(runtime_, 0, device);
    set_current_stream(runtime_, stream);
    return put_gate(runtime_, stream, 10000);
  }
  void open(GateHandle gate) { driver_of(runtime_).open(gate); }
  /// Reads the value without waiting.
  static double now(const Tensor& tensor) { return real_at(tensor, 0); }

  Runtime runtime_;
};

TEST_F(StreamQueues, AnOperatorReturnsBeforeItsKernelRuns) {  // STR-030
  const Tensor x = number(3, cuda_device(0));
  const GateHandle gate = closed_stream();

  const Tensor sum = add(runtime_, x, x);
  fill_(runtime_, x, Scalar(7.0));

  EXPECT_NE(now(sum), 6);
  EXPECT_EQ(now(x), 3);
  open(gate);
  EXPECT_EQ(item(runtime_, sum).real(), 6);
  EXPECT_EQ(now(x), 7);
}

TEST_F(StreamQueues, WorkFollowsTheDeviceOfTheTensor) {
  const Tensor x = number(3, cuda_device(1));
  const GateHandle gate = closed_stream(1);

  fill_(runtime_, x, Scalar(7.0));

  EXPECT_EQ(runtime_.current_device(), 0);
  EXPECT_EQ(now(x), 3);
  open(gate);
  EXPECT_EQ(now(x), 7);
}

TEST_F(StreamQueues, APageableSourceIsReadInTheCall) {  // STR-033, LT-39
  const Tensor host = number(1, kCpuDevice);
  const Tensor target = number(0, cuda_device(0));
  const GateHandle gate = closed_stream();

  copy_(runtime_, target, host, true);
  set_real_at(host, 0, 2);

  EXPECT_EQ(now(target), 0);
  open(gate);
  EXPECT_EQ(now(target), 1);
}

TEST_F(StreamQueues, APinnedSourceIsReadInItsTurn) {  // STR-033, LT-38
  const Tensor host = pinned(runtime_, number(1, kCpuDevice));
  const Tensor target = number(0, cuda_device(0));
  const GateHandle gate = closed_stream();

  copy_(runtime_, target, host, true);
  set_real_at(host, 0, 2);
  open(gate);

  EXPECT_EQ(now(target), 2);
}

TEST_F(StreamQueues, ANonBlockingCopyToTheHostIsPinned) {  // MEM-028, LT-40
  const Tensor source = number(5, cuda_device(0));
  const GateHandle gate = closed_stream();

  const Tensor host = to(runtime_, source, {.device = kCpuDevice, .non_blocking = true});

  EXPECT_TRUE(is_pinned(host));
  EXPECT_NE(now(host), 5);
  open(gate);
  EXPECT_EQ(now(host), 5);
}

TEST_F(StreamQueues, ACopyBetweenDevicesIsATwoWayBarrier) {  // STR-031
  const Tensor source = number(5, cuda_device(0));
  const Tensor target = number(0, cuda_device(1));
  const GateHandle before = closed_stream(1);

  copy_(runtime_, target, source);
  const Tensor after = add(runtime_, target, target);

  EXPECT_EQ(now(target), 0);
  open(before);
  EXPECT_EQ(now(target), 5);
  EXPECT_EQ(now(after), 10);
}

TEST_F(StreamQueues, MemoryIsFreeWhileWorkStillUsesItsBytes) {
  Tensor x = number(3, cuda_device(0));
  const GateHandle gate = closed_stream();
  const Tensor sum = add(runtime_, x, x);
  const auto allocated = [&] { return allocator_of(runtime_).stats(0).allocation.of[0].current; };
  EXPECT_EQ(allocated(), 2);

  x = {};

  EXPECT_EQ(allocated(), 1);
  open(gate);
  EXPECT_EQ(now(sum), 6);
}

}  // namespace
}  // namespace assay::reference

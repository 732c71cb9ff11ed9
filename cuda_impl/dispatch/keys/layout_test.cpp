// Key layouts: slots of sets, kept keys of tensors, and keys of threads.
#include "cuda_impl/dispatch/keys/layout.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "cuda_impl/core/error.hpp"
#include "cuda_impl/dispatch/keys/tensor_keys.hpp"
#include "cuda_impl/dispatch/keys/thread_keys.hpp"

namespace assay::cuda::dispatch {
namespace {

using enum Functionality;

const Layout& newest() { return Layout::of(kNewestRelease); }

TEST(Layout, FindsTheSlotOfASetByItsHighestBits) {
  const SlotMap& map = newest().slot_map();

  EXPECT_EQ(map.slot_of({}), 0U);
  EXPECT_EQ(map.slot_of(KeySet::of_pytorch_bits(0x3)), 0U);
  EXPECT_EQ(map.slot_of(newest().set_of({Key(kSparse, Backend::kCpu), Key(Backend::kCuda)})), 39U);
  EXPECT_EQ(map.slot_of(newest().set_of(kPythonDispatcher)), 136U);
  for (unsigned slot = 1; slot < 137; ++slot) {
    EXPECT_EQ(map.slot_of(newest().set_of(newest().key_at(slot))), slot);
  }
}

TEST(TensorKeys, AreWorkedOutOnceAndKept) {
  const Tensor tensor = empty({1}, Dtype::kFloat32, kCpu);
  EXPECT_EQ(key_word(newest(), tensor).bits, kUnknownKeys);

  EXPECT_EQ(keys_of(newest(), tensor).pytorch_bits(), 0x0000009400010001U);

  EXPECT_EQ(key_word(newest(), tensor).pytorch_bits(), 0x0000009400010001U);
  EXPECT_EQ(key_word(newest(), Tensor()).pytorch_bits(), 0x0000000c00000000U);
}

TEST(ThreadKeys, AreTheDefaultsOnEveryThread) {
  const Contract contract;
  const ThreadKeys defaults = default_keys(newest());
  const KeyGuard guard(contract, Which::kIncluded, newest().set_of(kTracer));
  ThreadKeys there;

  std::thread([&] { there = thread_keys(newest()); }).join();

  EXPECT_EQ(there, defaults);
  EXPECT_NE(thread_keys(newest()), defaults);
}

}  // namespace
}  // namespace assay::cuda::dispatch

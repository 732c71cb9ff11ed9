// Key layouts of the releases: slots, sets, aliases and guards.
#include "cuda_impl/dispatch/keys/layout.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "cuda_impl/core/error.hpp"
#include "cuda_impl/dispatch/keys/tensor_keys.hpp"
#include "cuda_impl/dispatch/keys/thread_keys.hpp"

namespace assay::cuda::dispatch {
namespace {

using enum Functionality;

const Layout& newest() { return Layout::of(Release::k2_11); }

TEST(Layout, HasTheSlotsOfItsRelease) {
  EXPECT_EQ(Layout::of(Release::k1_13).slots(), 106);
  EXPECT_EQ(Layout::of(Release::k2_4).slots(), 130);
  EXPECT_EQ(newest().slots(), 138);
  EXPECT_EQ(newest().full().pytorch_bits(), 0x7fffffffffffffffU);
}

TEST(Layout, FindsTheSlotOfASetByItsHighestBits) {
  const SlotMap& map = newest().slot_map();

  EXPECT_EQ(map.slot_of({}), 0U);
  EXPECT_EQ(map.slot_of(KeySet::of_pytorch_bits(0x3)), 0U);
  EXPECT_EQ(map.slot_of(newest().set_of({Key(kSparse, Backend::kCpu), Key(Backend::kCuda)})), 39U);
  EXPECT_EQ(map.slot_of(newest().set_of(kPythonDispatcher)), 137U);
  for (unsigned slot = 1; slot < 138; ++slot) {
    EXPECT_EQ(map.slot_of(newest().set_of(newest().key_at(slot))), slot);
  }
}

TEST(Layout, TakesFunctionalitiesAndLeavesBackends) {
  const KeySet set =
      newest().set_of({Key(Backend::kCpu), Key(Backend::kCuda), Key(kAutograd, Backend::kCpu)});

  const KeySet left = newest().minus(set, newest().set_of(Backend::kCuda));

  EXPECT_EQ(newest().text(left), "DispatchKeySet(AutogradCPU, AutogradCUDA)");
}

TEST(Layout, ReadsEveryNameThatItPrints) {
  const Contract strict{Release::k1_13, true};
  const Contract compat{Release::k1_13, false};
  const Layout& old = Layout::of(Release::k1_13);

  for (unsigned slot = 1; slot < 106; ++slot) {
    EXPECT_EQ(old.parse(name_of(old.key_at(slot)), strict), old.key_at(slot));
  }
  EXPECT_THROW(static_cast<void>(old.parse("QuantizedHIP", compat)), Error);
  EXPECT_THROW(static_cast<void>(old.parse("CatchAll", strict)), Error);
}

TEST(TensorKeys, AreWorkedOutOnceAndKept) {
  const Tensor tensor = empty({1}, Dtype::kFloat32, kCpu);
  EXPECT_EQ(key_word(tensor).bits, kUnknownKeys);

  EXPECT_EQ(keys_of(newest(), tensor).pytorch_bits(), 0x0000012800010001U);

  EXPECT_EQ(key_word(tensor).pytorch_bits(), 0x0000012800010001U);
  EXPECT_EQ(key_word(Tensor()), kUndefinedKeys);
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

TEST(KeyGuard, LeavesNoBitBehindUnlessPyTorchDoes) {
  for (const bool is_strict : {true, false}) {
    const Contract contract{Release::k2_11, is_strict};
    { const KeyGuard guard(contract, Which::kIncluded, newest().set_of(Backend::kCuda)); }
    EXPECT_EQ(thread_keys(newest()) == default_keys(newest()), is_strict);
    reset_thread_keys();
  }
}

}  // namespace
}  // namespace assay::cuda::dispatch

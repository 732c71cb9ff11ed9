// Key sets of the three layouts.
#include "reference/dispatch/keys/key_set.hpp"

#include <gtest/gtest.h>

namespace assay::reference {
namespace {

TEST(KeySet, has_the_bits_that_each_release_gives_it) {
  const DispatchKey cuda_gradient = {Functionality::kAutogradFunctionality, Backend::kCUDA};

  EXPECT_EQ(set_of(KeyLayout::of(Release::k1_13), {Backend::kCPU, cuda_gradient}).bits,
            0x0000002000004003u);
  EXPECT_EQ(set_of(KeyLayout::of(Release::k2_11), {Backend::kCPU, cuda_gradient}).bits,
            0x0000002000010003u);
}

TEST(KeySet, has_as_many_slots_as_the_release) {
  EXPECT_EQ(KeyLayout::of(Release::k1_13).slots(), 106);
  EXPECT_EQ(KeyLayout::of(Release::k2_4).slots(), 130);
  EXPECT_EQ(KeyLayout::of(Release::k2_11).slots(), 138);
}

TEST(KeySet, finds_every_key_by_its_name) {
  for (const Release release : {Release::k1_13, Release::k2_4, Release::k2_11}) {
    const KeyLayout& layout = KeyLayout::of(release);
    for (int slot = 0; slot < layout.slots(); ++slot) {
      const DispatchKey key = layout.key_at(slot);

      EXPECT_EQ(layout.find(name_of(key)), key) << name_of(key);
      EXPECT_EQ(layout.slot_of(key), slot) << name_of(key);
    }
  }
}

TEST(KeySet, keeps_backends_when_keys_go) {
  const KeyLayout& layout = KeyLayout::of(Release::k2_11);
  const KeySet set = set_of(layout, Backend::kCPU);

  EXPECT_EQ(remove(layout, set, Backend::kCPU).bits, 1u);
}

}  // namespace
}  // namespace assay::reference

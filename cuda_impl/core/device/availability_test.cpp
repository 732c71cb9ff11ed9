// Which devices can run code compiled for an architecture.
#include "cuda_impl/core/device/availability.hpp"

#include <gtest/gtest.h>

namespace assay::cuda {
namespace {

TEST(CompiledCode, RunsOnItsOwnDeviceAndOnNewerOnesOfTheSameMajorNumber) {
  EXPECT_TRUE(has_code_for({8, 0}, "80-real"));
  EXPECT_TRUE(has_code_for({8, 9}, "80-real"));
  EXPECT_FALSE(has_code_for({8, 0}, "86-real"));
  EXPECT_FALSE(has_code_for({9, 0}, "80-real"));
  EXPECT_FALSE(has_code_for({7, 5}, "80-real"));
}

TEST(CompiledCode, PtxRunsOnEveryNewerDevice) {
  EXPECT_TRUE(has_code_for({7, 5}, "75-virtual"));
  EXPECT_TRUE(has_code_for({12, 0}, "75-virtual"));
  EXPECT_FALSE(has_code_for({7, 0}, "75-virtual"));
}

TEST(CompiledCode, ANameWithoutKindIsBoth) {
  EXPECT_TRUE(has_code_for({8, 6}, "80"));
  EXPECT_TRUE(has_code_for({10, 0}, "80"));
  EXPECT_FALSE(has_code_for({7, 5}, "80"));
}

TEST(CompiledCode, OneOfSeveralArchitecturesIsEnough) {
  EXPECT_TRUE(has_code_for({9, 0}, "75-real;90-real"));
  EXPECT_TRUE(has_code_for({7, 5}, "75-real;90-real"));
  EXPECT_FALSE(has_code_for({8, 0}, "75-real;90-real"));
  EXPECT_TRUE(has_code_for({8, 0}, "75-virtual;90-real"));
}

TEST(CompiledCode, ForOneDeviceOrAFamilyRunsNowhereElse) {
  EXPECT_TRUE(has_code_for({9, 0}, "90a"));
  EXPECT_FALSE(has_code_for({10, 0}, "90a"));
  EXPECT_TRUE(has_code_for({10, 3}, "100f-virtual"));
  EXPECT_FALSE(has_code_for({10, 3}, "100a-real"));
  EXPECT_FALSE(has_code_for({12, 0}, "100f-virtual"));
}

TEST(CompiledCode, ANameThatSaysNothingOfADeviceIsTakenForAll) {
  EXPECT_TRUE(has_code_for({7, 0}, "all"));
  EXPECT_TRUE(has_code_for({7, 0}, "native"));
  EXPECT_FALSE(has_code_for({7, 0}, ""));
}

}  // namespace
}  // namespace assay::cuda

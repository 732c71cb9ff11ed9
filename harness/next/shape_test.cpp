// Tests of the words for arguments, on commands of the schema.
#include "harness/next/shape.hpp"

#include <gtest/gtest.h>

#include "harness/protocol/schema.hpp"

namespace assay {
namespace {

using Words = std::vector<std::string>;

TEST(Shapes, SayWhatMayBeAbsentAndOfWhichType) {
  const CommandShape shape = shape_of("loss_scale.update");
  EXPECT_EQ(shape.with, (Words{"overflows: list of bool", "loss_scale: ref"}));
  EXPECT_EQ(shape.ok, (Words{"scales: list of float"}));
  const Words with = shape_of("scaler.new").with;
  ASSERT_FALSE(with.empty());
  EXPECT_EQ(with.front(), "device?: string or device");
}

TEST(Shapes, ExistForEveryCommandAndForNothingElse) {
  for (const std::string& verb : known_verbs()) EXPECT_NO_THROW(shape_of(verb)) << verb;
  EXPECT_TRUE(shape_of("no.such").with.empty());
  EXPECT_TRUE(shape_of("string").with.empty());
}

}  // namespace
}  // namespace assay

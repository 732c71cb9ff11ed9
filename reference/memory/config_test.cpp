// Errors of option texts.
#include "reference/memory/config.hpp"

#include <gtest/gtest.h>

#include "reference/core/types/error.hpp"

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

}  // namespace
}  // namespace assay::reference

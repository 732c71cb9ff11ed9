// Tests that a damaged waiver file is read, or rejected with line and column.
#include <gtest/gtest.h>

#include <regex>

#include "harness/protocol/testing.hpp"
#include "harness/suite/waivers/waivers.hpp"

namespace assay {
namespace {

constexpr const char* kFile = R"(# Known.
[[waiver]]
cases = "amp/unscale/*"
device = "npu*"
releases = ["2.4", "2.11"]
reason = "no subnormals"
link = "https://example.org/7"
owner = 'kernels'
expires = 2027-03-31
signature = ["differs", "0x0p+0"]

[[waiver]]
cases = "core/\u00e9"
reason = """
more
than a line"""
link = "none"
owner = "me"
expires = "2027-03-31"
signature = "*"
)";

/// Empty if it can be read.
std::string refusal(const std::string& text) {
  return error_of<std::runtime_error>([&] { waivers_from_toml(text, "w.toml"); });
}

bool is_clear(const std::string& refusal) {
  static const std::regex form(R"(w\.toml:\d+:\d+: \S[^]*)");
  return refusal.empty() || std::regex_match(refusal, form);
}

TEST(DamagedWaivers, CutAnywhereAreReadOrRefusedWithThePlace) {
  const std::string text = kFile;
  ASSERT_EQ(refusal(text), "");

  for (std::size_t length = 0; length < text.size(); ++length) {
    const std::string why = refusal(text.substr(0, length));
    ASSERT_TRUE(is_clear(why)) << "cut to " << length << ": " << why;
  }
}

TEST(DamagedWaivers, AreReadOrRefusedWithThePlace) {
  Damage damage(3, {"1", "true", "[]", "[1]", "{}", "\"\"", "nan", "2027-13-01", "2027-02-30",
                    "1979-05-27T07:32:00Z", "'", "\"\"\"", "\"\\ud800\"", "99999999999999999999"});
  int refused = 0;

  for (int i = 0; i < 3000; ++i) {
    const std::string text = damage(kFile);
    const std::string why = refusal(text);
    ASSERT_TRUE(is_clear(why)) << why << "\n" << text;
    refused += why.empty() ? 0 : 1;
  }

  EXPECT_GT(refused, 1000) << "the damage has become harmless";
}

}  // namespace
}  // namespace assay

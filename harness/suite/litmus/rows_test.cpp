// Tests that each litmus row states exactly what the axioms permit.
#include "harness/suite/litmus/rows.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "harness/protocol/testing.hpp"

namespace assay {
namespace {

TEST(LitmusRows, AllowWhatTheAxiomsPermit) {
  std::size_t programs = 0;
  for (const LitmusRow& row : litmus_rows()) {
    if (!row.program) continue;
    ++programs;

    const litmus::Permitted found = litmus::permitted(*row.program);

    EXPECT_EQ(found, row.allowed) << row.id << ": " << litmus::to_text(found);
  }
  EXPECT_EQ(programs, 43u);
}

TEST(LitmusRows, ShowOneOutcomeInTheirGatedForm) {
  for (const auto* rows : {&litmus_rows(), &litmus_axiom_rows()}) {
    for (const LitmusRow& row : *rows) {
      if (!row.gated) continue;

      const litmus::Permitted found = litmus::permitted(*row.gated);

      EXPECT_EQ(found, (litmus::Permitted{{row.shows}, false}))
          << row.id << ": " << litmus::to_text(found);
    }
  }
}

TEST(LitmusRows, HaveAProgramOrAreSpecial) {
  std::string special;
  for (const LitmusRow& row : litmus_rows()) {
    if (!row.program) special += row.id + " ";
    EXPECT_EQ(row.gated.has_value(), !row.kills.empty() && row.program.has_value()) << row.id;
  }
  EXPECT_EQ(special, "LT-33 LT-34 LT-35 ");
}

TEST(LitmusRows, RefuseWhatDoesNotFit) {
  const auto refusal = [](const std::string& row) -> std::string {
    return error_of<std::runtime_error>(
        [&] { litmus_rows_from_toml("[[row]]\n" + row, "mine.toml"); }, "none");
  };

  EXPECT_EQ(refusal("name = 'x'"), "mine.toml:1: a [[row]] needs 'id', a string");
  EXPECT_EQ(refusal("id = 'x'\nname = 'y'"), "mine.toml:1: a [[row]] needs 'axioms'");
  EXPECT_EQ(refusal("id = 'x'\nname = 'y'\nprogram = 'q(e)'\nallowed = ['0 1']\naxioms = ['z']"),
            "mine.toml:1: a [[row]] has 'allowed' that does not fit its 'program'");
  EXPECT_EQ(refusal("id = 'x'\nname = 'y'\ngated = 'q(e'"),
            "mine.toml:1: a [[row]] has an invalid 'gated': line 1, 'q(e': expected ')' at its "
            "end");
}

}  // namespace
}  // namespace assay

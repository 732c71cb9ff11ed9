// Finding litmus programs by name.
#include "harness/litmus/tests.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "harness/console/nearest.hpp"
#include "harness/console/read_file.hpp"
#include "harness/console/usage_error.hpp"
#include "harness/report/table.hpp"
#include "harness/suite/litmus/rows.hpp"

namespace assay {
namespace {

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

/// Rows that exist in that form.
std::vector<LitmusTest> all_tests(bool gated) {
  std::vector<LitmusTest> tests;
  for (const LitmusRow& row : litmus_rows()) {
    const auto& program = gated ? row.gated : row.program;
    if (!program) continue;
    tests.push_back({row.id, row.name, *program, row.axioms, row.kills});
  }
  for (const LitmusRow& row : litmus_axiom_rows()) {
    if (gated) tests.push_back({row.id, row.name, *row.gated, row.axioms, row.kills});
  }
  return tests;
}

std::vector<LitmusTest> meant_by(const std::string& name, const std::vector<LitmusTest>& all) {
  const std::string wanted = lower(name);
  const auto select = [&](auto matches) {
    std::vector<LitmusTest> found;
    std::ranges::copy_if(all, std::back_inserter(found), matches);
    return found;
  };
  auto found = select([&](const LitmusTest& test) { return lower(test.id) == wanted; });
  if (found.empty()) {
    // `LT-15` means LT-15a and LT-15b; `LT-1` does not mean LT-10.
    found = select([&](const LitmusTest& test) {
      const std::string id = lower(test.id);
      return id.size() == wanted.size() + 1 && id.starts_with(wanted) && id.back() >= 'a';
    });
  }
  if (found.empty()) {
    found = select(
        [&](const LitmusTest& test) { return lower(test.name).find(wanted) != std::string::npos; });
  }
  return found;
}

LitmusTest from_file(const std::string& path) {
  try {
    return {path, path, litmus::parse(read_file(path)), {}, {}};
  } catch (const litmus::BadProgram& error) {
    throw UsageError(fmt::format("{}: {}", path, error.what()));
  }
}

}  // namespace

std::vector<LitmusTest> litmus_tests(const std::vector<std::string>& names, bool gated) {
  const std::vector<LitmusTest> all = all_tests(gated);
  if (names.empty()) return all;
  std::vector<LitmusTest> chosen;
  for (const std::string& name : names) {
    std::vector<LitmusTest> found = meant_by(name, all);
    std::error_code no_file;
    if (found.empty() && std::filesystem::is_regular_file(name, no_file)) {
      found.push_back(from_file(name));
    }
    if (found.empty()) {
      std::vector<std::string> known;
      for (const LitmusTest& test : all) known.push_back(test.id);
      throw UsageError(
          fmt::format("'{}' is neither a litmus row{}, nor part of a row's name, nor a "
                      "file{}; `assay litmus --list` shows them",
                      name, gated ? " with a gated form" : "", suggestion(name, known)));
    }
    std::ranges::move(found, std::back_inserter(chosen));
  }
  return chosen;
}

std::string litmus_list(bool json) {
  report::Table table{{"id", "name", "gated", "program"}, {}};
  for (const LitmusRow& row : litmus_rows()) {
    table.rows.push_back({row.id, row.name, row.gated.has_value(),
                          row.program ? to_text(*row.program) : std::string("(cases only)")});
  }
  return json ? report::to_json(table) : report::to_text(table);
}

}  // namespace assay

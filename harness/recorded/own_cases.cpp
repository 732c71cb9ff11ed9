// Makes cases from the programs in a folder.
#include "harness/recorded/own_cases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "harness/console/nearest.hpp"
#include "harness/console/read_file.hpp"
#include "harness/console/usage_error.hpp"
#include "harness/program/transcript.hpp"
#include "harness/protocol/json.hpp"
#include "harness/protocol/schema.hpp"
#include "harness/recorded/replay.hpp"
#include "harness/suite/cases.hpp"
#include "harness/suite/clauses.hpp"
#include "harness/suite/own_cases.hpp"
#include "harness/suite/unsupported_case.hpp"

namespace assay {
namespace {

Case case_of(const OwnProgram& program, const std::string& path) {
  Case test;
  test.id = program.case_id;
  test.clauses = program.clauses;
  test.applies.since = program.release.value_or(test.applies.since);
  test.applies.until = program.release.value_or(test.applies.until);
  test.applies.device_rules = program.device_rules;
  test.applies.deviations = program.deviations;
  test.where = {path, static_cast<std::uint32_t>(program.line)};
  test.body = [exchanges = program.exchanges](Session& subject) { replay(subject, exchanges); };
  return test;
}

/// No subject can claim an unknown area, so the case would never run.
void check_area(const OwnProgram& program, const std::string& path) {
  const std::string area = area_of_case(program.case_id);
  if (std::ranges::find(known_areas(), area) != known_areas().end()) return;
  throw UsageError(fmt::format("{}:{}: 'case' is '{}': unknown area '{}'{}", path, program.line,
                               program.case_id, area, suggestion(area, known_areas())));
}

void check_clauses(const OwnProgram& program, const std::string& path) {
  for (const std::string& clause : program.clauses) {
    if (find_clause(clause) != nullptr) continue;
    throw UsageError(fmt::format("{}:{}: unknown clause '{}'", path, program.line, clause));
  }
}

std::vector<Case> cases_in(const std::string& path) {
  const std::string text = read_file(path);
  std::vector<Case> cases;
  try {
    for (const OwnProgram& program : own_programs_from_lines(text)) {
      check_area(program, path);
      check_clauses(program, path);
      cases.push_back(case_of(program, path));
    }
  } catch (const MalformedMessage& error) {
    throw UsageError(fmt::format("{}:{}", path, error.what()));
  }
  return cases;
}

/// A case in a folder inside would not run.
void refuse_cases_inside(const std::filesystem::path& inner) {
  std::error_code ignored;
  const auto skip = std::filesystem::directory_options::skip_permission_denied;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(inner, skip, ignored)) {
    if (entry.path().extension() != ".jsonl") continue;
    throw UsageError(
        fmt::format("{} is not read, because it is in a folder inside; name its folder with "
                    "another --cases {}",
                    entry.path().string(), entry.path().parent_path().string()));
  }
}

std::vector<std::string> files_in(const std::string& folder) {
  std::error_code error;
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.is_directory()) refuse_cases_inside(entry.path());
    if (entry.path().extension() != ".jsonl") continue;
    // Only regular files: others may be endless.
    if (!entry.is_regular_file()) {
      throw UsageError(fmt::format("cannot read {}: it is not a file", entry.path().string()));
    }
    files.push_back(entry.path().string());
  }
  if (error) throw UsageError(fmt::format("cannot read {}: {}", folder, error.message()));
  if (files.empty()) throw UsageError(fmt::format("{} holds no .jsonl file", folder));
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

void load_own_cases(const std::string& folder) {
  std::vector<Case> cases;
  for (const std::string& path : files_in(folder))
    std::ranges::move(cases_in(path), std::back_inserter(cases));
  try {
    add_own_cases(std::move(cases), folder);
  } catch (const TakenId& taken) {
    throw UsageError(taken.what());
  }
}

}  // namespace assay

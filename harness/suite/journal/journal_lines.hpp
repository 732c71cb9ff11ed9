// The lines of a journal: the head of a part, and finished cases.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/suite/runner/outcome.hpp"

namespace assay {

/// What identifies a run: `{"subject", "reference"}, {"filter", "amp/*"}, …`
using RunKey = std::vector<std::pair<std::string, std::string>>;

/// A result with its line number.
struct JournalEntry {
  std::string case_id;
  CaseResult result;  ///< with a null `test`
  std::size_t line = 0;
};

/// The contents of a journal for one subject.
struct JournalPart {
  RunKey key;
  std::vector<JournalEntry> entries;
};

/// By part number, from 1.
using JournalParts = std::map<std::size_t, JournalPart>;

/// Each line ends in a checksum and a line break, and contains no other line break.
std::string head_line(std::size_t part, const RunKey& key);
std::string case_line(std::size_t part, const CaseResult& result);
/// The last line of a run that has written its record; not `complete` if cases are left to run.
std::string end_line(bool complete);
bool is_end(std::string_view line);
/// True for the end of a run that left no case.
bool is_complete_end(std::string_view line);

/// True if the checksum matches. The line has no line break.
bool is_whole(std::string_view line);

/// Adds the line to `parts`. Throws std::exception with the reason if it is invalid.
void read_line(std::string_view line, std::size_t number, JournalParts& parts);

}  // namespace assay

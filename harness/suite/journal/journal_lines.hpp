// The lines of a journal: the head of a part, and a finished case.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/suite/runner/outcome.hpp"

namespace assay {

/// What makes a run the same run, in words: `{"subject", "reference"}, {"filter", "amp/*"}, …`
using RunKey = std::vector<std::pair<std::string, std::string>>;

/// A line and where it stands.
struct JournalEntry {
  std::string case_id;
  CaseResult result;  ///< its `test` is null
  std::size_t line = 0;
};

/// What a journal holds about one subject.
struct JournalPart {
  RunKey key;
  std::vector<JournalEntry> entries;
};

/// By number, from 1.
using JournalParts = std::map<std::size_t, JournalPart>;

/// Each ends in a checksum and a line break, and has no other.
std::string head_line(std::size_t part, const RunKey& key);
std::string case_line(std::size_t part, const CaseResult& result);
/// Behind it a run has nothing more to add.
std::string end_line();
bool is_end(std::string_view line);

/// Is the line as it was written? Without its line break.
bool is_whole(std::string_view line);

/// Adds what the line says to `parts`. Throws std::exception that says what is wrong with it.
void read_line(std::string_view line, std::size_t number, JournalParts& parts);

}  // namespace assay

// What a page is made of: files of records, read.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/report/bench/record.hpp"
#include "harness/report/litmus_record.hpp"
#include "harness/report/record.hpp"

namespace assay::page {

/// A file that the user named, and the one record that it holds.
struct Source {
  std::string path;  ///< as typed
  std::string name;  ///< for readers; `to_html` sets it
  std::string bytes;
  std::optional<report::RunRecord> run;
  std::optional<report::BenchRecord> bench;
  std::optional<report::LitmusRecord> litmus;
};

/// Throws std::runtime_error when the bytes are the record of no run, bench or litmus programs.
Source source_from(std::string path, std::string bytes);

/// Which of its records a page holds: those for which a page that can be mailed has room, all, or
/// none.
enum class Embedded { kFitting, kAll, kNone };

struct Report {
  std::vector<Source> sources;  ///< at least one
  Embedded embedded = Embedded::kFitting;
};

/// Gives each source a name for readers: the file's, without folders, which say more of whoever
/// made the record than of the record, unless two files have the same.
void name_sources(Report& report);

}  // namespace assay::page

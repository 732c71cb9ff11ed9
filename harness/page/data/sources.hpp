// The sources of a page: record files.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/report/bench/record.hpp"
#include "harness/report/litmus_record.hpp"
#include "harness/report/record.hpp"

namespace assay::page {

/// A file named by the user, with the record in it.
struct Source {
  std::string path;  ///< as typed
  std::string name;  ///< display name; set by `to_html`
  std::string bytes;
  std::optional<report::RunRecord> run;
  std::optional<report::BenchRecord> bench;
  std::optional<report::LitmusRecord> litmus;
};

/// Throws std::runtime_error if the bytes are not a record of a run, a bench or litmus programs.
Source source_from(std::string path, std::string bytes);

/// The records that a page contains: as many as fit into a page that can be mailed, all, or
/// none.
enum class Embedded { kFitting, kAll, kNone };

struct Report {
  std::vector<Source> sources;  ///< at least one
  Embedded embedded = Embedded::kFitting;
};

/// Gives each source a display name: the file's name without folders, unless two files have the
/// same name.
void name_sources(Report& report);

}  // namespace assay::page

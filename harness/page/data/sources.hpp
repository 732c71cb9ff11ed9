// The sources of a page: record files, and short names of the subjects in them.
#pragma once

#include <map>
#include <optional>
#include <set>
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

/// The shortened names and the full names that they stand for: one per record.
using ShortNames = std::map<std::string, std::set<std::string>>;

/// Removes folders from long paths in the names of subjects, in all records:
/// `/a/long/folder/assay-cuda` becomes `…/assay-cuda`. Keeps the differing folders if two names in
/// a record would become equal.
ShortNames shorten_subjects(Report& report);

}  // namespace assay::page

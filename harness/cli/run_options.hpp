// What `assay run` can be told.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/cli/command_line.hpp"
#include "harness/cli/guardian.hpp"
#include "harness/cli/reporter.hpp"
#include "harness/cli/run_journal.hpp"
#include "harness/cli/subjects.hpp"
#include "harness/suite/attempts.hpp"
#include "harness/suite/selection.hpp"

namespace assay::cli {

struct RunOptions {
  std::vector<std::string> argv;
  /// As typed; none means what `parts_of` says.
  std::vector<std::string> subjects;
  /// `newest`, `all`, `none`, names and folders.
  std::vector<std::string> transcripts;
  Selection selection;
  /// Names of cases without an option before them; `filters_of` makes them part of the selection.
  std::vector<std::string> words;
  SubjectOptions subject;
  std::optional<std::uint64_t> seed;
  bool shuffled = false;
  ReportStyle style;
  std::string json, junit, markdown;
  std::vector<std::string> waiver_files;
  bool strict_waivers = false;
  std::vector<std::string> support_files;
  bool partial = false;
  std::string debug;
  Shard shard;
  int jobs = 1;
  Attempts attempts;
  bool fail_fast = false;
  JournalOptions journal;
  /// Texts that are neither shown nor recorded.
  std::vector<std::string> secrets;
  /// Report what the journal has, because this happened.
  std::optional<Loss> loss;
};

/// Options of `assay run`, which write to `options` while the command line is parsed.
void add_run_options(CliCommand command, RunOptions& options);

/// Throws UsageError where they ask for what is not there. Call once all cases are known.
void check(const RunOptions& options);

}  // namespace assay::cli

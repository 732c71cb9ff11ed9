// The options of a run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/run/journal.hpp"
#include "harness/run/record_files.hpp"
#include "harness/run/reporter.hpp"
#include "harness/run/supervised.hpp"
#include "harness/subjects/connect.hpp"
#include "harness/suite/runner/attempts.hpp"
#include "harness/suite/runner/selection.hpp"

namespace assay {

struct RunOptions {
  std::vector<std::string> argv;
  /// As typed; if empty, see `parts_of`.
  std::vector<std::string> subjects;
  /// `newest`, `all`, `none`, names of sets, and folders.
  std::vector<std::string> transcripts;
  Selection selection;
  /// Positional words that name cases; `filters_of` adds them to the selection.
  std::vector<std::string> words;
  SubjectOptions subject;
  std::optional<std::uint64_t> seed;
  bool shuffled = false;
  bool perturbed = false;
  ReportStyle style;
  RecordFiles files;
  std::vector<std::string> waiver_files;
  bool strict_end = false;
  bool strict_waivers = false;
  std::vector<std::string> support_files;
  bool partial = false;
  std::string debug;
  Shard shard;
  std::string shard_from;  ///< the environment variable that named the shard; empty if the user did
  int jobs = 1;
  Attempts attempts;
  bool fail_fast = false;
  /// To spend on short programs that show the failures of a subject.
  double shrink_seconds = 20;
  JournalOptions journal;
  /// Texts to be hidden in output and records.
  std::vector<std::string> secrets;
  /// If set, report the contents of the journal after this loss.
  std::optional<Loss> loss;
};

}  // namespace assay

// The parts of a run, with its options: each subject with the cases, and with recordings of real
// PyTorch.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/recorded/transcripts.hpp"
#include "harness/report/record.hpp"
#include "harness/run/journal.hpp"
#include "harness/run/record.hpp"
#include "harness/run/reporter.hpp"
#include "harness/run/supervised.hpp"
#include "harness/subject/process/stop_signal.hpp"
#include "harness/subjects/connect.hpp"
#include "harness/suite/runner/hello.hpp"
#include "harness/suite/runner/pool.hpp"
#include "harness/suite/runner/selection.hpp"
#include "harness/suite/waivers/waivers.hpp"

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

// The parts.

struct RunPart {
  std::string subject;
  /// The recordings that serve as cases; if absent, the cases of the suites.
  std::optional<RecordingSet> recordings;
  /// The part was not named by the user, so it may be left out if nothing of it can run.
  bool by_default = false;
  /// The subject's name as shown, with secrets hidden.
  std::string shown = {};

  /// `reference`, or `reference against recorded 2.11.0-cpu`.
  std::string label() const;
};

/// All parts that the options request, in order. Without subjects: the reference, the CUDA
/// implementation if it was built (also on a GPU if there is one), and the newest transcripts;
/// `remarks` receives a sentence for each of these that is missing.
std::vector<RunPart> parts_of(const RunOptions& options, std::vector<std::string>& remarks);

/// What all parts of a run share.
struct RunContext {
  const RunOptions& options;
  const std::vector<Waiver>& waivers;
  const StopSignal& stop;
  Journal& journal;
  PartialResults& so_far;
  /// By subject as typed: its hello under each contract, as said in the parts that have run.
  std::map<std::string, std::vector<Hello>>& introduced;
  bool is_alone = false;  ///< its line is printed last, after the files
};

/// How a part that has run is called, and shown.
struct PartEnd {
  std::string label;
  bool by_default = false;
  bool is_alone = false;  ///< its line is printed last, after the files
};

/// Prints the end of a part, and makes its record; nothing if a part that was not named by the user
/// has none of the cases.
std::optional<report::SubjectRecord> show_end(const PartEnd& part, const SubjectRun& done,
                                              const ReportStyle& style);

/// Runs and shows one part; nothing if it does not apply. `number` counts from 1.
std::optional<report::SubjectRecord> run_part(const RunContext& context, const RunPart& part,
                                              std::size_t number);

}  // namespace assay

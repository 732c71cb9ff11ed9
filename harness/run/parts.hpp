// The parts of a run: each subject on the cases, and beside what real PyTorch was recorded to say.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/recorded/transcripts.hpp"
#include "harness/report/record.hpp"
#include "harness/run/options.hpp"
#include "harness/run/so_far.hpp"
#include "harness/subject/process/stop_signal.hpp"
#include "harness/suite/waivers/waivers.hpp"

namespace assay {

struct RunPart {
  std::string subject;
  /// Its cases are these recordings; absent: the suites' own.
  std::optional<RecordingSet> recordings;
  /// Nobody asked for it by name, so it is not a fault when nothing of it can run.
  bool by_default = false;
  /// The subject as people may see it, without secrets.
  std::string shown = {};

  /// `reference`, or `reference against recorded 2.11.0-cpu`.
  std::string label() const;
};

/// Every part that the options ask for, in order. Where they name no subject: the reference, the
/// CUDA implementation where it was built, on a GPU too where there is one, and the newest
/// transcripts; `remarks` gets a sentence for each that is not there.
std::vector<RunPart> parts_of(const RunOptions& options, std::vector<std::string>& remarks);

/// What all parts of a run have in common.
struct RunContext {
  const RunOptions& options;
  const std::vector<Waiver>& waivers;
  const StopSignal& stop;
  Journal& journal;
  SoFar& so_far;
  bool is_alone = false;  ///< its line is the last of all, behind the files
};

/// Runs and shows one part; nothing where it does not apply. `number` counts from 1.
std::optional<report::SubjectRecord> run_part(const RunContext& context, const RunPart& part,
                                              std::size_t number);

}  // namespace assay

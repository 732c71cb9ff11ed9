// The script that submits a run in shards to Slurm.
#pragma once

#include <string>
#include <vector>

namespace assay {

/// What the jobs run, and what Slurm is asked for. Nothing is quoted yet.
struct SlurmJobs {
  /// The command line that asked for the script.
  std::vector<std::string> argv;
  /// The path of `assay`.
  std::string program;
  /// The words behind `assay run`.
  std::vector<std::string> run;
  int shards = 1;
  /// The most shards that run at once; 0: all.
  int at_once = 0;
  /// Each submission makes a new folder in this one.
  std::string folder;
  /// Options of sbatch: for both jobs, and for those of the array alone.
  std::vector<std::string> both, array;
};

/// A bash script: an array of jobs that run a shard each, and a job that merges what they left.
std::string slurm_script(const SlurmJobs& jobs);

/// Empty, or why sbatch would not take the value.
std::string complaint_about_time(const std::string& limit);
std::string complaint_about_gpus(const std::string& gpus);
std::string complaint_about_text(const std::string& text);

}  // namespace assay

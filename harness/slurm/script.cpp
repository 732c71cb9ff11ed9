// Writes the script: what the user chose, and functions that are always the same.
#include "harness/slurm/script.hpp"

#include <fmt/format.h>

#include "harness/suite/card/command_line.hpp"

namespace assay {
namespace {

constexpr const char* kUsage = R"(#!/bin/bash
# Runs `assay run` as an array of Slurm jobs, one shard each, and merges their records in a job that waits for all of them.
#
#   bash FILE                         submit both jobs; the records go to a new folder in $out
#   bash FILE again FOLDER [SHARDS]   submit these shards (such as 3,5-7; those without a record) and the merge again
#   bash FILE merge FOLDER            merge what is in the folder now
#
# All nodes must see the program, the folder and the files of the run by the same paths.
)";

/// A task of the array ends with status 0 if its record is there, whatever the verdict, so that
/// Slurm calls those FAILED that must be run again. The record gets its name when its run has
/// ended, since what an interrupted run has written cannot be merged. A requeued task continues its
/// journal, which lies beside the unfinished record.
constexpr const char* kFunctions = R"(
fail() {
  echo "assay slurm: $*" >&2
  exit 2
}

# Two submissions share no folder.
new_folder() {
  local number=1
  mkdir -p -- "$out" || exit 2
  until mkdir -- "$out/$number" 2>/dev/null; do
    [ -e "$out/$number" ] || fail "cannot make a folder in $out"
    number=$((number + 1))
  done
  whole_path "$out/$number"
}

whole_path() {
  (CDPATH='' cd -- "$1" && pwd) || exit 2
}

has_record() {
  [ -f "$1/$2.json" ]
}

# submit FOLDER SHARDS: the array, and the merge, which starts when no task is left, however the tasks ended.
submit() {
  local folder=$1 tasks=$2 logs=${1//%/%%} script=${BASH_SOURCE[0]:-} array merge
  [ -f "$script" ] || fail "save the script in a file, and run that: bash FILE"
  array=$(sbatch --parsable "${both[@]}" "${array_only[@]}" --array="$tasks$at_once" --output="$logs/%a.log" "$script" shard "$folder") ||
    { rmdir -- "$folder" 2>/dev/null || true; fail "sbatch has refused the array"; }
  array=${array%%;*}
  echo "job $array: shards $tasks of $shards"
  merge=$(sbatch --parsable "${both[@]}" --dependency="afterany:$array" --output="$logs/merge.log" "$script" merge "$folder") ||
    fail "job $array has no merge; when it has ended: bash $script merge $folder"
  echo "job ${merge%%;*}: merge into $folder/run.json"
}

# again FOLDER [SHARDS]
again() {
  local folder tasks=${2:-} number
  folder=$(whole_path "${1:?which folder?}")
  if [ -z "$tasks" ]; then
    for ((number = 1; number <= shards; number++)); do
      has_record "$folder" "$number" || tasks+=,$number
    done
  fi
  [ -n "$tasks" ] || fail "each shard has its record in $folder"
  submit "$folder" "${tasks#,}"
}

# shard FOLDER: a task of the array.
shard() {
  local number=${SLURM_ARRAY_TASK_ID:?only a task of the array has a shard} status=0
  local unfinished=$1/$number.unfinished.json
  run_shard "$number" "$unfinished" || status=$?
  if [ "$status" -eq 2 ] || [ "$status" -ge 128 ] || [ ! -f "$unfinished" ]; then
    exit "$status"
  fi
  mv -f -- "$unfinished" "$1/$number.json"
}

# merge FOLDER: ends with the status of the whole run.
merge() {
  local folder=${1:?which folder?} records=() number status=0
  for ((number = 1; number <= shards; number++)); do
    if has_record "$folder" "$number"; then records+=("$folder/$number.json"); fi
  done
  rm -f -- "$folder/run.json" "$folder/run.xml" "$folder/report.html"
  [ "${#records[@]}" -gt 0 ] || fail "no shard has a record in $folder"
  "$assay" merge "${records[@]}" -o "$folder/run.json" --junit "$folder/run.xml" || status=$?
  if [ -f "$folder/run.json" ]; then "$assay" report "$folder/run.json" -o "$folder/report.html" || exit $((status ? status : 3)); fi
  exit "$status"
}

case ${1:-} in
  '') folder=$(new_folder) && submit "$folder" "1-$shards" ;;
  again | shard | merge) "$@" ;;
  *) fail "unknown argument $1; expected again, merge or none" ;;
esac
)";

std::string words(const std::vector<std::string>& all) {
  std::string line;
  for (const std::string& word : all) line += " " + shell_word(word);
  return line;
}

std::string shell_array(const char* name, const std::vector<std::string>& all) {
  const std::string line = words(all);
  return fmt::format("{}=({})\n", name, line.empty() ? "" : line.substr(1));
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_count(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos &&
         text.find_first_not_of('0') != std::string::npos;
}

}  // namespace

std::string slurm_script(const SlurmJobs& jobs) {
  std::string script = kUsage;
  script += fmt::format("# Made by:{}\n", words(jobs.argv));
  script += "set -euo pipefail\n\n";
  script += fmt::format("assay={}\n", shell_word(jobs.program));
  script += fmt::format("shards={}\n", jobs.shards);
  script += fmt::format("at_once={}\n", jobs.at_once == 0 ? "" : fmt::format("%{}", jobs.at_once));
  script += fmt::format("out={}\n", shell_word(jobs.folder));
  script += "# Options of sbatch: for both jobs, and for the array alone.\n";
  script += shell_array("both", jobs.both);
  script += shell_array("array_only", jobs.array);
  script += "\n# run_shard NUMBER RECORD\nrun_shard() {\n";
  script += R"(  "$assay" run --shard "$1/$shards" --resume auto --json "$2")" + words(jobs.run) +
            "\n}\n";
  return script + kFunctions;
}

std::string complaint_about_text(const std::string& text) {
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
  for (const char c : text) {
    if (is_control(c)) return "a text with a control character, such as a line break";
  }
  return "";
}

std::string complaint_about_time(const std::string& limit) {
  const bool has_form = !limit.empty() && is_digit(limit.front()) && is_digit(limit.back()) &&
                        limit.find_first_not_of("0123456789:-") == std::string::npos;
  if (has_form) return "";
  return fmt::format("expected minutes, hours:minutes:seconds or days-hours, got '{}'", limit);
}

std::string complaint_about_gpus(const std::string& gpus) {
  std::string rest = gpus + ",";
  while (!rest.empty()) {
    const std::string one = rest.substr(0, rest.find(','));
    rest.erase(0, one.size() + 1);
    if (!is_count(one.substr(one.rfind(':') + 1)) || one.front() == ':') {
      return fmt::format("expected a number or type:number, got '{}'", gpus);
    }
  }
  return complaint_about_text(gpus);
}

}  // namespace assay

// Writes the record of a run in each form.
#include "harness/run/record_files.hpp"

#include <cstdlib>
#include <string_view>

#include "harness/console/terminal.hpp"
#include "harness/report/write_whole.hpp"

namespace assay {
namespace {

bool on_github() {
  const char* there = std::getenv("GITHUB_ACTIONS");
  return there != nullptr && std::string_view(there) == "true";
}

}  // namespace

void write_record(const RecordFiles& files, const report::RunRecord& run) {
  if (!files.json.empty()) report::write_whole(files.json, report::to_json(run));
  if (!files.junit.empty()) report::write_whole(files.junit, report::to_junit(run));
  if (!files.markdown.empty()) report::write_whole(files.markdown, report::to_markdown(run));
}

void annotate(const report::RunRecord& run) {
  if (on_github()) print_workflow_commands(report::to_annotations(run));
}

}  // namespace assay

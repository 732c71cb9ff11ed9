// assay merge: one verdict on all shards of a run.
#include "harness/merge/merge.hpp"

#include <fmt/format.h>

#include <memory>

#include "harness/cli/command_line/run_options.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/read_record.hpp"
#include "harness/console/terminal.hpp"
#include "harness/console/usage_error.hpp"
#include "harness/report/write_whole.hpp"
#include "harness/run/overall.hpp"
#include "harness/run/parts.hpp"

namespace assay::cli {
namespace {

struct MergeOptions {
  std::vector<std::string> argv;
  std::vector<std::string> shards;
  RecordFiles files;
  ReportStyle style;
};

/// A second merge of the same files would read what the first wrote.
void refuse_to_replace(const MergeOptions& options) {
  for (const std::string& output :
       {options.files.json, options.files.junit, options.files.markdown}) {
    for (const std::string& shard : options.shards) {
      if (output.empty() || report::written_path(output) != report::written_path(shard)) continue;
      throw UsageError(fmt::format("{} would be written over the record of a shard", output));
    }
  }
}

MergedRun merged_run(const MergeOptions& options) {
  std::vector<ShardFile> files;
  for (const std::string& path : options.shards) files.push_back({path, read_run(path)});
  try {
    return merge(std::move(files));
  } catch (const UsageError&) {
    throw;
  } catch (const std::runtime_error& error) {
    throw UsageError(fmt::format("these records cannot be merged: {}", error.what()));
  }
}

void show_begin(const MergedPart& part, const ReportStyle& style) {
  if (style.quiet) return;
  print(fmt::format("{}: {} {}, {} of {} cases\n", one_line(part.asked.subject),
                    one_line(part.run.info.name), one_line(part.run.info.version),
                    part.run.results.size(), part.run.tally.planned));
}

int merge_records(const MergeOptions& options) {
  check(options.files);
  refuse_to_replace(options);
  const MergedRun merged = merged_run(options);
  report::RunRecord record = merged.head;
  record.argv = options.argv;
  for (const std::string& remark : merged.remarks) print("  " + one_line(remark) + "\n");
  for (const MergedPart& part : merged.parts) {
    show_begin(part, options.style);
    const PartEnd end{part.asked.subject, part.asked.by_default, merged.head.parts.size() == 1};
    if (auto subject = show_end(end, part.run, options.style)) {
      record.subjects.push_back(std::move(*subject));
    }
  }
  judge_parts(record, true);
  write_record(options.files, record);
  annotate(record);
  print(record.line + "\n");
  return record.exit_code;
}

constexpr const char* kFooter =
    "The verdict is that of the undivided run: coverage, waivers and required areas are judged on "
    "all shards. It is INCOMPLETE, exit code 4, if a shard is missing. A case that two records of "
    "one shard judge differently is flaky. Records of other programs, subjects, contracts, cases "
    "or "
    "options are refused with the first difference.\n"
    "Example: assay run --subject ./mine.so --shard 1/2 --json 1.json\n"
    "         assay run --subject ./mine.so --shard 2/2 --json 2.json\n"
    "         assay merge 1.json 2.json -o all.json --junit all.xml";

}  // namespace

void add_merge(CliCommand app, Invocation& invocation) {
  CliCommand command =
      app.add_subcommand("merge", "Put the shards of a run together and give a verdict");
  command.footer(kFooter);
  auto options = std::make_shared<MergeOptions>();
  options->argv = invocation.argv;
  command.add_option("SHARDS", options->shards, "What `assay run --shard i/n --json` wrote")
      .required();
  add_record_files(command, "-o,--json", options->files);
  options->style.cards = 0;  // a record has no more to show than the list of failures
  command.add_flag("-q,--quiet", options->style.quiet,
                   "Print only the list of failures and the verdict");
  command.callback([options, &invocation] { invocation.exit_code = merge_records(*options); });
}

}  // namespace assay::cli

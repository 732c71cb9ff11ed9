// assay convert: converts records of costs to and from the formats of other tools.
#include <fmt/format.h>

#include <memory>

#include "harness/cli/commands.hpp"
#include "harness/console/read_file.hpp"
#include "harness/console/terminal.hpp"
#include "harness/console/usage_error.hpp"
#include "harness/interchange/formats.hpp"
#include "harness/report/write_whole.hpp"
#include "harness/suite/runner/verdict.hpp"
#include "harness/text/neutral.hpp"

namespace assay::cli {
namespace {

struct ConvertCommand {
  std::vector<std::string> files;
  std::string format;
  std::string output;
};

std::vector<interchange::File> read_files(const ConvertCommand& command) {
  std::vector<interchange::File> files;
  for (const std::string& path : command.files) files.push_back({path, read_file(path)});
  return files;
}

using Import = report::BenchRecord (*)(const std::vector<interchange::File>&);

/// Null if the text comes from no known tool.
Import import_for(const std::string& text) {
  if (interchange::is_google_json(text)) return interchange::from_google_json;
  if (interchange::is_nvbench_json(text)) return interchange::from_nvbench_json;
  return nullptr;
}

report::BenchRecord imported(Import import, const std::vector<interchange::File>& files) {
  try {
    return import(files);
  } catch (const std::runtime_error& error) {
    throw UsageError(error.what());
  }
}

report::BenchRecord record_of(const std::vector<interchange::File>& files) {
  if (const Import import = import_for(files.front().text)) return imported(import, files);
  if (files.size() > 1) {
    throw UsageError(
        "several files must all be of Google Benchmark, or all of NVBench; a record of `assay "
        "bench` stands alone");
  }
  try {
    return report::bench_from_json(files.front().text);
  } catch (const std::runtime_error& error) {
    throw UsageError(fmt::format(
        "{} is neither a record of `assay bench` nor of Google Benchmark or NVBench:\n  {}",
        files.front().name, error.what()));
  }
}

interchange::Exported exported(const report::BenchRecord& record, const std::string& format) {
  if (format == "google") return interchange::to_google_json(record);
  if (format == "go") return interchange::to_go_text(record);
  return {report::to_json(record), {}};
}

int convert(const ConvertCommand& command, const std::vector<std::string>& argv) {
  report::BenchRecord record = record_of(read_files(command));
  if (record.meta.argv.empty()) record.meta.argv = argv;
  const interchange::Exported made = exported(record, command.format);
  if (command.output.empty()) {
    command.format == "go" ? print(made.text) : print_data(made.text);
  } else {
    report::write_whole(command.output,
                        command.format == "go" ? made.text : data_without_ci_commands(made.text));
  }
  for (const std::string& line : made.left_out)
    complain(fmt::format("left out: {}\n", one_line(line)));
  return record.measurements.size() > made.left_out.size() ? kExitOk : kExitNothingRan;
}

constexpr const char* kFooter =
    "  google  JSON of Google Benchmark, for its compare.py and the services that read it\n"
    "  go      text of Go's benchmarks, for benchstat\n"
    "  assay   a record of `assay bench`, for `assay compare`, `gate` and `report`\n"
    "Each file of Google Benchmark or NVBench must come from a fresh process of one program. It "
    "counts as one process and its repetitions as samples, because repetitions in one process are "
    "not independent. Nothing checks that imported loops did their work, and every page says so.\n"
    "Example: for i in $(seq 10); do\n"
    "           ./my_bench --benchmark_out=$i.json --benchmark_out_format=json\n"
    "         done\n"
    "         assay convert --to assay -o mine.json [0-9]*.json";

}  // namespace

void add_convert(CliCommand app, Invocation& invocation) {
  CliCommand command = app.add_subcommand(
      "convert", "Convert costs from and to Google Benchmark, NVBench and benchstat");
  command.footer(kFooter);
  auto options = std::make_shared<ConvertCommand>();
  command
      .add_option(
          "FILE", options->files,
          "A record of `assay bench`, or one or more JSON files of Google Benchmark or NVBench")
      .required();
  command.add_option("--to", options->format, "google, go or assay")
      .required()
      .check(one_of({"google", "go", "assay"}));
  command.add_option("-o,--output", options->output, "Write to this file, not to standard output");
  command.callback(
      [options, &invocation] { invocation.exit_code = convert(*options, invocation.argv); });
}

}  // namespace assay::cli

// assay report: one page of records, to be read anywhere.
#include "harness/page/report.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "harness/cli/commands.hpp"
#include "harness/cli/errors.hpp"
#include "harness/cli/read_file.hpp"
#include "harness/cli/terminal.hpp"
#include "harness/page/archive.hpp"
#include "harness/report/write_whole.hpp"
#include "harness/suite/verdict.hpp"

namespace assay::cli {
namespace {

struct ReportOptions {
  std::vector<std::string> files;
  std::string output;
  std::string extract;
};

page::Source read_source(const std::string& path) {
  try {
    return page::source_from(path, read_file(path));
  } catch (const UsageError&) {
    throw;
  } catch (const std::runtime_error& error) {
    throw UsageError(
        fmt::format("{} is not the record of a run or a bench:\n  {}", path, error.what()));
  }
}

int write_page(const ReportOptions& options) {
  if (options.files.empty()) {
    throw UsageError(
        "assay report needs the file of a record: what assay run --json or assay bench -o wrote");
  }
  if (options.output.empty()) throw UsageError("assay report needs -o and the name of the page");
  page::Report report;
  for (const std::string& path : options.files) report.sources.push_back(read_source(path));
  const std::string html = page::to_html(std::move(report));
  report::write_whole(options.output, html);
  print(fmt::format("{}: {} bytes, made from {} record{}\n", options.output, html.size(),
                    options.files.size(), options.files.size() == 1 ? "" : "s"));
  return kExitOk;
}

std::vector<page::StoredFile> stored_files(const std::string& path) {
  try {
    std::vector<page::StoredFile> files = page::files_in(read_file(path));
    if (!files.empty()) return files;
  } catch (const UsageError&) {
    throw;
  } catch (const std::runtime_error& error) {
    throw UsageError(fmt::format("{}: {}", path, error.what()));
  }
  throw UsageError(
      fmt::format("{} holds no record: it is not a page that assay report made", path));
}

bool is_folder(const std::string& path) {
  std::error_code ignored;
  return path.ends_with('/') || std::filesystem::is_directory(path, ignored);
}

int extract(const ReportOptions& options) {
  if (!options.files.empty()) throw UsageError("--extract takes a page, and no records beside it");
  const std::vector<page::StoredFile> files = stored_files(options.extract);
  const bool into_folder = files.size() > 1 || is_folder(options.output);
  if (options.output.empty() && files.size() == 1) {
    print(files.front().bytes);
    return kExitOk;
  }
  if (options.output.empty()) {
    throw UsageError(fmt::format("{} holds {} records: name a folder for them with -o",
                                 options.extract, files.size()));
  }
  for (const page::StoredFile& file : files) {
    const auto path = into_folder ? std::filesystem::path(options.output) / file.name
                                  : std::filesystem::path(options.output);
    report::write_whole(path.string(), file.bytes);
    print(fmt::format("{}: {} bytes\n", path.string(), file.bytes.size()));
  }
  return kExitOk;
}

constexpr const char* kFooter =
    "The page needs no network, no other file and no script. It holds the records that it was "
    "made\n"
    "from; --extract gives them back: to the file of -o, into its folder, or to standard output.\n"
    "Example: assay report run.json bench.json -o report.html";

}  // namespace

void add_report(CliCommand app, Invocation& invocation) {
  CliCommand command =
      app.add_subcommand("report", "Make one page of records, to be read anywhere");
  command.footer(kFooter);
  auto options = std::make_shared<ReportOptions>();
  command.add_option("FILES", options->files, "What assay run --json and assay bench -o wrote");
  command.add_option("-o,--output", options->output, "Write the page to this file");
  command.add_option("--extract", options->extract, "Give back the records inside this page");
  command.callback([options, &invocation] {
    invocation.exit_code = options->extract.empty() ? write_page(*options) : extract(*options);
  });
}

}  // namespace assay::cli

// assay report: writes records as an HTML page, Markdown or CSV.
#include "harness/page/report.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <future>
#include <memory>

#include "harness/cli/commands.hpp"
#include "harness/console/read_file.hpp"
#include "harness/console/terminal.hpp"
#include "harness/console/usage_error.hpp"
#include "harness/page/markup/archive.hpp"
#include "harness/report/write_whole.hpp"
#include "harness/suite/runner/verdict.hpp"

namespace assay::cli {
namespace {

struct ReportOptions {
  std::vector<std::string> files;
  std::string output;
  std::string html, markdown, csv;
  std::string extract;
  std::string records = "fitting";
};

page::Source read_source(const std::string& path) {
  try {
    return page::source_from(path, read_file(path));
  } catch (const UsageError&) {
    throw;
  } catch (const std::runtime_error& error) {
    throw UsageError(fmt::format("{} is not the record of a run, a bench or litmus programs:\n  {}",
                                 path, error.what()));
  }
}

/// Reads the files in parallel, as far as threads are available.
std::vector<page::Source> read_sources(const std::vector<std::string>& paths) {
  std::vector<std::future<page::Source>> readings;
  for (const std::string& path : paths) readings.push_back(std::async(read_source, path));
  std::vector<page::Source> sources;
  for (auto& reading : readings) sources.push_back(reading.get());
  return sources;
}

struct Output {
  std::string path;
  const char* format;
  std::string (*write)(page::Report);
};

/// The output kind by the suffix of -o; a page if the suffix is unknown.
Output by_suffix(const std::string& path) {
  const std::string suffix = std::filesystem::path(path).extension().string();
  if (suffix == ".md") return {path, "Markdown", page::to_markdown};
  if (suffix == ".csv") return {path, "CSV", page::to_csv};
  return {path, "HTML", page::to_html};
}

std::vector<Output> outputs_of(const ReportOptions& options) {
  std::vector<Output> outputs;
  if (!options.output.empty()) outputs.push_back(by_suffix(options.output));
  if (!options.html.empty()) outputs.push_back({options.html, "HTML", page::to_html});
  if (!options.markdown.empty())
    outputs.push_back({options.markdown, "Markdown", page::to_markdown});
  if (!options.csv.empty()) outputs.push_back({options.csv, "CSV", page::to_csv});
  if (outputs.empty()) throw UsageError("assay report needs -o and the name of the page");
  return outputs;
}

page::Embedded embedded_by(const std::string& word) {
  if (word == "fitting") return page::Embedded::kFitting;
  if (word == "all") return page::Embedded::kAll;
  if (word == "none") return page::Embedded::kNone;
  throw UsageError(fmt::format("--records is fitting, all or none, not '{}'", word));
}

/// One line for each file that is not in the page.
std::string lines_of(const std::vector<page::LeftOutFile>& files) {
  std::string text;
  for (const page::LeftOutFile& file : files)
    text += fmt::format("  not in the page: {} ({} bytes)\n", file.name, file.size_bytes);
  return text;
}

std::string about_left_out(const std::string& text, std::size_t all) {
  const std::vector<page::LeftOutFile> files = page::left_out_of(text);
  if (files.empty()) return "";
  return fmt::format("{} of {} records left out of the page (--records all keeps them):\n{}",
                     files.size(), all, lines_of(files));
}

int write_reports(const ReportOptions& options) {
  if (options.files.empty()) {
    throw UsageError(
        "assay report needs the file of a record: what assay run --json or assay bench -o wrote");
  }
  const std::vector<Output> outputs = outputs_of(options);
  page::Report report;
  report.embedded = embedded_by(options.records);
  report.sources = read_sources(options.files);
  for (const Output& output : outputs) {
    const bool is_last = &output == &outputs.back();
    // NOLINTNEXTLINE(bugprone-use-after-move): nothing uses it after the last round
    const std::string text = output.write(is_last ? std::move(report) : report);
    report::write_whole(output.path, text);
    print(fmt::format("{}: {} bytes of {}, made from {} record{}\n", output.path, text.size(),
                      output.format, options.files.size(), options.files.size() == 1 ? "" : "s"));
    if (output.write == page::to_html) print(about_left_out(text, options.files.size()));
  }
  return kExitOk;
}

/// The records in a page, and those that were left out.
struct Contents {
  std::vector<page::StoredFile> files;
  std::vector<page::LeftOutFile> left_out;
};

Contents contents_of(const std::string& path) {
  Contents found;
  try {
    const std::string text = read_file(path);
    found = {page::files_in(text), page::left_out_of(text)};
  } catch (const UsageError&) {
    throw;
  } catch (const std::runtime_error& error) {
    throw UsageError(fmt::format("{}: {}", path, error.what()));
  }
  if (found.files.empty() && found.left_out.empty()) {
    throw UsageError(
        fmt::format("{} holds no record: it is not a page that assay report made", path));
  }
  return found;
}

bool is_folder(const std::string& path) {
  std::error_code ignored;
  return path.ends_with('/') || std::filesystem::is_directory(path, ignored);
}

/// Reports the records that cannot be restored; returns 4 if there are any.
int report_left_out(const std::vector<page::LeftOutFile>& files) {
  if (files.empty()) return kExitOk;
  complain(
      fmt::format("INCOMPLETE {} left out when the page was made:\n{}",
                  files.size() == 1 ? "a record was" : fmt::format("{} records were", files.size()),
                  lines_of(files)));
  return kExitIncomplete;
}

int extract(const ReportOptions& options) {
  if (!options.files.empty()) throw UsageError("--extract takes a page and no records");
  const auto [files, left_out] = contents_of(options.extract);
  const bool into_folder = files.size() > 1 || is_folder(options.output);
  if (options.output.empty() && files.size() == 1) {
    print_data(files.front().bytes);
    return report_left_out(left_out);
  }
  if (options.output.empty() && !files.empty()) {
    throw UsageError(fmt::format("{} holds {} records: name a folder for them with -o",
                                 options.extract, files.size()));
  }
  std::error_code ignored;
  if (into_folder) std::filesystem::create_directories(options.output, ignored);
  for (const page::StoredFile& file : files) {
    const auto path = into_folder ? std::filesystem::path(options.output) / file.name
                                  : std::filesystem::path(options.output);
    report::write_whole(path.string(), file.bytes);
    print(fmt::format("{}: {} bytes\n", path.string(), file.bytes.size()));
  }
  return report_left_out(left_out);
}

constexpr const char* kFooter =
    "The page needs no network, no other file and no script. It holds the records that it was made "
    "from, up to 5 MB, and names those that it leaves out. --extract writes them back: to the file "
    "or into the folder of -o, or to standard output. It exits with 4 if the page lacks some of "
    "them.\n"
    "Example: assay report run.json bench.json -o report.html";

}  // namespace

void add_report(CliCommand app, Invocation& invocation) {
  CliCommand command =
      app.add_subcommand("report", "Make a page of records that opens in any browser");
  command.footer(kFooter);
  auto options = std::make_shared<ReportOptions>();
  command.add_option("FILES", options->files,
                     "What assay run --json, assay bench -o and assay litmus --json wrote");
  command.add_option(
      "-o,--output", options->output,
      "Write the page to this file; Markdown or CSV if its name ends in .md or .csv");
  command.add_option("--html", options->html, "Write the page to this file, whatever its name");
  command.add_option("--md", options->markdown, "Write Markdown to this file");
  command.add_option("--csv", options->csv,
                     "Write a line for each result and each measurement to this file");
  command.add_option("--records", options->records,
                     "Which records the page holds: fitting (those that fit into 5 MB), all "
                     "or none");
  command.add_option("--extract", options->extract, "Extract the records inside this page");
  command.callback([options, &invocation] {
    invocation.exit_code = options->extract.empty() ? write_reports(*options) : extract(*options);
  });
}

}  // namespace assay::cli

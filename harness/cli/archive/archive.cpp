// assay archive: keeps many records in one SQLite file.
#include "harness/archive/archive.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <future>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <thread>

#include "harness/archive/entry.hpp"
#include "harness/cli/commands.hpp"
#include "harness/console/read_file.hpp"
#include "harness/console/terminal.hpp"
#include "harness/console/usage_error.hpp"
#include "harness/report/write_whole.hpp"
#include "harness/suite/runner/verdict.hpp"
#include "harness/text/neutral.hpp"

namespace assay::cli {
namespace {

using archive::Archive;
using Json = nlohmann::ordered_json;

struct ArchiveOptions {
  std::string path;
  std::vector<std::string> files;
  archive::Labels labels;
  archive::Choice choice;
  std::string output;
  bool json = false, ndjson = false, quiet = false, dry_run = false;
};

/// The records of a file, or why it has none.
struct ReadFile {
  std::string path;
  std::vector<archive::Entry> entries;
  std::vector<std::string> known;  ///< hashes of those that the archive has
  std::string complaint;
};

ReadFile read_entries(const std::string& path, const archive::Labels& labels,
                      const std::set<std::string>& known) {
  ReadFile read{path, {}, {}, {}};
  try {
    for (std::string& text : archive::texts_in(read_file(path))) {
      std::string hash = archive::hash_of(text);
      if (known.contains(hash)) {
        read.known.push_back(std::move(hash));
      } else {
        read.entries.push_back(archive::entry_of(std::move(text), path, labels, std::move(hash)));
      }
    }
    if (read.entries.empty() && read.known.empty()) read.complaint = "it is empty";
  } catch (const std::runtime_error& error) {
    read.complaint = error.what();
  }
  return read;
}

/// Calls `use` for each file in order, while the next ones are read. A few at a time, because a
/// record takes many times its size.
template <typename Use>
void read_in_order(const ArchiveOptions& options, const std::set<std::string>& known,
                   const Use& use) {
  const std::size_t most = std::max(2U, std::thread::hardware_concurrency());
  std::deque<std::future<ReadFile>> readings;
  for (const std::string& path : options.files) {
    readings.push_back(std::async(std::launch::async, read_entries, path, std::cref(options.labels),
                                  std::cref(known)));
    if (readings.size() < most) continue;
    use(readings.front().get());
    readings.pop_front();
  }
  for (auto& reading : readings) use(reading.get());
}

int add(const ArchiveOptions& options) {
  // A new archive is made for the first record, so that a file that is none leaves no archive.
  std::optional<Archive> kept;
  std::error_code ignored;
  if (std::filesystem::exists(options.path, ignored)) {
    kept.emplace(options.path, Archive::Access::kAdd);
  }
  const std::set<std::string> hashes = kept ? kept->hashes() : std::set<std::string>();
  std::size_t added = 0, known = 0, refused = 0;
  const auto tell = [&](const char* what, const std::string& hash, const std::string& file) {
    if (!options.quiet) print(fmt::format("{} {}  {}\n", what, hash.substr(0, 12), one_line(file)));
  };
  read_in_order(options, hashes, [&](const ReadFile& read) {
    for (const std::string& hash : read.known) tell("known", hash, read.path);
    known += read.known.size();
    for (const archive::Entry& entry : read.entries) {
      if (!kept) kept.emplace(options.path, Archive::Access::kAdd);
      const bool is_new = kept->add(entry);
      ++(is_new ? added : known);
      tell(is_new ? "added" : "known", entry.hash, entry.file);
    }
    if (read.complaint.empty()) return;
    ++refused;
    complain(fmt::format("{} is not the record of a run or a bench:\n  {}\n", one_line(read.path),
                         read.complaint));
  });
  std::string line = fmt::format("{}: {} added, {} already there", options.path, added, known);
  if (refused > 0) line += fmt::format(", {} of {} files refused", refused, options.files.size());
  print(line + "\n");
  return refused > 0 ? kExitUsage : kExitOk;
}

Json json_of(const archive::Listed& one) {
  return {{"hash", one.hash},
          {"kind", one.kind},
          {"file", one.file},
          {"started", one.started},
          {"commit", one.commit},
          {"machine", one.machine},
          {"gpu", one.gpu},
          {"subjects", one.subjects},
          {"line", one.line},
          {"synthetic", one.synthetic},
          {"size_bytes", one.size_bytes}};
}

std::string text_of(const archive::Listed& one) {
  std::string text = fmt::format(
      "{}  {}  {:<5}  {:<12}  {}\n", one_line(one.hash.substr(0, 12)), one_line(one.started),
      one_line(one.kind), one_line(one.commit.empty() ? "-" : one.commit), one_line(one.subjects));
  text += fmt::format("    {}{}{}\n", one_line(one.machine), one.gpu.empty() ? "" : "; ",
                      one_line(one.gpu));
  return text +
         fmt::format("    {}{}\n", one.synthetic ? "imaginary numbers: " : "", one_line(one.line));
}

int list(const ArchiveOptions& options) {
  const auto listed = Archive(options.path, Archive::Access::kRead).list(options.choice);
  if (options.json) {
    Json rows = Json::array();
    for (const archive::Listed& one : listed) rows.push_back(json_of(one));
    print_data(rows.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
    return kExitOk;
  }
  std::int64_t size_bytes = 0;
  for (const archive::Listed& one : listed) {
    print(text_of(one));
    size_bytes += one.size_bytes;
  }
  print(fmt::format("{} record{}, {:.1f} MB compressed\n", listed.size(),
                    listed.size() == 1 ? "" : "s", static_cast<double>(size_bytes) / 1e6));
  return kExitOk;
}

int write_out(const ArchiveOptions& options) {
  Archive kept(options.path, Archive::Access::kRead);
  if (options.output.empty()) {
    kept.each_text(options.choice, [](const std::string& text) { print_data(text + "\n"); });
    return kExitOk;
  }
  std::string lines;
  std::size_t count = 0;
  kept.each_text(options.choice, [&](const std::string& text) {
    lines += text + "\n";
    ++count;
  });
  report::write_whole(options.output, lines);
  print(fmt::format("{}: {} record{}\n", options.output, count, count == 1 ? "" : "s"));
  return kExitOk;
}

int prune(const ArchiveOptions& options) {
  if (options.choice.chooses_all()) {
    throw UsageError(
        "assay archive prune needs to know which records: --before, --subject, --commit, ...");
  }
  if (options.dry_run) {
    const auto listed = Archive(options.path, Archive::Access::kRead).list(options.choice);
    for (const archive::Listed& one : listed) print(text_of(one));
    print(fmt::format("{}: {} would be removed\n", options.path, listed.size()));
    return kExitOk;
  }
  Archive kept(options.path, Archive::Access::kChange);
  const std::size_t removed = kept.remove(options.choice);
  print(fmt::format("{}: {} removed, {} left\n", options.path, removed, kept.list({}).size()));
  return kExitOk;
}

void add_choice(CliCommand command, archive::Choice& choice) {
  command.begin_group("Which records (all that are given must apply)");
  command.add_option("--hash", choice.hash, "The record's hash, or its beginning");
  command.add_option("--kind", choice.kind, "run or bench").check(one_of({"run", "bench"}));
  command.add_option("--subject", choice.subject, "Of this subject, by its name or as typed");
  command.add_option("--machine", choice.machine, "Of this machine, as `list` shows it");
  command.add_option("--gpu", choice.gpu, "Of this GPU, as `list` shows it");
  command.add_option("--commit", choice.commit, "Of this commit, or its beginning");
  command.add_option("--since", choice.since,
                     "Started at this time or later: 2026-11-21T11:00:00Z");
  command.add_option("--before", choice.before, "Started before this time: 2026-11");
}

using Options = std::shared_ptr<ArchiveOptions>;

CliCommand subcommand(CliCommand parent, const Options& options, const char* name,
                      const char* help) {
  CliCommand command = parent.add_subcommand(name, help);
  command.add_option("ARCHIVE", options->path, "The file of the archive").required();
  return command;
}

}  // namespace

void add_archive(CliCommand app, Invocation& invocation) {
  CliCommand command =
      app.add_subcommand("archive", "Keep many records in one file, for `assay history`");
  command.require_subcommand();
  command.footer(
      "The archive is an SQLite file with the records themselves and their results in tables: "
      "verdicts, failed cases and causes, costs with the median of each process, by commit, "
      "machine, GPU, subject and contract. Any SQLite client can read it; "
      "harness/archive/README.md "
      "has the tables. Several programs may add records at once; one that is killed leaves each "
      "record whole or not at all.\n"
      "Example: assay run --subject ./mine.so --json run.json\n"
      "         assay archive add mine.db run.json --commit $(git rev-parse HEAD)\n"
      "         assay history mine.db");

  const auto adding = std::make_shared<ArchiveOptions>();
  CliCommand add_command =
      subcommand(command, adding, "add", "Add records; known ones are skipped");
  add_command
      .add_option("RECORD", adding->files,
                  "What `assay run --json` or `assay bench -o` wrote, or an export: plain or "
                  "compressed with gzip")
      .required();
  add_command.add_option("--commit", adding->labels.commit,
                         "The subject's commit (that of the build of assay)");
  add_command.add_option("--machine", adding->labels.machine,
                         "A name of the machine (the description in the record)");
  add_command.add_option("--gpu", adding->labels.gpu,
                         "Which GPU of many: its UUID or a name (the GPUs' models)");
  add_command.add_flag("-q,--quiet", adding->quiet, "Print only the last line");
  add_command.footer(
      "A record is known if its text is there already, whatever its white space and labels. A file "
      "that is no record is refused with exit code 2; the others are added.\n"
      "Example: assay archive add fleet.db node*.json.gz\n"
      "         assay archive add fleet.db node17.json --gpu GPU-5f3a");
  add_command.callback([adding, &invocation] { invocation.exit_code = add(*adding); });

  const auto listing = std::make_shared<ArchiveOptions>();
  CliCommand list_command = subcommand(command, listing, "list", "List the records");
  list_command.add_flag("--json", listing->json, "As JSON");
  add_choice(list_command, listing->choice);
  list_command.footer("Example: assay archive list mine.db --kind bench --since 2026-11");
  list_command.callback([listing, &invocation] { invocation.exit_code = list(*listing); });

  const auto exporting = std::make_shared<ArchiveOptions>();
  CliCommand export_command =
      subcommand(command, exporting, "export", "Write the records as they were added");
  export_command.add_flag("--ndjson", exporting->ndjson, "One record a line (the only format)");
  export_command.add_option("-o,--output", exporting->output,
                            "Write to this file (standard output)");
  add_choice(export_command, exporting->choice);
  export_command.footer(
      "`assay archive add` reads the result. Labels are not part of records and are not exported.\n"
      "Example: assay archive export mine.db --ndjson -o mine.ndjson");
  export_command.callback(
      [exporting, &invocation] { invocation.exit_code = write_out(*exporting); });

  const auto pruning = std::make_shared<ArchiveOptions>();
  CliCommand prune_command = subcommand(command, pruning, "prune", "Remove records");
  prune_command.add_flag("--dry-run", pruning->dry_run, "Only list what would be removed");
  add_choice(prune_command, pruning->choice);
  prune_command.footer("Example: assay archive prune mine.db --before 2026-01 --kind run");
  prune_command.callback([pruning, &invocation] { invocation.exit_code = prune(*pruning); });
}

}  // namespace assay::cli

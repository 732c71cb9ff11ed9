// assay fleet: which GPU of many is the odd one, and why.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <filesystem>
#include <fstream>
#include <future>
#include <map>
#include <memory>
#include <thread>

#include "harness/archive/archive.hpp"
#include "harness/archive/entry.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/compare_output.hpp"
#include "harness/cli/fleet/fleet_output.hpp"
#include "harness/console/read_file.hpp"
#include "harness/console/terminal.hpp"
#include "harness/console/usage_error.hpp"
#include "harness/report/write_whole.hpp"
#include "harness/suite/runner/verdict.hpp"
#include "harness/text/neutral.hpp"

namespace assay::cli {
namespace {

namespace fs = std::filesystem;
using fleet::Verdict;

struct FleetCommand {
  std::vector<std::string> places;
  std::vector<std::string> names;  ///< GLOB=NAME
  fleet::JudgeOptions options;
  bool all = false;
  std::string json, html, metrics;
};

struct FilePlace {
  std::string path;
  bool in_folder = false;  ///< other JSON files there are none of ours
};

/// The records of a file, or why it has none.
struct ReadRecords {
  std::vector<archive::Entry> entries;
  std::string path, complaint;
  bool is_other = false;
};

bool may_have_records(const fs::path& path) {
  const std::string name = path.filename().string();
  return std::ranges::any_of(std::array{".json", ".json.gz", ".ndjson", ".ndjson.gz"},
                             [&](const char* ending) { return name.ends_with(ending); });
}

/// Folders are searched with all that is in them, in the order of names.
std::vector<FilePlace> files_in(const std::vector<std::string>& places) {
  std::vector<FilePlace> files;
  for (const std::string& place : places) {
    std::error_code ignored;
    if (!fs::is_directory(place, ignored)) {
      files.push_back({place, false});
      continue;
    }
    std::vector<std::string> found;
    for (const auto& entry : fs::recursive_directory_iterator(place)) {
      if (entry.is_regular_file() && may_have_records(entry.path())) {
        found.push_back(entry.path().string());
      }
    }
    std::ranges::sort(found);
    for (std::string& path : found) files.push_back({std::move(path), true});
  }
  return files;
}

bool is_record(const std::string& text) {
  return text.starts_with(R"({"schema":"assay.run/)") ||
         text.starts_with(R"({"schema":"assay.bench/)");
}

bool is_archive(const std::string& path) {
  std::array<char, 15> begin{};
  std::ifstream(path).read(begin.data(), begin.size());
  return std::string_view(begin.data(), begin.size()) == "SQLite format 3";
}

ReadRecords read_records(const FilePlace& place) {
  ReadRecords read;
  read.path = place.path;
  try {
    for (std::string& text : archive::texts_in(read_file(place.path))) {
      if (place.in_folder && !is_record(text)) {
        read.is_other = true;
        continue;
      }
      read.entries.push_back(archive::entry_of(std::move(text), place.path, {}));
    }
    if (read.entries.empty() && !read.is_other) read.complaint = "it is empty";
  } catch (const std::runtime_error& error) {
    read.complaint = error.what();
  }
  return read;
}

/// An archive's label of a record without one names the models of its GPUs.
std::string own_label(const std::string& label, const archive::Entry& entry) {
  const auto& devices =
      entry.run ? entry.run->environment.devices : entry.bench->environment.devices;
  const auto is_model = [&](const report::BenchDevice& device) {
    return label.find(device.name) != std::string::npos;
  };
  return std::ranges::any_of(devices, is_model) ? "" : label;
}

/// One record at a time, since an archive may have many.
void add_archive(const std::string& path, fleet::Gatherer& gatherer) {
  archive::Archive kept(path, archive::Archive::Access::kRead);
  std::map<std::string, std::string> labels;
  for (const archive::Listed& one : kept.list({})) labels[one.hash] = one.gpu;
  std::size_t position = 0;
  kept.each_text({}, [&](const std::string& text) {
    const archive::Entry entry = archive::entry_of(text, path, {});
    gatherer.add(entry, position++, own_label(labels[entry.hash], entry));
  });
}

struct Gathered {
  fleet::Fleet fleet;
  std::size_t refused = 0, others = 0;
};

/// A few files are read at a time, because a record takes many times its size.
Gathered gathered(const FleetCommand& command) {
  fleet::Names names;
  for (const std::string& pair : command.names) {
    const std::size_t middle = pair.rfind('=');
    if (middle == std::string::npos || middle == 0 || middle + 1 == pair.size()) {
      throw UsageError(fmt::format("--gpu {}: write FILES=NAME, as in 'node1/*.json=left'", pair));
    }
    names.by_file.emplace_back(pair.substr(0, middle), pair.substr(middle + 1));
  }
  Gathered all;
  fleet::Gatherer gatherer(std::move(names));
  std::deque<std::future<ReadRecords>> readings;
  const auto use = [&] {
    const ReadRecords read = readings.front().get();
    readings.pop_front();
    all.others += read.is_other ? 1 : 0;
    for (std::size_t i = 0; i < read.entries.size(); ++i) {
      gatherer.add(read.entries[i], i, "");
    }
    if (read.complaint.empty()) return;
    ++all.refused;
    complain(fmt::format("{} is not the record of a run or a bench:\n  {}\n", one_line(read.path),
                         read.complaint));
  };
  for (const FilePlace& place : files_in(command.places)) {
    if (is_archive(place.path)) {
      add_archive(place.path, gatherer);
      continue;
    }
    readings.push_back(std::async(std::launch::async, read_records, place));
    if (readings.size() > std::max(2U, std::thread::hardware_concurrency())) use();
  }
  while (!readings.empty()) use();
  all.fleet = gatherer.done();
  return all;
}

std::size_t count_of(const fleet::Judgement& judgement, Verdict verdict) {
  return judgement.counts[static_cast<std::size_t>(verdict)];
}

std::string summary_of(const fleet::Judgement& judgement, const Gathered& all) {
  std::string text;
  for (std::size_t i = 0; i < fleet::kVerdicts; ++i) {
    const std::size_t count = judgement.counts[i];
    if (count == 0) continue;
    text += (text.empty() ? "" : ", ") + tally(count, Verdict{static_cast<std::uint8_t>(i)});
  }
  const std::size_t gpus = all.fleet.gpus.size();
  text += fmt::format("; {} GPU{}", gpus, gpus == 1 ? "" : "s");
  if (all.fleet.unnamed > 0) {
    text += fmt::format(", {} known by the names of their files only", all.fleet.unnamed);
  }
  if (all.refused > 0) {
    text += fmt::format("; {} file{} refused", all.refused, all.refused == 1 ? "" : "s");
  }
  if (all.others > 0) {
    text += fmt::format("; {} other file{} in the folders left out", all.others,
                        all.others == 1 ? "" : "s");
  }
  return text;
}

struct FleetOutcome {
  int exit_code;
  std::string line;
};

FleetOutcome outcome_of(const fleet::Judgement& judgement, const Gathered& all) {
  if (all.fleet.gpus.empty()) {
    const bool is_refused = all.refused > 0;
    return {is_refused ? kExitUsage : kExitNothingRan, "NOTHING COMPARED there is no record"};
  }
  const std::string summary = summary_of(judgement, all);
  const std::size_t bad = count_of(judgement, Verdict::kWrongBits) +
                          count_of(judgement, Verdict::kMisconfigured) +
                          count_of(judgement, Verdict::kOddOne);
  if (bad > 0) return {kExitFailure, "FAIL " + summary};
  if (all.refused > 0) return {kExitUsage, "INCOMPLETE " + summary};
  if (count_of(judgement, Verdict::kUndecided) > 0)
    return {kExitIncomplete, "INCOMPLETE " + summary};
  return {kExitOk, "PASS " + summary};
}

int run(const FleetCommand& command) {
  const Gathered all = gathered(command);
  const fleet::Judgement judgement = fleet::judge(all.fleet, command.options);
  const FleetOutcome outcome = outcome_of(judgement, all);
  const JudgedFleet judged{all.fleet, judgement, command.options, outcome.line, outcome.exit_code};
  if (!command.json.empty()) report::write_whole(command.json, to_json(judged));
  if (!command.metrics.empty()) report::write_whole(command.metrics, to_metrics(judged));
  if (!command.html.empty()) report::write_whole(command.html, to_html(judged));
  print(to_text(judged, command.all) + outcome.line + "\n");
  return outcome.exit_code;
}

constexpr const char* kFooter =
    "A GPU is compared with the others of its model, MIG mode and build of assay; at least five "
    "are "
    "needed. Its verdict is the first that applies:\n"
    "  wrong bits       a case, or a loop of a bench, gave other bits than demanded, and not on\n"
    "                   nearly all GPUs; how often of how many repetitions\n"
    "  misconfigured    driver, ECC, MIG, persistence, clocks or power limit differ from those of\n"
    "                   most GPUs of its model; or its clock is low, and nothing limits it\n"
    "  odd one out      a quantity or a family of quantities (memory, short kernels, launches, "
    "host\n"
    "                   copies, clock) is apart from all levels that the others have\n"
    "  undecided        too few neighbours, too much missing, or apart but not confirmed\n"
    "  like the others  within the margin, or within what healthy GPUs differ by\n"
    "A GPU is known by its UUID, which records have where NVIDIA's library tells it; otherwise by "
    "--gpu, by the label of an archive, or by the name of its file: a.run.json and a.bench.json "
    "are "
    "of one GPU. Several records of a GPU are taken together. Imaginary and real numbers are not "
    "mixed.\n"
    "Exit codes: 0 if all are like the others; 1 if any is wrong, misconfigured or odd; 4 if any "
    "is "
    "undecided; 2 if a file was refused and nothing is worse; 5 if there is no record.\n"
    "A profile of one minute a GPU, on each:\n"
    "  export CUDA_VISIBLE_DEVICES=3\n"
    "  assay run --subject cuda --filter 'amp/*' --repeat 3 -q --json gpu3.run.json\n"
    "  assay bench --subject cuda --profile fleet -o gpu3.bench.json\n"
    "Example: assay fleet records/ --html fleet.html --metrics fleet.prom\n"
    "         assay fleet node*/*.json --gpu 'node1/*=left' --gpu 'node2/*=right'";

}  // namespace

void add_fleet(CliCommand app, Invocation& invocation) {
  CliCommand command =
      app.add_subcommand("fleet", "Show which GPUs of many are not like the others, and why");
  command.footer(kFooter);
  auto options = std::make_shared<FleetCommand>();
  command
      .add_option("RECORD", options->places,
                  "What `assay run --json` or `assay bench -o` wrote, plain or compressed; folders "
                  "of them; archives")
      .required();
  command.add_option("--gpu", options->names,
                     "The records of files that match a glob are of this GPU: FILES=NAME "
                     "(repeatable)");
  add_share(command, "--margin", options->options.margin, "Smaller differences do not count (2%)");
  command
      .add_option("--alpha", options->options.alpha,
                  "Probability that a healthy fleet has any odd GPU (0.01)")
      .check(in_range(0.000001, 0.49));
  command.add_flag("--all", options->all, "Also list the GPUs that are like the others");
  command.add_option("--json", options->json, "Write all of it to this file, for programs");
  command.add_option("--html", options->html, "Write a page to this file");
  command.add_option("--metrics", options->metrics,
                     "Write OpenMetrics text to this file, for node_exporter");
  command.callback([options, &invocation] { invocation.exit_code = run(*options); });
}

}  // namespace assay::cli

// Describes a run as text, for its journal.
#include "harness/run/key.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "harness/report/record.hpp"

namespace assay {
namespace {

/// FNV-1a over every case with its contract and clauses, independent of their order.
std::string cases_in_words(const std::vector<Task>& tasks) {
  std::vector<std::string> names;
  for (const Task& task : tasks) {
    names.push_back(fmt::format("{} {} {}\n", task.test->id, to_text(task.contract),
                                fmt::join(task.test->clauses, " ")));
  }
  std::sort(names.begin(), names.end());
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const std::string& name : names) {
    for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  }
  return fmt::format("{} ({:016x})", tasks.size(), hash);
}

std::string build_in_words() {
  const report::Environment build = report::this_environment();
  return fmt::format("{} {}{}", build.version, build.revision,
                     build.dirty ? fmt::format(" with changes ({:.12})", build.program) : "");
}

std::string support_in_words(const std::vector<SupportEntry>& entries) {
  std::vector<std::string> words;
  for (const SupportEntry& entry : entries) {
    words.push_back(fmt::format("{} at {}: {}", entry.cases, entry.command, entry.reason));
  }
  return fmt::format("{}", fmt::join(words, "; "));
}

std::string hello_in_words(const Hello& info) {
  std::vector<std::string> devices;
  for (const Device& device : info.devices) devices.push_back(to_text(device));
  return fmt::format("{} {}; devices {}; areas {}; without {}", info.name, info.version,
                     fmt::join(devices, ", "), fmt::join(info.areas, ", "),
                     fmt::join(info.without, ", "));
}

}  // namespace

RunKey key_of(const RunSubjectOptions& options, const SubjectOptions& subject) {
  const Selection& selection = options.selection;
  return {{"--filter", fmt::format("{}", fmt::join(selection.filters, " "))},
          {"--exclude", fmt::format("{}", fmt::join(selection.excludes, " "))},
          {"--full", selection.full ? "given" : "not given"},
          {"--contracts", selection.all_contracts ? "all" : "first"},
          {"--shard", fmt::format("{}/{}", options.shard.index, options.shard.count)},
          {"--repeat", fmt::format("{}", options.pool.attempts.repeat)},
          {"--rerun", fmt::format("{}", options.pool.attempts.rerun)},
          {"--require", fmt::format("{}", fmt::join(subject.required_areas, " "))},
          {"--no-known-differences", options.known_differences ? "not given" : "given"},
          {"--support", support_in_words(subject.support)}};
}

RunKey whole_key(const SubjectRun& run, const std::vector<Task>& tasks, const RunKey& asked) {
  std::vector<std::string> contracts;
  for (const Contract& contract : run.contracts) contracts.push_back(to_text(contract));
  RunKey key{{"program", build_in_words()},
             {"subject", run.subject},
             {"hello", hello_in_words(run.info)},
             {"contract", fmt::format("{}", fmt::join(contracts, " "))}};
  key.insert(key.end(), asked.begin(), asked.end());
  key.emplace_back("list of cases", cases_in_words(tasks));
  return key;
}

}  // namespace assay

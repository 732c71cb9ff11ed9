// Computes the keys of runs, and opens and closes their journals.
#include "harness/run/journal.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "harness/console/folders.hpp"
#include "harness/console/usage_error.hpp"
#include "harness/report/record.hpp"
#include "harness/report/write_whole.hpp"
#include "harness/suite/card/command_line.hpp"
#include "harness/suite/own_cases.hpp"
#include "harness/suite/runner/verdict.hpp"

namespace assay {

// The key.

namespace {

/// FNV-1a, 64 bits.
class Hash {
 public:
  void add(std::string_view text) {
    for (const char c : text) value_ = (value_ ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  }
  std::string text() const { return fmt::format("{:016x}", value_); }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325u;
};

/// The number of the files and a hash of what is in them. A file that cannot be read counts as
/// empty: the subject does not start without it either.
std::string contents_in_words(const std::vector<std::string>& files) {
  Hash hash;
  std::vector<char> chunk(std::size_t{1} << 16);
  for (const std::string& path : files) {
    std::ifstream file(path, std::ios::binary);
    std::uint64_t size = 0;
    while (file.read(chunk.data(), static_cast<std::streamsize>(chunk.size())), file.gcount() > 0) {
      hash.add({chunk.data(), static_cast<std::size_t>(file.gcount())});
      size += static_cast<std::uint64_t>(file.gcount());
    }
    hash.add(fmt::format(" {}\n", size));
  }
  return fmt::format("{} ({})", files.size(), hash.text());
}

/// The files of cases that are not compiled in: the user's own, and recordings.
std::vector<std::string> files_of(const std::vector<Task>& tasks) {
  std::set<std::string> files;
  for (const Task& task : tasks) {
    const std::string& file = task.test->where.file;
    if (!own_folder_of(task.test->id).empty() || is_recorded(*task.test)) files.insert(file);
  }
  return {files.begin(), files.end()};
}

/// All that decides what an entry excuses, and why; not where it stands.
std::string support_in_words(const std::vector<SupportEntry>& entries) {
  std::vector<std::string> words;
  for (const SupportEntry& entry : entries) {
    std::vector<std::string_view> releases;
    for (const Release release : entry.releases) releases.push_back(name_of(release));
    words.push_back(fmt::format(
        "{} at {}{} on {} of {}: {}", entry.cases, entry.command,
        entry.says == "*" ? "" : fmt::format(" saying {}", entry.says), entry.device,
        releases.empty() ? "*" : fmt::format("{}", fmt::join(releases, ", ")), entry.reason));
  }
  return fmt::format("{}", fmt::join(words, "; "));
}

std::string hello_in_words(const Hello& info) {
  std::vector<std::string> devices;
  for (const Device& device : info.devices) devices.push_back(to_text(device));
  std::string text = fmt::format("{} {}; devices {}; areas {}; without {}", info.name, info.version,
                                 fmt::join(devices, ", "), fmt::join(info.areas, ", "),
                                 fmt::join(info.without, ", "));
  if (info.foreign) text += "; foreign";
  for (const Property property : info.properties) text += fmt::format("; {}", name_of(property));
  return text;
}

}  // namespace

std::string build_in_words() {
  const report::Environment build = report::this_environment();
  const std::string program =
      build.program.empty() ? contents_in_words({program_path()}) : build.program;
  return fmt::format("{} {}{} ({:.12})", build.version, build.revision,
                     build.dirty ? " with changes" : "", program);
}

std::string cases_in_words(const std::vector<Task>& tasks) {
  std::vector<std::string> names;
  for (const Task& task : tasks) {
    names.push_back(fmt::format("{} {} {}\n", task.test->id, to_text(task.contract),
                                fmt::join(task.test->clauses, " ")));
  }
  std::sort(names.begin(), names.end());
  Hash hash;
  for (const std::string& name : names) hash.add(name);
  return fmt::format("{} ({})", tasks.size(), hash.text());
}

RunKey key_of(const RunSubjectOptions& options, const SubjectOptions& subject) {
  const Selection& selection = options.selection;
  return {{"--filter", fmt::format("{}", fmt::join(selection.filters, " "))},
          {"--exclude", fmt::format("{}", fmt::join(selection.excludes, " "))},
          {"--profile", selection.training_only ? "training" : "not given"},
          {"--full", selection.full ? "given" : "not given"},
          {"--contracts", selection.all_contracts ? "all" : "first"},
          {"--repeat", fmt::format("{}", options.pool.attempts.repeat)},
          {"--rerun", fmt::format("{}", options.pool.attempts.rerun)},
          {"--require", fmt::format("{}", fmt::join(subject.required_areas, " "))},
          {"--perturb", options.pool.runner.afterwards ? "given" : "not given"},
          {"--support", support_in_words(subject.support)}};
}

RunKey whole_key(const ConnectedSubject& subject, const SubjectRun& run,
                 const std::vector<Task>& tasks, const RunKey& asked) {
  std::vector<std::string> contracts;
  for (const Contract& contract : run.contracts) contracts.push_back(to_text(contract));
  RunKey key{{"program", build_in_words()},
             {"subject", run.subject},
             {"subject's program", contents_in_words(subject.files)},
             {"hello", hello_in_words(run.info)},
             {"contract", fmt::format("{}", fmt::join(contracts, " "))}};
  key.insert(key.end(), asked.begin(), asked.end());
  key.emplace_back(kListOfCases, cases_in_words(tasks));
  key.emplace_back("files of cases", contents_in_words(files_of(tasks)));
  return key;
}

RunKey journal_key(RunKey whole, const ConnectedSubject& subject, const Shard& shard) {
  whole.emplace_back("--shard", to_text(shard));
  if (subject.names_its_code) return whole;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  whole.emplace_back("state of the subject's program and files that its command line does not name",
                     fmt::format("that of {}", now.count()));
  return whole;
}

// The file.

namespace {

std::filesystem::path absolute_path_in(const char* variable) {
  const char* text = std::getenv(variable);
  const std::filesystem::path path = text == nullptr ? "" : text;
  return path.is_absolute() ? path : std::filesystem::path();
}

/// Empty if there is no home directory.
std::filesystem::path state_folder() {
  if (const auto state = absolute_path_in("XDG_STATE_HOME"); !state.empty()) return state / "assay";
  const auto home = absolute_path_in("HOME");
  return home.empty() ? home : home / ".local" / "state" / "assay";
}

std::filesystem::path folder_for_journals() {
  const std::filesystem::path state = state_folder();
  std::error_code failed;
  if (!state.empty()) std::filesystem::create_directories(state, failed);
  if (!state.empty() && !failed && ::access(state.c_str(), W_OK | X_OK) == 0) return state;
  return temporary_folder();
}

bool is_default_path(const std::string& path, const JournalOptions& options) {
  if (!options.record.empty() && path == options.record + ".journal") return true;
  const std::filesystem::path file(path);
  const auto folder = file.parent_path();
  const bool is_ours = file.filename().string().starts_with("run-");
  return is_ours && (folder == state_folder() || folder == temporary_folder());
}

/// Nothing is written next to a pipe or a terminal.
bool lies_in_a_folder(const std::string& file) {
  if (file.empty() || report::is_descriptor(file)) return false;
  std::error_code ignored;
  return !is_there(file) || std::filesystem::is_regular_file(file, ignored);
}

std::unique_ptr<Journal> new_journal(const std::string& path) {
  report::check_can_write(path);
  return std::make_unique<Journal>(path, Journal::Mode::kNew);
}

std::string path_next_to(const std::string& record) {
  return lies_in_a_folder(record) ? record + ".journal" : "";
}

std::unique_ptr<Journal> own_journal(const JournalOptions& options) {
  const std::string path = options.path.empty() ? path_next_to(options.record) : options.path;
  if (path.empty()) {
    throw UsageError(
        "--resume auto needs --journal or --json, to find the journal again: without them, it has "
        "another name each time");
  }
  report::check_can_write(path);
  return std::make_unique<Journal>(path, Journal::Mode::kContinue);
}

}  // namespace

std::unique_ptr<Journal> open_journal(const JournalOptions& options) {
  if (options.is_auto()) return own_journal(options);
  if (!options.resume.empty()) {
    std::error_code ignored;
    if (!std::filesystem::exists(std::filesystem::symlink_status(options.resume, ignored))) {
      throw UsageError(fmt::format("--resume: there is no journal {}; --journal {} starts one",
                                   options.resume, options.resume));
    }
    return std::make_unique<Journal>(options.resume, Journal::Mode::kResume);
  }
  if (!options.path.empty()) return new_journal(options.path);
  if (const auto path = path_next_to(options.record); !path.empty()) return new_journal(path);
  return std::make_unique<Journal>(folder_for_journals().string(), Journal::Mode::kInFolder);
}

std::string continued_in_words(const Journal& journal, const JournalOptions& options) {
  if (!options.is_auto() || !journal.has_cases()) return "";
  return fmt::format("continues the run of {}\n", journal.path());
}

std::string damage_in(const Journal& journal) {
  constexpr std::size_t kMost = 5;
  std::string text;
  for (std::size_t i = 0; i < std::min(journal.damaged().size(), kMost); ++i) {
    text += fmt::format("{}:{}: this line is damaged; its case runs again\n", journal.path(),
                        journal.damaged()[i]);
  }
  if (journal.damaged().size() <= kMost) return text;
  return text + fmt::format("  and {} more lines\n", journal.damaged().size() - kMost);
}

std::string close_journal(Journal& journal, const JournalOptions& options, int exit_code) {
  const bool has_record = exit_code != kExitInterrupted && exit_code != kExitUsage;
  const bool is_complete = has_record && exit_code != kExitInternal;
  const bool names_resumed = !options.resume.empty() && !options.is_auto();
  const bool is_named =
      !options.path.empty() || (names_resumed && !is_default_path(options.resume, options));
  if (is_complete ? !is_named : !journal.has_cases() && !names_resumed) {
    journal.remove();
    return "";
  }
  if (has_record) journal.finish(is_complete);
  journal.sync();
  if (is_complete) return "";
  if (options.is_auto()) return "  to continue: repeat the command\n";
  return fmt::format("  to continue: repeat the command with --resume {}\n", journal.path());
}

}  // namespace assay

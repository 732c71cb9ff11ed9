// Chooses, opens and closes the journal.
#include "harness/run/journal.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "harness/console/folders.hpp"
#include "harness/console/usage_error.hpp"
#include "harness/report/write_whole.hpp"
#include "harness/suite/runner/verdict.hpp"

namespace assay {
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

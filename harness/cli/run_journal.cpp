// Choosing, opening and leaving the journal.
#include "harness/cli/run_journal.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

namespace assay::cli {
namespace {

std::string default_path(const std::string& record) {
  if (!record.empty()) return record + ".journal";
  return (std::filesystem::temp_directory_path() / fmt::format("assay-{}.journal", getpid()))
      .string();
}

}  // namespace

std::unique_ptr<Journal> open_journal(const JournalOptions& options) {
  if (!options.resume.empty()) {
    return std::make_unique<Journal>(options.resume, Journal::Mode::kResume);
  }
  const std::string path = options.path.empty() ? default_path(options.record) : options.path;
  return std::make_unique<Journal>(path, Journal::Mode::kNew);
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

std::string close_journal(Journal& journal, const JournalOptions& options, bool complete) {
  const bool named = !options.path.empty() || !options.resume.empty();
  if (complete && !named) {
    journal.remove();
    return "";
  }
  journal.sync();
  if (complete) return "";
  return fmt::format("  to go on: the same command with --resume {}\n", journal.path());
}

}  // namespace assay::cli

// Appends results to a file, and reads them back.
#include "harness/suite/journal/journal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <map>
#include <optional>
#include <utility>

#include "harness/protocol/json.hpp"
#include "harness/protocol/json_guard.hpp"
#include "harness/text/journal_begins.hpp"

namespace assay {
namespace {

/// Written data survives the death of this process immediately, but a power failure only after a
/// sync. A sync takes milliseconds, longer than most cases, so it is done once per second: a power
/// failure loses at most a second of cases, which run
/// again.
constexpr std::chrono::seconds kBetweenSyncs{1};

constexpr std::size_t kMostBytes = std::size_t{256} << 20;
constexpr const char* kNoHead = "expected a header with a checksum";

/// Nothing if it cannot be read; errno has the reason.
std::optional<std::string> everything_in(int file) {
  std::string text;
  std::array<char, 1 << 16> chunk;
  for (;;) {
    const ssize_t got = ::read(file, chunk.data(), chunk.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return std::nullopt;
    if (got == 0) return text;
    if (text.size() > kMostBytes) {
      errno = EFBIG;
      return std::nullopt;
    }
    text.append(chunk.data(), static_cast<std::size_t>(got));
  }
}

bool is_regular(const OwnedFd& file) {
  struct stat status {};
  return ::fstat(file.get(), &status) == 0 && S_ISREG(status.st_mode);
}

std::uint64_t inode_of(const OwnedFd& file) {
  struct stat status {};
  return ::fstat(file.get(), &status) == 0 ? status.st_ino : 0;
}

bool is_link(const std::string& path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0 && S_ISLNK(status.st_mode);
}

/// The last line of the text if it is whole and the end of a journal; else empty.
std::string_view end_of(std::string_view text) {
  if (!text.ends_with('\n')) return "";
  text.remove_suffix(1);
  const std::size_t before = text.rfind('\n');
  const std::string_view last = before == std::string_view::npos ? text : text.substr(before + 1);
  return is_whole(last) && is_end(last) ? last : "";
}

/// Empty if they are equal.
std::string difference(const RunKey& before, const RunKey& now) {
  const std::map<std::string, std::string> old(before.begin(), before.end());
  for (const auto& [name, value] : now) {
    const auto found = old.find(name);
    if (found == old.end()) return fmt::format("it lacks its {}", name);
    if (found->second != value) {
      return fmt::format("its {} was '{}', and is '{}' now", name, found->second, value);
    }
  }
  return old.size() == now.size() ? "" : "it has settings that this run does not have";
}

using CaseKey = std::pair<std::string, std::string>;

std::map<CaseKey, const Case*> by_key(const std::vector<Task>& tasks) {
  std::map<CaseKey, const Case*> cases;
  for (const Task& task : tasks) cases[{task.test->id, to_text(task.contract)}] = task.test;
  return cases;
}

/// Why these are not results of this run; empty if they are.
std::string misfit_of(const JournalPart& part, const RunKey& key, const std::vector<Task>& tasks) {
  if (std::string why = difference(part.key, key); !why.empty()) return why;
  std::map<CaseKey, const Case*> missing = by_key(tasks);
  for (const JournalEntry& entry : part.entries) {
    if (missing.erase({entry.case_id, to_text(entry.result.contract)}) == 1) continue;
    return fmt::format("{}, in its line {}, is not in this run, or is there twice", entry.case_id,
                       entry.line);
  }
  return "";
}

std::vector<CaseResult> results_for(const std::vector<Task>& tasks,
                                    std::vector<JournalEntry> entries) {
  const std::map<CaseKey, const Case*> cases = by_key(tasks);
  std::vector<CaseResult> results;
  for (JournalEntry& entry : entries) {
    entry.result.test = cases.at({entry.case_id, to_text(entry.result.contract)});
    results.push_back(std::move(entry.result));
  }
  return results;
}

}  // namespace

void Journal::failed(const char* what) const {
  throw JournalFailed(
      fmt::format("cannot {} the journal {}: {}", what, path_, std::strerror(errno)));
}

Journal::Journal(std::string path, Mode mode) : path_(std::move(path)), mode_(mode) {
  if (mode == Mode::kNew) refuse_unfinished_file();
  if (mode == Mode::kContinue && !opens_unfinished_file()) mode_ = Mode::kNew;
  if (mode == Mode::kResume) {
    open(0);
    if (!is_regular(file_)) {
      throw JournalRefused(fmt::format("the journal {} is not a file", path_));
    }
    lock();
  }
  if (mode_ != Mode::kResume && mode_ != Mode::kContinue) return;
  read();
  is_begun_ = true;
}

/// False if there is no file, or nothing in it to continue.
bool Journal::opens_unfinished_file() {
  if (::access(path_.c_str(), F_OK) != 0 && errno == ENOENT && !is_link(path_)) return false;
  open(0);
  if (!is_regular(file_)) return false;
  lock();
  const std::optional<std::string> held = everything_in(file_.get());
  if (!held) failed("read");
  if (::lseek(file_.get(), 0, SEEK_SET) != 0) failed("read");
  return !held->empty() && !is_complete_end(end_of(*held));
}

/// Nothing is deleted: the other run may be continued by its own program.
void Journal::rename_for(const std::string& why) {
  std::string kept;
  for (int number = 1; kept.empty() || ::access(kept.c_str(), F_OK) == 0; ++number) {
    kept = fmt::format("{}.{}", path_, number);
  }
  if (::rename(path_.c_str(), kept.c_str()) != 0) failed("rename");
  set_aside_ =
      fmt::format("{} was the journal of another run and is kept as {}; this run began anew: {}",
                  path_, kept, why);
  parts_.clear();
  damaged_.clear();
  has_cases_ = false;
  open(O_CREAT | O_EXCL);
  lock();
}

void Journal::open(int more_flags) {
  constexpr int kFlags = O_RDWR | O_APPEND | O_CLOEXEC | O_NOFOLLOW;
  file_ = OwnedFd(::open(path_.c_str(), kFlags | more_flags, 0666));
  if (file_.is_open()) {
    inode_ = inode_of(file_);
    return;
  }
  if (errno == ELOOP) {
    throw JournalFailed(fmt::format("the journal {} is a link, which is not followed", path_));
  }
  failed("open");
}

void Journal::lock() {
  if (::flock(file_.get(), LOCK_EX | LOCK_NB) == 0) return;
  throw JournalFailed(fmt::format("another run is writing to the journal {}", path_));
}

/// A file that is not regular (a terminal, /dev/full) is only written to.
void Journal::refuse_unfinished_file() {
  if (::access(path_.c_str(), F_OK) != 0 && errno == ENOENT && !is_link(path_)) return;
  open(0);
  if (!is_regular(file_)) return;
  lock();
  refuse_unfinished();
}

void Journal::refuse_unfinished() {
  const std::optional<std::string> held = everything_in(file_.get());
  if (!held) failed("read");
  if (held->empty() || !end_of(*held).empty()) return;
  if (!kJournalBegins.starts_with(held->substr(0, kJournalBegins.size()))) {
    throw JournalRefused(fmt::format("{} exists and is not a journal; it is not changed", path_));
  }
  throw JournalRefused(
      fmt::format("{0} is the journal of a run that did not end: repeat that run's command with "
                  "--resume {0} to continue it, or remove the file to start over",
                  path_));
}

void Journal::begin_file() {
  if (std::exchange(is_begun_, true)) return;
  if (mode_ == Mode::kInFolder) return begin_file_in_folder();
  if (!file_.is_open()) {
    open(O_CREAT | O_EXCL);
    lock();
  } else if (is_regular(file_) && ::ftruncate(file_.get(), 0) != 0) {
    failed("empty");
  }
}

void Journal::begin_file_in_folder() {
  constexpr std::string_view kEnding = ".journal";
  std::string name = path_ + "/run-XXXXXX" + std::string(kEnding);
  file_ = OwnedFd(::mkostemps(name.data(), static_cast<int>(kEnding.size()), O_APPEND | O_CLOEXEC));
  path_ = std::move(name);
  inode_ = inode_of(file_);
  if (!file_.is_open()) failed("make");
  lock();
}

void Journal::read() {
  const std::optional<std::string> held = everything_in(file_.get());
  if (!held) failed("read");
  const std::string& text = *held;
  std::size_t at = 0;
  try {
    guard_json_lines(text);
  } catch (const MalformedMessage& error) {
    refuse(1, error.what());
  }
  for (std::size_t number = 1; at < text.size(); ++number) {
    const std::size_t end = text.find('\n', at);
    if (end == std::string::npos) break;
    take(std::string_view(text).substr(at, end - at), number);
    at = end + 1;
  }
  // A file that is not a journal must not be truncated.
  const std::string_view rest = std::string_view(text).substr(at);
  if (at == 0 && !kJournalBegins.starts_with(rest.substr(0, kJournalBegins.size()))) {
    refuse(1, kNoHead);
  }
  // Its results may be those of another subject by now, and nothing would run.
  if (is_complete_end(end_of(text)) && damaged_.empty()) {
    throw JournalRefused(fmt::format(
        "the journal {0} is of a run that is finished: nothing is left to continue. The same "
        "command without --resume runs everything again (--journal {0} writes over the file)",
        path_));
  }
  for (const auto& [number, part] : parts_) has_cases_ = has_cases_ || !part.entries.empty();
  if (at < text.size() && ::ftruncate(file_.get(), static_cast<off_t>(at)) != 0) failed("mend");
}

void Journal::take(std::string_view line, std::size_t number) {
  if (!is_whole(line)) {
    // Without a valid head the other lines cannot be interpreted.
    if (number == 1) refuse(number, kNoHead);
    damaged_.push_back(number);
    return;
  }
  try {
    read_line(line, number, parts_);
  } catch (const std::exception& error) {
    refuse(number, error.what());
  }
}

void Journal::refuse(std::size_t number, const std::string& why) const {
  throw JournalRefused(
      fmt::format("{}:{}: this is not a line of a journal: {}", path_, number, why));
}

std::vector<CaseResult> Journal::begin(std::size_t part_number, const RunKey& key,
                                       const std::vector<Task>& tasks) {
  part_ = part_number;
  begin_file();
  left_ += tasks.size();
  if (!parts_.contains(part_)) {
    append(head_line(part_, key));
    return {};
  }
  const std::string why = misfit_of(parts_[part_], key, tasks);
  if (!why.empty()) {
    if (mode_ != Mode::kContinue) {
      throw JournalRefused(fmt::format("the journal {} is of another run: {}", path_, why));
    }
    rename_for(why);
    append(head_line(part_, key));
    return {};
  }
  std::vector<CaseResult> results = results_for(tasks, std::move(parts_[part_].entries));
  left_ -= results.size();
  return results;
}

void Journal::add(const CaseResult& result) {
  has_cases_ = true;
  if (left_ > 0) --left_;
  append(case_line(part_, result));
  if (std::chrono::steady_clock::now() - synced_ >= kBetweenSyncs) sync();
}

/// A library in this process may have put its own file in this place.
void Journal::refuse_other_file() const {
  if (inode_of(file_) == inode_) return;
  throw JournalFailed(
      fmt::format("cannot write to the journal {}: its descriptor has been replaced", path_));
}

void Journal::append(const std::string& line) {
  refuse_other_file();
  std::string_view rest = line;
  while (!rest.empty()) {
    const ssize_t written = ::write(file_.get(), rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) failed("write to");
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
}

void Journal::sync() {
  if (!file_.is_open()) return;
  // Non-regular files cannot be synchronized and need not be.
  if (::fdatasync(file_.get()) != 0 && errno != EINVAL && errno != EROFS) failed("write to");
  synced_ = std::chrono::steady_clock::now();
}

void Journal::finish(bool successful) {
  if (is_begun_) append(end_line(successful && left_ == 0));
}

void Journal::remove() {
  if (is_begun_ && is_regular(file_)) ::unlink(path_.c_str());
}

}  // namespace assay

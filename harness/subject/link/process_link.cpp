// The process transport: JSON lines through the pipes of a child process.
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "harness/protocol/json.hpp"
#include "harness/protocol/utf8.hpp"
#include "harness/subject/lines.hpp"
#include "harness/subject/link/link.hpp"
#include "harness/subject/process/child_process.hpp"
#include "harness/subject/process/other_process.hpp"
#include "harness/subject/process/time_limit.hpp"

namespace assay {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kLastWordsBytes = 16 << 10;
constexpr std::size_t kMostNoiseLines = 1000;
constexpr std::size_t kMostNoiseBytes = 1 << 20;
constexpr std::chrono::milliseconds kPatienceAfterEof{1000};
/// The longest wait between two looks at the clock.
constexpr std::chrono::milliseconds kSlice{500};
/// The first reply may take this many times longer, because a subject may have to load much.
constexpr int kStartingUp = 10;
constexpr std::chrono::milliseconds kLongestStart{30'000};

/// Other lines are noise printed to standard output by mistake.
bool looks_like_message(std::string_view line) {
  const auto brace = line.find_first_not_of(" \t");
  if (brace == std::string_view::npos || line[brace] != '{') return false;
  const auto next = line.find_first_not_of(" \t", brace + 1);
  return next != std::string_view::npos && (line[next] == '"' || line[next] == '}');
}

std::string shortened(std::string_view text) {
  constexpr std::size_t kMost = 120;
  return printable(text.substr(0, kMost)) + (text.size() > kMost ? "..." : "");
}

/// Whoever ends a job, such as Slurm, ends its processes one after the other, so a subject may be
/// gone before this process is told to stop. A fault of the subject's own is not waited for.
std::chrono::milliseconds patience_for_a_stop(std::string_view end) {
  constexpr std::array kFromOutside{"SIGTERM",    "SIGKILL",    "SIGINT",     "SIGHUP",
                                    "status 143", "status 137", "status 130", "status 129"};
  const auto is_named = [&](std::string_view name) { return end.ends_with(name); };
  if (std::ranges::any_of(kFromOutside, is_named)) return std::chrono::milliseconds(1000);
  return std::chrono::milliseconds(end.starts_with("ended with") ? 100 : 0);
}

class ProcessLink final : public Link,
                          public TimeLimit,
                          public OtherProcess,
                          public FirstReply,
                          public ClosableLink {
 public:
  explicit ProcessLink(ProcessOptions options) : options_(std::move(options)) { start(); }

  Reply exchange(const Command& command) override;
  void restart() override {
    child_.reset();
    start();
  }
  void expect_by(std::optional<Clock::time_point> end) override { end_ = end; }
  void end_early_on(const StopSignal* stop) override { stop_ = stop; }
  bool has_ever_answered() const override { return has_ever_answered_; }
  std::optional<std::string> close_subject(
      std::optional<std::chrono::milliseconds> patience) override;
  pid_t process() const override { return child_ == nullptr ? -1 : child_->pid(); }

 private:
  void start();
  std::chrono::milliseconds patience() const;
  void write_some();
  void forget_outgoing();
  void await(const Command& command, Clock::time_point& deadline);
  void forgive(Clock::duration pause, Clock::time_point& deadline);
  bool read_output();
  bool read_errors();
  void last_words();
  std::optional<Reply> reply_among_lines(const Command& command);
  Reply reply_in(std::string_view line, const Command& command);
  void refuse_if_late(const Command& command, Clock::time_point deadline);
  void refuse_a_second_reply();
  void count_noise(std::string_view line);
  std::string no_replies() const;

  [[noreturn]] void broken(LinkBroken::Cause cause, const std::string& what);
  [[noreturn]] void timed_out(const Command& command, Clock::time_point deadline);
  [[noreturn]] void output_ended();
  bool is_stopped_within(std::chrono::milliseconds patience) const;
  [[noreturn]] void interrupted();

  ProcessOptions options_;
  std::optional<Clock::time_point> end_;
  const StopSignal* stop_ = nullptr;
  std::unique_ptr<ChildProcess> child_;
  std::optional<LineBuffer> lines_;
  /// Output not written yet. A child that replies early still receives the rest of the command.
  std::string outgoing_;
  std::size_t sent_ = 0;  ///< bytes of outgoing_
  std::string errors_;
  bool has_answered_ = false;  ///< since its start
  bool has_ever_answered_ = false;
  std::size_t noise_lines_ = 0;
  std::size_t noise_bytes_ = 0;
  std::string first_noise_;
};

void ProcessLink::start() {
  lines_.emplace(options_.most_line_bytes);
  forget_outgoing();
  errors_.clear();
  has_answered_ = false;
  try {
    child_ = std::make_unique<ChildProcess>(options_.argv);
  } catch (const std::exception& failure) {
    throw LinkBroken(LinkBroken::Cause::kDied, failure.what());
  }
}

void ProcessLink::broken(LinkBroken::Cause cause, const std::string& what) {
  child_->kill();
  last_words();
  child_.reset();
  throw LinkBroken(cause, what, errors_);
}

std::chrono::milliseconds ProcessLink::patience() const {
  if (has_answered_) return options_.timeout;
  return std::max(options_.timeout, std::min(kStartingUp * options_.timeout, kLongestStart));
}

Reply ProcessLink::exchange(const Command& command) {
  if (child_ == nullptr) {
    throw LinkBroken(LinkBroken::Cause::kDied, "the subject is not running: restart the link");
  }
  outgoing_ += to_json(command);
  outgoing_ += '\n';
  const auto latest = Clock::now() + patience();
  auto deadline = end_ ? std::min(*end_, latest) : latest;
  noise_lines_ = noise_bytes_ = 0;
  for (;;) {
    write_some();
    await(command, deadline);
    const bool more = read_output();
    if (std::optional<Reply> reply = reply_among_lines(command)) {
      refuse_if_late(command, deadline);
      return std::move(*reply);
    }
    if (!more) output_ended();
  }
}

void ProcessLink::write_some() {
  std::string_view pending = std::string_view(outgoing_).substr(sent_);
  while (!pending.empty()) {
    const ssize_t written = quiet_write(child_->input().get(), pending);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0 && errno == EAGAIN) break;
    // On failure the child reads no more; its output contains a last reply, or ends.
    pending.remove_prefix(written < 0 ? pending.size() : static_cast<std::size_t>(written));
  }
  sent_ = outgoing_.size() - pending.size();
  if (pending.empty()) forget_outgoing();
}

void ProcessLink::forget_outgoing() {
  constexpr std::size_t kKeptBytes = 1 << 20;
  sent_ = 0;
  outgoing_.clear();
  if (outgoing_.capacity() > kKeptBytes) outgoing_.shrink_to_fit();
}

/// Time in which this process did not run (it was stopped, or the machine slept) is not the
/// subject's: the limits move by it.
void ProcessLink::forgive(Clock::duration pause, Clock::time_point& deadline) {
  if (pause < kSlice) return;
  deadline += pause;
  if (end_) *end_ += pause;
}

/// Waits until output can be read or input written; reads standard error meanwhile.
void ProcessLink::await(const Command& command, Clock::time_point& deadline) {
  for (;;) {
    std::array<pollfd, 5> fds{
        pollfd{child_->output().get(), POLLIN, 0},
        pollfd{child_->errors().get(), POLLIN, 0},
        pollfd{outgoing_.empty() ? -1 : child_->input().get(), POLLOUT, 0},
        pollfd{child_->end().get(), POLLIN, 0},
        pollfd{stop_ == nullptr ? -1 : stop_->fd(), POLLIN, 0},
    };
    const auto before = Clock::now();
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - before);
    const auto slice = std::clamp(left, std::chrono::milliseconds(0), kSlice);
    const int ready = ::poll(fds.data(), fds.size(), static_cast<int>(slice.count()));
    const bool was_interrupted = ready < 0 && errno == EINTR;
    forgive(Clock::now() - before - slice, deadline);
    if (was_interrupted) continue;
    if (ready == 0 && Clock::now() < deadline) continue;
    if (ready == 0) timed_out(command, deadline);
    if (fds[4].revents != 0) interrupted();
    if (fds[1].revents != 0 && !read_errors()) child_->errors().close();
    if (fds[0].revents != 0 || fds[2].revents != 0) return;
    if (fds[3].revents == 0) continue;
    // The child is gone, and other holders of its pipes are not subjects. A reply may remain.
    if (::poll(fds.data(), 1, 0) > 0) return;
    output_ended();
  }
}

/// False at the end of the stream.
bool ProcessLink::read_output() {
  std::array<char, 1 << 16> chunk;
  for (;;) {
    const ssize_t got = ::read(child_->output().get(), chunk.data(), chunk.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno == EAGAIN;
    if (got == 0) return false;
    lines_->append({chunk.data(), static_cast<std::size_t>(got)});
    return true;
  }
}

/// False at the end of the stream.
bool ProcessLink::read_errors() {
  std::array<char, 1 << 14> chunk;
  const ssize_t got = ::read(child_->errors().get(), chunk.data(), chunk.size());
  if (got <= 0) return got < 0 && (errno == EAGAIN || errno == EINTR);
  errors_.append(chunk.data(), static_cast<std::size_t>(got));
  if (errors_.size() > 2 * kLastWordsBytes) errors_.erase(0, errors_.size() - kLastWordsBytes);
  return true;
}

/// Reads only what is available: a grandchild may keep the pipe open forever.
void ProcessLink::last_words() {
  constexpr int kMostReads = 64;
  for (int i = 0; i < kMostReads && child_->errors().is_open(); ++i) {
    pollfd fd{child_->errors().get(), POLLIN, 0};
    if (::poll(&fd, 1, 0) <= 0 || !read_errors()) break;
  }
  if (errors_.size() > kLastWordsBytes) errors_.erase(0, errors_.size() - kLastWordsBytes);
}

std::optional<Reply> ProcessLink::reply_among_lines(const Command& command) {
  if (lines_->overflowed()) {
    broken(LinkBroken::Cause::kDied, "the subject was ended: it wrote a line of more than " +
                                         std::to_string(options_.most_line_bytes) + " bytes");
  }
  while (const auto line = lines_->next()) {
    if (!looks_like_message(*line)) {
      count_noise(*line);
      continue;
    }
    Reply reply = reply_in(*line, command);
    has_answered_ = has_ever_answered_ = true;
    refuse_a_second_reply();
    return reply;
  }
  return std::nullopt;
}

Reply ProcessLink::reply_in(std::string_view line, const Command& command) {
  try {
    return checked_reply(line, command);
  } catch (const MalformedMessage& failure) {
    broken(LinkBroken::Cause::kGarbled,
           std::string("answered out of protocol: ") + failure.what() + ": " + shortened(line));
  }
}

/// Parsing a long reply counts towards its time limit.
void ProcessLink::refuse_if_late(const Command& command, Clock::time_point deadline) {
  if (Clock::now() <= deadline) return;
  broken(LinkBroken::Cause::kTimedOut,
         "the reply to '" + command.verb + "' was there, but reading it took too long");
}

/// A later second reply would be taken as the next command's reply, and detected by its id.
void ProcessLink::refuse_a_second_reply() {
  while (const auto line = lines_->next()) {
    if (looks_like_message(*line)) {
      broken(LinkBroken::Cause::kGarbled,
             "answered out of protocol: more than one reply to a command: " + shortened(*line));
    }
    count_noise(*line);
  }
}

void ProcessLink::count_noise(std::string_view line) {
  ++noise_lines_;
  noise_bytes_ += line.size() + 1;
  if (noise_lines_ == 1) first_noise_ = shortened(line);
  if (noise_lines_ <= kMostNoiseLines && noise_bytes_ <= kMostNoiseBytes) return;
  broken(LinkBroken::Cause::kDied,
         "the subject was ended: its standard output holds no replies, only lines such as: " +
             shortened(line));
}

/// Describes output that is not a reply, such as a reply on several lines or without a line break.
std::string ProcessLink::no_replies() const {
  std::string text;
  if (noise_lines_ > 0) {
    text += "; it wrote " + std::to_string(noise_lines_) +
            (noise_lines_ == 1 ? " line that is" : " lines that are") +
            " not a reply, the first: " + first_noise_;
  }
  if (const std::string_view rest = lines_->rest(); !rest.empty()) {
    text += "; it is in the middle of a line: " + shortened(rest);
  }
  return text;
}

void ProcessLink::timed_out(const Command& command, Clock::time_point deadline) {
  const std::string when =
      end_ == deadline ? "in time" : "within " + std::to_string(patience().count()) + " ms";
  broken(LinkBroken::Cause::kTimedOut, "no reply to '" + command.verb + "' " + when + no_replies());
}

std::optional<std::string> ProcessLink::close_subject(
    std::optional<std::chrono::milliseconds> patience) {
  if (child_ == nullptr) return std::nullopt;
  child_->input().close();
  const std::optional<std::string> end = child_->wait(patience.value_or(kPatienceAfterEof));
  if (!end) child_->kill();
  child_.reset();
  if (!end && patience) {
    return "the subject did not end within " + std::to_string(patience->count()) +
           " ms when its input was closed";
  }
  if (!end || *end == "ended with status 0") return std::nullopt;
  return "the subject " + *end + " when its input was closed, after the last case";
}

void ProcessLink::interrupted() {
  child_->kill();
  child_.reset();
  throw Interrupted();
}

bool ProcessLink::is_stopped_within(std::chrono::milliseconds patience) const {
  pollfd stop{stop_ == nullptr ? -1 : stop_->fd(), POLLIN, 0};
  if (stop_ != nullptr) ::poll(&stop, 1, static_cast<int>(patience.count()));
  return stop_ != nullptr && stop_->is_set();
}

void ProcessLink::output_ended() {
  const std::string_view rest = lines_->rest();
  std::string what = child_->wait(kPatienceAfterEof).value_or("closed its standard output");
  if (is_stopped_within(patience_for_a_stop(what))) interrupted();
  if (!rest.empty()) what += " in the middle of a line: " + shortened(rest);
  broken(LinkBroken::Cause::kDied, "the subject " + what);
}

}  // namespace

std::unique_ptr<Link> connect_process(ProcessOptions options) {
  return std::make_unique<ProcessLink>(std::move(options));
}

}  // namespace assay

// Workers that generate programs, run them on both subjects, and shrink findings.
#include "harness/fuzz/campaign.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <exception>
#include <thread>

#include "harness/console/nearest.hpp"
#include "harness/console/usage_error.hpp"
#include "harness/program/shrink.hpp"
#include "harness/protocol/schema.hpp"
#include "harness/subject/process/time_limit.hpp"
#include "harness/suite/runner/hello.hpp"
#include "harness/suite/runner/runner.hpp"
#include "harness/suite/unsupported_case.hpp"

namespace assay {
namespace {

/// The number of initial programs that only detect which commands the subjects lack.
constexpr std::uint64_t kLearning = 60;

/// A changed case computes what no clause fixes to the bit.
constexpr Freedom kFreedom{.inside = true,
                           .tolerance = {.nan_by_class = true, .ulp = 4, .relative = 1e-4}};

/// The maximum number of commands that a program may lose because a subject lacks them.
constexpr int kLeftOut = 12;

void note_answered(const Block& block, const std::vector<Reply>& replies,
                   std::set<std::string>& answered) {
  for (std::size_t i = 0; i < std::min(block.size(), replies.size()); ++i) {
    if (replies[i].status == Reply::Status::kUnsupported) continue;
    answered.insert(block[i].verb);
    note_answered(block[i].body, replies[i].replies, answered);
  }
}

void count_verbs(const Block& block, std::map<std::string, std::uint64_t>& verbs) {
  for (const Command& command : block) {
    ++verbs[command.verb];
    count_verbs(command.enter, verbs);
    count_verbs(command.body, verbs);
  }
}

RunnerOptions with_history() {
  RunnerOptions options;
  options.keep_history = true;
  return options;
}

/// The areas that programs may be of.
std::vector<std::string> areas_of(ProgramSource source) {
  return source == ProgramSource::kMoves ? areas_with_moves() : known_areas();
}

/// Those of which programs can be drawn command by command.
std::vector<std::string> with_moves(std::vector<std::string> areas) {
  std::erase_if(areas, [](const std::string& area) { return moves_of(area).empty(); });
  return areas;
}

/// Keeps the areas that the subject claims; refuses to leave out one that the user named.
void keep_what_is_claimed(std::vector<std::string>& areas, const std::string& subject,
                          const SubjectInfo& info, const CampaignOptions& options) {
  std::erase_if(areas, [&](const std::string& area) {
    if (std::ranges::find(info.areas, area) != info.areas.end()) return false;
    if (options.areas.empty()) return true;
    throw UsageError(fmt::format("{} does not claim the area {}", subject, area));
  });
  if (areas.empty()) {
    throw UsageError(fmt::format("{} claims no area that has random programs", subject));
  }
}

/// The maximum number of an accelerator's devices in a program. A machine without CUDA has those of
/// a pretended backend.
constexpr int kMostUsed = 2;

/// What the two subjects have in common.
struct Common {
  Contract contract;
  Hello hello;  ///< of the subject
  std::vector<std::string> areas;
  int devices = kMostUsed;  ///< of accelerators
  bool on_gpu = false;      ///< one at least
};

/// True if its devices are not those of a simulated machine.
bool is_on_gpu(const SubjectInfo& info) {
  return std::ranges::find(info.areas, "sim") == info.areas.end();
}

/// The number of the accelerator's devices that programs may use.
int devices_of(const SubjectInfo& info) {
  const auto listed = static_cast<int>(
      std::ranges::count_if(info.devices, [](const Device& one) { return one.type != "cpu"; }));
  return listed == 0 ? kMostUsed : std::min(listed, kMostUsed);
}

Common settled(Link& subject, Link& trusted, const CampaignOptions& options) {
  Common common;
  common.areas = options.areas.empty() ? areas_of(options.source) : options.areas;
  end_early_on(subject, options.stop);
  common.hello = hello_with_retries(subject, options.wanted);
  const Hello& info = common.hello;
  common.contract = info.contract;
  keep_what_is_claimed(common.areas, options.subject, info, options);
  end_early_on(trusted, options.stop);
  const SubjectInfo other = hello_with_retries(trusted, common.contract);
  keep_what_is_claimed(common.areas, options.trusted, other, options);
  if (common.contract.cuda()) {
    common.devices = std::min(devices_of(info), devices_of(other));
    common.on_gpu = is_on_gpu(info) || is_on_gpu(other);
  }
  if (other.contract == common.contract) return common;
  throw UsageError(fmt::format(
      "the contract of {} is {}, and that of {} is {}: they cannot be compared", options.subject,
      to_text(common.contract), options.trusted, to_text(other.contract)));
}

/// Counts the commands that both answered, and those of them that succeeded.
void count_compared(const ProgramResult& result, CampaignResult& into) {
  Block answered;
  std::uint64_t succeeded = 0;
  using End = ProgramResult::End;
  const bool lacks_a_reply = result.end == End::kUnsupported || result.end == End::kBroken ||
                             result.end == End::kMeaningless;
  const std::size_t count = result.exchanges.size();
  for (std::size_t i = 0; i < (lacks_a_reply && count > 0 ? count - 1 : count); ++i) {
    answered.push_back(result.exchanges[i].first);
    succeeded += result.exchanges[i].second.succeeded() ? 1U : 0U;
  }
  into.commands += size_of(answered);
  into.succeeded += succeeded;
}

}  // namespace

/// The two subjects of one worker.
struct Campaign::Pair {
  explicit Pair(const CampaignOptions& options)
      : subject(connect(options.subject, options.connection)),
        trusted(connect(options.trusted, options.connection)),
        common(settled(*subject.link, *trusted.link, options)),
        differential(*subject.link, *trusted.link, common.contract),
        runner(*trusted.link, with_history()) {}

  ConnectedSubject subject;
  ConnectedSubject trusted;
  Common common;
  Differential differential;
  Runner runner;  ///< of the trusted one
};

std::size_t CampaignResult::median_length() const {
  std::uint64_t left = programs / 2;
  for (const auto& [length, times] : lengths) {
    if (left < times) return length;
    left -= times;
  }
  return 0;
}

Campaign::Campaign(CampaignOptions options) : options_(std::move(options)) {
  const std::vector<std::string> all = areas_of(options_.source);
  for (const std::string& area : options_.areas) {
    if (std::ranges::find(all, area) != all.end()) continue;
    throw UsageError(
        fmt::format("there are no {} for the area '{}'{}\n  areas: {}",
                    options_.source == ProgramSource::kMoves ? "random programs" : "programs", area,
                    suggestion(area, all), fmt::join(all, ", ")));
  }
}

CampaignResult Campaign::run() {
  Pair first(options_);
  result_.contract = first.common.contract;
  areas_ = first.common.areas;
  plan_ = {.areas = with_moves(areas_),
           .contract = first.common.contract,
           .seed = options_.seed,
           .devices = first.common.devices,
           .on_gpu = first.common.on_gpu};
  if (options_.source != ProgramSource::kMoves) {
    cases_.choose(options_.cases, areas_, plan_.contract);
    if (cases_.empty())
      throw UsageError("no case of these areas can run under " + to_text(plan_.contract));
  }
  if (options_.source != ProgramSource::kCases) learn(first);
  next_ = options_.first;
  begin_ = std::chrono::steady_clock::now();
  std::vector<std::jthread> workers;
  for (unsigned i = 0; i < options_.jobs; ++i) workers.emplace_back([this] { work(); });
  workers.clear();
  if (failure_) std::rethrow_exception(failure_);
  note_unexcused(first);
  result_.interrupted = options_.stop != nullptr && options_.stop->is_set();
  return std::move(result_);
}

/// A command that one of the two lacks entirely is not generated again.
void Campaign::learn(Pair& pair) {
  std::set<std::string> lacked;
  std::set<std::string> answered;
  for (std::uint64_t number = 0; number < kLearning; ++number) {
    const ProgramResult result = pair.differential.run(write_program(plan_, ~number));
    if (result.end == ProgramResult::End::kUnsupported) lacked.insert(result.verb);
    Block sent;
    std::vector<Reply> replies;
    for (const auto& [command, reply] : result.exchanges) {
      sent.push_back(command);
      replies.push_back(reply);
    }
    if (result.end == ProgramResult::End::kUnsupported && !replies.empty())
      replies.back() = *result.got;
    note_answered(sent, replies, answered);
  }
  std::ranges::set_difference(lacked, answered, std::back_inserter(plan_.avoid));
  result_.avoided = plan_.avoid;
}

bool Campaign::goes_on(std::uint64_t number) const {
  if (enough_.load() || (options_.stop != nullptr && options_.stop->is_set())) return false;
  if (options_.count && number >= options_.first + *options_.count) return false;
  return !options_.time || std::chrono::steady_clock::now() - begin_ < *options_.time;
}

bool Campaign::is_of_case(std::uint64_t number) const {
  return options_.source == ProgramSource::kCases || plan_.areas.empty() ||
         (options_.source == ProgramSource::kBoth && number % 2 == 1);
}

Freedom Campaign::freedom_of(std::uint64_t number) const {
  return is_of_case(number) ? kFreedom : Freedom{};
}

Block Campaign::program_of(Pair& pair, std::uint64_t number) {
  if (!is_of_case(number)) return write_program(plan_, number);
  Random random(plan_.seed, number);
  const auto run = [&](const Task& task) {
    pair.differential.reset_trusted();
    return pair.runner.run(task);
  };
  return cases_.changed(run, random);
}

void Campaign::work() {
  try {
    Pair pair(options_);
    for (std::uint64_t number = next_++; goes_on(number); number = next_++) {
      Block program = program_of(pair, number);
      ProgramResult result = met(pair, number, program);
      note(program, result);
      judge(pair, number, program, std::move(result));
    }
  } catch (const Interrupted&) {
    // The other workers observe the failure themselves.
  } catch (...) {
    const std::scoped_lock lock(mutex_);
    failure_ = std::current_exception();
    enough_ = true;
  }
}

/// Removes commands that one of the two lacks, so that the rest of the program is compared.
ProgramResult Campaign::met(Pair& pair, std::uint64_t number, Block& program) {
  const Freedom freedom = freedom_of(number);
  ProgramResult result = pair.differential.run(program, freedom);
  for (int tries = 0; tries < kLeftOut && result.end == ProgramResult::End::kUnsupported; ++tries) {
    program = without_lacking(std::move(program), result);
    result = pair.differential.run(program, freedom);
  }
  return result;
}

void Campaign::note(const Block& program, const ProgramResult& result) {
  const std::scoped_lock lock(mutex_);
  const std::size_t length = size_of(program);
  ++result_.programs;
  ++result_.lengths[length];
  count_compared(result, result_);
  if (raises_in_scope(program)) ++result_.raised_in_scope;
  using End = ProgramResult::End;
  if (result.end == End::kUnsupported || result.end == End::kUnknown ||
      result.end == End::kMeaningless) {
    ++result_.cut_short;
  }
  for (const std::string& field : result.unanswered) ++result_.unanswered[field];
  count_verbs(program, result_.verbs);
  if (on_progress && result_.programs % 64 == 0) on_progress(result_);
}

/// By the same rules as a case of the field's area that needs the field.
void Campaign::note_unexcused(const Pair& pair) {
  for (const auto& [field, programs] : result_.unanswered) {
    const std::string area = area_of_command(field);
    Case test;
    test.id = (area.empty() ? pair.common.areas.front() : area) + "/fuzz";
    CaseResult lacking;
    lacking.test = &test;
    lacking.contract = pair.common.contract;
    lacking.outcome = Outcome::kUnsupported;
    lacking.lacks = field;
    pair.subject.support.judge(lacking, pair.common.hello);
    if (!lacking.excused) result_.unexcused.insert(field);
  }
}

void Campaign::judge(Pair& pair, std::uint64_t number, const Block& program, ProgramResult result) {
  const Freedom freedom = freedom_of(number);
  if (result.end != ProgramResult::End::kDiffers && result.end != ProgramResult::End::kBroken)
    return;
  const std::string signature = result.signature();
  {
    const std::scoped_lock lock(mutex_);
    if (!signatures_.insert(signature).second) return;
  }
  try {
    shrink(program, [&](const Block& candidate) {
      ProgramResult again = pair.differential.run(candidate, freedom);
      const bool shows =
          (again.end == ProgramResult::End::kDiffers || again.end == ProgramResult::End::kBroken) &&
          again.signature() == signature;
      if (shows) result = std::move(again);
      return shows;
    });
  } catch (const Interrupted&) {
    // Keeps the smallest program so far.
  }
  const std::scoped_lock lock(mutex_);
  result_.findings.push_back({number, std::move(result), size_of(program)});
  if (on_finding) on_finding(result_.findings.back());
  if (result_.findings.size() >= options_.most_findings) enough_ = true;
}

}  // namespace assay

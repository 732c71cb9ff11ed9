// Starts worker processes: this program again, or another build of it.
#include "harness/bench/contenders.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "harness/console/folders.hpp"
#include "harness/console/nearest.hpp"
#include "harness/console/usage_error.hpp"
#include "harness/measure/calibration.hpp"
#include "harness/measure/worker.hpp"
#include "harness/report/record.hpp"
#include "harness/subject/serve.hpp"
#include "harness/subjects/connect.hpp"
#include "harness/subjects/cuda.hpp"
#include "harness/subjects/libtorch.hpp"
#include "harness/subjects/torch.hpp"
#include "harness/suite/card/command_line.hpp"

namespace assay::bench {
namespace {

constexpr const char* kPointer = "pointer";

bool is_timed_in_process(const std::string& subject) {
  return subject == kPointer || subject == "reference" || subject == "libtorch" ||
         is_plugin(subject);
}

/// Connects within the worker's own process where possible.
std::unique_ptr<Link> connect_for_timing(const std::string& subject) {
  if (subject == kPointer) return connect_in_process(measure::make_bare_calls);
  if (subject == "libtorch") return connect_here(libtorch_plugin());
  if (is_timed_in_process(subject)) return connect_here(subject);
  return std::move(connect(subject, {}).link);
}

void refuse_unknown(const std::string& subject) {
  if (subject == "libtorch") libtorch_plugin();
  if (is_plugin(subject) && !is_there(subject)) {
    throw UsageError(fmt::format("cannot start the subject '{}': there is no such file", subject));
  }
  if (is_timed_in_process(subject)) return;
  try {
    connect(subject, {});
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("cannot time '{}'{}\n  {}", subject,
                                 suggestion(subject, {kPointer, "reference", "libtorch"}),
                                 error.what()));
  }
}

void refuse_repeated(const std::vector<std::string>& subjects) {
  for (auto subject = subjects.begin(); subject != subjects.end(); ++subject) {
    if (std::find(subjects.begin(), subject, *subject) == subject) continue;
    throw UsageError(fmt::format(
        "the subject '{}' is named twice; --aa times a copy of every subject", *subject));
  }
}

std::vector<std::string> all_that_is_there() {
  std::vector<std::string> subjects{kPointer, "reference"};
  if (has_libtorch_plugin()) subjects.emplace_back("libtorch");
  if (look_for_cuda().has_device) subjects.emplace_back("cuda");
  return subjects;
}

std::string other_program(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_regular_file(path, ignored) && access(path.c_str(), X_OK) == 0) {
    return std::filesystem::absolute(path).string();
  }
  throw UsageError(fmt::format("--against: '{}' is not a program", path));
}

/// The timeout of one reply: batches are calibrated first, and a busy machine is slow.
std::chrono::milliseconds patience(const measure::TimingOptions& timing) {
  constexpr std::chrono::minutes kLeast{2};
  constexpr int kSlower = 50;
  return kLeast + std::chrono::duration_cast<std::chrono::milliseconds>(kSlower * timing.samples *
                                                                        timing.min_time);
}

bool counts_without_kernels(const std::string& subject) {
  return subject == "cuda_on_cpu" && !cuda_program_without_kernels().empty();
}

/// The program that answers `bench.run` without a child process; empty if it cannot be counted.
std::vector<std::string> counted_program(const std::string& subject,
                                         const std::vector<std::string>& worker) {
  if (is_timed_in_process(subject)) return worker;
  if (subject == "cuda" || is_torch(subject)) return {};
  if (counts_without_kernels(subject)) return {cuda_program_without_kernels()};
  if (subject == "cuda_on_cpu") return {cuda_program(subject)};
  if (is_there(subject)) return {std::filesystem::absolute(subject).string()};
  return subject.find(' ') == std::string::npos ? std::vector<std::string>{} : split_words(subject);
}

class Maker {
 public:
  explicit Maker(const measure::TimingOptions& timing) : patience_(patience(timing)) {}

  void add(const std::string& program, Contender contender) {
    ProcessOptions options;
    options.argv = {program, "bench", "--worker", contender.subject};
    options.timeout = patience_;
    contender.program = counted_program(contender.subject, options.argv);
    contender.counts_without_kernels = counts_without_kernels(contender.subject);
    contender.open = [options] { return connect_process(options); };
    made.push_back(std::move(contender));
  }

  std::vector<Contender> made;

 private:
  std::chrono::milliseconds patience_;
};

Fields this_build() {
  const report::Environment build = report::this_environment();
  return {{"tool", build.version},          {"revision", build.revision}, {"dirty", build.dirty},
          {"build_type", build.build_type}, {"compiler", build.compiler}, {"flags", build.flags},
          {"program", build.program}};
}

/// Keeps the library open until the process ends.
measure::ClockReader clock_reader() {
  static const std::unique_ptr<measure::Nvml> nvml = measure::Nvml::open();
  if (nvml == nullptr) return nullptr;
  return [] { return nvml->clock(); };
}

}  // namespace

std::vector<Contender> contenders(const ContenderOptions& options,
                                  const measure::TimingOptions& timing) {
  const auto subjects = options.subjects.empty() ? all_that_is_there() : options.subjects;
  refuse_repeated(subjects);
  const std::string other = options.against.empty() ? "" : other_program(options.against);
  Maker maker(timing);
  for (const std::string& subject : subjects) {
    refuse_unknown(subject);
    maker.add(program_path(), {subject, subject, std::nullopt, false, {}});
    if (options.twice) maker.add(program_path(), {subject + "#2", subject, subject, false, {}});
    if (!other.empty()) maker.add(other, {subject + "@other", subject, std::nullopt, true, {}});
  }
  return std::move(maker.made);
}

int run_bench_worker(const std::string& subject) {
  const auto worker =
      measure::make_worker(connect_for_timing(subject), this_build(), clock_reader());
  return assay::serve(*worker);
}

}  // namespace assay::bench

// Reads from records what a fleet is judged by.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "harness/console/usage_error.hpp"
#include "harness/fleet/gpu.hpp"
#include "harness/suite/runner/selection.hpp"

namespace assay::fleet {
namespace {

/// What is read and written then exceeds the caches.
constexpr std::int64_t kLargeBytes = 64 << 20;
/// Rounds of one record come before those of the next.
constexpr std::int64_t kMostRounds = 1'000'000;

/// `records/cuda_2` of `records/cuda_2.run.json.gz` and of `records/cuda_2/run.json`: the records
/// of a GPU may be beside each other.
std::string name_by_file(const std::string& path, std::size_t position) {
  const std::filesystem::path folder = std::filesystem::absolute(path).parent_path();
  std::string name = std::filesystem::path(path).filename().string();
  for (const std::string_view ending : {".gz", ".json", ".ndjson", ".partial"}) {
    if (name.ends_with(ending)) name.erase(name.size() - ending.size());
  }
  for (const std::string_view kind : {"run", "bench"}) {
    for (const char separator : {'.', '-', '_'}) {
      const std::string ending = separator + std::string(kind);
      if (name.ends_with(ending)) name.erase(name.size() - ending.size());
    }
  }
  std::filesystem::path whole = name == "run" || name == "bench" ? folder : folder / name;
  if (position > 0) whole += fmt::format("#{}", position + 1);
  return whole.lexically_normal().string();
}

/// The last part of each path, or as many as tell them apart.
std::map<std::string, std::string> short_names(const std::set<std::string>& paths) {
  std::map<std::string, std::string> names;
  for (std::size_t parts = 1; names.size() < paths.size(); ++parts) {
    std::map<std::string, std::string> by_name;
    for (const std::string& path : paths) {
      std::size_t at = path.size();
      for (std::size_t i = 0; i < parts && at != 0 && at != std::string::npos; ++i) {
        at = path.rfind('/', at - 1);
      }
      by_name[at == std::string::npos ? path : path.substr(at + 1)] = path;
    }
    if (by_name.size() < paths.size()) continue;
    for (const auto& [name, path] : by_name) names[path] = name;
  }
  return names;
}

/// The subject's own name, so that it may be elsewhere on each machine; as typed if two have it.
template <typename Subject>
std::string name_of_subject(const std::vector<Subject>& subjects, const Subject& subject) {
  const auto count = std::ranges::count(subjects, subject.name, &Subject::name);
  return subject.name.empty() || count > 1 ? subject.subject : subject.name;
}

/// `580.159.04` of the driver's line about itself, which also has its builder; otherwise the line.
std::string driver_version_in(const std::string& line) {
  const auto is_of_version = [](char c) { return (c >= '0' && c <= '9') || c == '.'; };
  std::size_t at = 0;
  while (at < line.size()) {
    const std::size_t end = std::min(line.find(' ', at), line.size());
    const std::string word = line.substr(at, end - at);
    if (word.find('.') != std::string::npos && std::ranges::all_of(word, is_of_version))
      return word;
    at = end + 1;
  }
  return line;
}

std::string on_or_off(bool value) { return value ? "on" : "off"; }

void add_settings(Gpu& gpu, const std::string& driver, const report::BenchDevice* device) {
  const auto set = [&](const char* name, const auto& value, const auto& in_words) {
    if (value) gpu.settings[name] = in_words(*value);
  };
  const auto mhz = [](std::int64_t value) { return fmt::format("{} MHz", value); };
  if (!driver.empty()) gpu.settings["driver"] = driver_version_in(driver);
  if (device == nullptr) return;
  set("ECC", device->ecc, on_or_off);
  set("MIG", device->mig, on_or_off);
  set("persistence", device->persistence, on_or_off);
  set("largest SM clock", device->most_sm_clock_mhz, mhz);
  set("largest memory clock", device->most_memory_clock_mhz, mhz);
  set("application SM clock", device->application_sm_clock_mhz, mhz);
  set("power limit", device->power_limit_w, [](double watt) { return fmt::format("{} W", watt); });
}

bool is_of_gpu(const std::string& quantity) {
  constexpr std::array kQuantities{"device.exec_ns", "graph.node_ns", "host.launch_ns",
                                   "host.submit_ns", "e2e.sync_ns"};
  return std::ranges::find(kQuantities, quantity) != kQuantities.end();
}

Family family_of(const report::BenchMeasurement& cell) {
  if (report::is_between_memories(cell)) return Family::kTransfers;
  if (cell.quantity != "device.exec_ns") return Family::kLaunches;
  return cell.bytes.value_or(0) >= kLargeBytes ? Family::kMemory : Family::kKernels;
}

bool holds(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

/// Bits that a loop left, as the harness found them.
bool is_about_bits(const std::string& reason) {
  return holds(reason, "the checksum is") || holds(reason, "the CRC-32");
}

/// How often the case ran and passed, as a repeated case says in its sentence.
struct Repeated {
  unsigned passed = 0, runs = 1;
};

Repeated repeated(const std::string& sentence) {
  Repeated found;
  if (std::sscanf(sentence.c_str(), "%u of %u runs passed;", &found.passed, &found.runs) != 2 ||
      found.passed > found.runs) {
    return {};
  }
  return found;
}

void add_red(Gpu& gpu, const std::string& name, std::size_t times, const report::CaseRecord& test) {
  const bool is_dead = test.outcome == "crash" || test.outcome == "timeout" ||
                       test.outcome == "internal" ||
                       (test.outcome == "flaky" &&
                        (holds(test.sentence, ": crash: ") || holds(test.sentence, ": timeout: ")));
  if (!is_dead && test.outcome != "fail" && test.outcome != "flaky") return;
  Red& red = gpu.red[name];
  red.times += times;
  (is_dead ? red.dead : red.wrong) += times - repeated(test.sentence).passed;
  if (red.sentence.empty()) red.sentence = test.sentence;
}

void add_bad_loop(Gpu& gpu, const std::string& name, const Red& more) {
  Red& red = gpu.red[name];
  red.times += more.times;
  red.wrong += more.wrong;
  red.dead += more.dead;
  red.sentence = more.sentence;
}

std::string method_of(const report::BenchMeta& meta) {
  return fmt::format("{} {}{}, {}, {}, {}", meta.build.tool, meta.build.revision,
                     meta.build.dirty ? "+" : "", meta.build.compiler, meta.build.build_type,
                     meta.device_clock.value_or("events"));
}

/// With its numbers filled up to one length, so that texts are ordered by them.
std::string with_long_numbers(const std::string& text) {
  constexpr std::size_t kLength = 20;
  std::string all, digits;
  for (const char c : text + '\0') {
    if (c >= '0' && c <= '9') {
      digits += c;
      continue;
    }
    if (!digits.empty() && digits.size() < kLength) all.append(kLength - digits.size(), '0');
    all += digits + c;
    digits.clear();
  }
  return all;
}

bool is_before(const std::string& left, const std::string& right) {
  return with_long_numbers(left) < with_long_numbers(right);
}

}  // namespace

std::string_view name_of(Family family) {
  constexpr std::array<std::string_view, kFamilies> kNames{"memory", "short kernels", "launches",
                                                           "host copies", "clock"};
  return kNames[static_cast<std::size_t>(family)];
}

Gpu& Gatherer::gpu_of(const archive::Entry& entry, std::size_t position, const std::string& label) {
  const auto& devices =
      entry.run ? entry.run->environment.devices : entry.bench->environment.devices;
  const report::BenchDevice* device = report::used_device(devices);
  std::string id;
  for (const auto& [glob, name] : names_.by_file) {
    if (id.empty() && glob_matches(glob, entry.file)) id = name;
  }
  if (id.empty() && device != nullptr) id = device->uuid.value_or("");
  if (id.empty()) id = label;
  if (id.empty()) {
    id = name_by_file(entry.file, position);
    unnamed_.insert(id);
  }
  Gpu& gpu = gpus_[id];
  gpu.id = id;
  gpu.files.push_back(entry.file);
  if (device != nullptr && !device->name.empty()) gpu.model = device->name;
  if (entry.run && device != nullptr) {
    gpu.label = fmt::format("{} gpu {}", entry.run->environment.host, device - devices.data());
  } else if (gpu.label.empty() && !unnamed_.contains(id) && !entry.file.ends_with(".ndjson")) {
    gpu.label = std::filesystem::path(name_by_file(entry.file, position)).filename().string();
  }
  return gpu;
}

void Gatherer::add(const archive::Entry& entry, std::size_t position, const std::string& label) {
  if (!hashes_.insert(entry.hash).second) return;
  Gpu& gpu = gpu_of(entry, position, label);
  const std::string& started = entry.run ? entry.run->started : entry.bench->meta.started;
  // Of two records of different settings, the newer one counts.
  if (started >= gpu.started) {
    gpu.started = started;
    entry.run ? add_settings(gpu, entry.run->environment.driver,
                             report::used_device(entry.run->environment.devices))
              : add_settings(gpu, entry.bench->environment.driver,
                             report::used_device(entry.bench->environment.devices));
  }
  entry.run ? add_run(*entry.run, gpu) : add_bench(*entry.bench, gpu);
}

void Gatherer::add_run(const report::RunRecord& run, Gpu& gpu) {
  ++gpu.runs;
  for (const report::SubjectRecord& subject : run.subjects) {
    const std::string whose = name_of_subject(run.subjects, subject);
    for (const report::CaseRecord& test : subject.cases) {
      if (test.outcome == "unsupported" || test.outcome == "waived") continue;
      const std::string name = fmt::format("{} {} {}", whose, test.contract, test.id);
      const std::size_t times = repeated(test.sentence).runs;
      times_[name] += times;
      add_red(gpu, name, times, test);
    }
  }
}

void Gatherer::add_bench(const report::BenchRecord& bench, Gpu& gpu) {
  const std::int64_t first = kMostRounds * static_cast<std::int64_t>(gpu.benches++);
  gpu.synthetic = gpu.synthetic || bench.synthetic;
  gpu.method = method_of(bench.meta);
  if (const report::BenchDevice* device = report::used_device(bench.environment.devices)) {
    gpu.mig = device->mig.value_or(false);
  }
  if (bench.calibration.null_call_ns) gpu.null_call_ns = bench.calibration.null_call_ns->center;
  std::map<std::int64_t, std::vector<double>> clocks;
  for (const report::BenchMeasurement& cell : bench.measurements) {
    const auto subject = std::ranges::find(bench.subjects, cell.subject, &report::BenchSubject::id);
    if (subject == bench.subjects.end() || subject->copy_of) continue;
    const std::string whose = name_of_subject(bench.subjects, *subject);
    const std::string name = report::full_name(cell.case_name, cell.axes);
    if (cell.status == report::BenchStatus::kFailed) {
      const std::string reason = cell.reason.value_or("");
      add_bad_loop(gpu, fmt::format("{} bench {}", whose, name),
                   {cell.processes.size() + 1, is_about_bits(reason) ? 1U : 0U,
                    is_about_bits(reason) ? 0U : 1U, reason});
    }
    if (!is_of_gpu(cell.quantity) || cell.status != report::BenchStatus::kMeasured) continue;
    Row& row = gpu.rows[fmt::format("{} {} {} {}", whose, subject->contract, cell.quantity, name)];
    row.family = family_of(cell);
    row.name = name;
    row.subject = whose;
    if (const auto floor = report::floor_of(bench, cell)) {
      row.floor = floor->multiple;
      row.floor_unit = floor->unit;
    }
    row.roof = report::share_of_roof(bench, cell);
    const auto wrong =
        std::ranges::count(cell.processes, false, &report::BenchProcess::checksum_ok);
    if (wrong > 0) {
      add_bad_loop(
          gpu, fmt::format("{} bench {}", whose, name),
          {cell.processes.size(), static_cast<std::size_t>(wrong), 0, "the checksum was wrong"});
    }
    for (const report::BenchProcess& process : cell.processes) {
      if (process.median > 0) {
        row.rounds.emplace_back(first + process.index, std::log(process.median));
      }
      if (process.throttled_by) gpu.throttled_by.insert(*process.throttled_by);
      const bool is_busy = cell.quantity == "device.exec_ns";
      if (!is_busy || process.sm_clock_mhz.value_or(0) <= 0) continue;
      clocks[first + process.index].push_back(std::log(static_cast<double>(*process.sm_clock_mhz)));
    }
  }
  for (auto& [round, values] : clocks) {
    std::ranges::sort(values);
    gpu.clocks.emplace_back(round, values[values.size() / 2]);
  }
}

Fleet Gatherer::done() {
  Fleet fleet;
  std::size_t synthetic = 0, real = 0;
  const auto short_ones = short_names(unnamed_);
  for (auto& [id, gpu] : gpus_) {
    if (const auto name = short_ones.find(id); name != short_ones.end()) gpu.id = name->second;
    if (gpu.benches > 0) ++(gpu.synthetic ? synthetic : real);
    fleet.gpus.push_back(std::move(gpu));
  }
  if (synthetic > 0 && real > 0) {
    throw UsageError("imaginary and real numbers are not compared: " +
                     fmt::format("{} GPUs have the former, {} the latter", synthetic, real));
  }
  std::ranges::stable_sort(fleet.gpus, [](const Gpu& left, const Gpu& right) {
    if (left.label != right.label) return is_before(left.label, right.label);
    return is_before(left.id, right.id);
  });
  fleet.times = std::move(times_);
  fleet.unnamed = unnamed_.size();
  return fleet;
}

}  // namespace assay::fleet

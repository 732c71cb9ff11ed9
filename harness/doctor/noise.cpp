// Finds causes of noise: load, clocks, shared cores and virtual machines.
#include "harness/doctor/noise.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace assay {
namespace {

using Kind = Finding::Kind;

/// A load of half a core already competes with what is timed.
constexpr double kQuiet = 0.5;

Finding load_of(const measure::Machine& machine, double load) {
  const std::string text = fmt::format(
      "{:.1f} threads were ready to run, on average over the last "
      "minute, on {} cores",
      load, machine.cores);
  if (load <= kQuiet) return {Kind::kThere, "load", text, ""};
  return {Kind::kNoisy, "load", text, "wait until other work has ended (top names it)"};
}

Finding governor_of(const std::string& governor) {
  if (governor == "performance") return {Kind::kThere, "governor", governor, ""};
  return {Kind::kNoisy, "governor",
          fmt::format("'{}': the clock rate changes with the load", governor),
          "cpupower frequency-set --governor performance, as root"};
}

Finding turbo_of(bool is_on) {
  if (!is_on) return {Kind::kThere, "turbo", "off", ""};
  return {Kind::kNoisy, "turbo", "on: the clock depends on heat and on the other cores",
          "echo 1 > /sys/devices/system/cpu/intel_pstate/no_turbo, or "
          "echo 0 > /sys/devices/system/cpu/cpufreq/boost, as root"};
}

Finding smt_of(bool is_on) {
  if (!is_on) return {Kind::kThere, "SMT", "off", ""};
  return {Kind::kNoisy, "SMT", "on: two threads share a core",
          "echo off > /sys/devices/system/cpu/smt/control, as root"};
}

Finding guest_of(const std::string& virtualization) {
  if (virtualization == "none") return {Kind::kThere, "guest", "the machine is not virtual", ""};
  return {Kind::kNoisy, "guest",
          fmt::format("the machine is virtual ({}): others may share its cores", virtualization),
          "assay bench --against, which runs both builds in turns"};
}

/// The GPU's state: `1665 of 1980 MHz, 61 degrees, 699.5 W, ECC on`.
std::string described(const measure::GpuState& gpu) {
  std::vector<std::string> parts;
  if (gpu.sm_clock_mhz && gpu.most_sm_clock_mhz) {
    parts.push_back(fmt::format("{} of {} MHz", *gpu.sm_clock_mhz, *gpu.most_sm_clock_mhz));
  }
  if (gpu.temperature_c) parts.push_back(fmt::format("{} degrees", *gpu.temperature_c));
  if (gpu.power_w) parts.push_back(fmt::format("{:.1f} W", *gpu.power_w));
  if (gpu.ecc) parts.emplace_back(*gpu.ecc ? "ECC on" : "ECC off");
  return fmt::format("{}{}{}", gpu.name, parts.empty() ? "" : ": ", fmt::join(parts, ", "));
}

void add_gpu(const measure::GpuState& gpu, std::size_t index, std::vector<Finding>& findings) {
  const std::string what = fmt::format("gpu {}", index);
  findings.push_back({Kind::kThere, what, described(gpu), ""});
  if (!gpu.throttled_by.empty()) {
    findings.push_back({Kind::kNoisy, what,
                        fmt::format("its clock is throttled by {}", measure::throttling_of({gpu})),
                        "let it cool, and lock a clock that it can keep: nvidia-smi -lgc MHZ"});
  }
  if (gpu.programs.value_or(0) > 0) {
    findings.push_back({Kind::kNoisy, what,
                        fmt::format("other programs compute there: {}", *gpu.programs),
                        "wait until they have ended (nvidia-smi names them)"});
  }
  if (gpu.mig.value_or(false)) {
    findings.push_back(
        {Kind::kNoisy, what, "it is partitioned (MIG)",
         "use a GPU that is not partitioned, or compare partitions of one size only"});
  }
  if (!gpu.persistence.value_or(true)) {
    findings.push_back({Kind::kNoisy, what, "its driver is unloaded between programs",
                        "nvidia-smi -pm 1, as root"});
  }
}

}  // namespace

std::vector<Finding> noise_of(const std::vector<measure::GpuState>& gpus) {
  std::vector<Finding> findings;
  for (std::size_t i = 0; i < gpus.size(); ++i) add_gpu(gpus[i], i, findings);
  return findings;
}

std::vector<Finding> noise_of(const measure::Machine& machine, std::optional<double> load) {
  std::vector<Finding> findings;
  if (load) findings.push_back(load_of(machine, *load));
  if (machine.governor) findings.push_back(governor_of(*machine.governor));
  if (machine.turbo) findings.push_back(turbo_of(*machine.turbo));
  if (machine.smt) findings.push_back(smt_of(*machine.smt));
  findings.push_back(guest_of(machine.virtualization));
  return findings;
}

}  // namespace assay

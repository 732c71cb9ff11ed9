// Load, clocks, shared cores and guests.
#include "harness/doctor/noise.hpp"

#include <fmt/format.h>

namespace assay {
namespace {

using Kind = Finding::Kind;

/// Half a core busy already takes turns with what is timed.
constexpr double kQuiet = 0.5;

Finding load_of(const measure::Machine& machine, double load) {
  const std::string text = fmt::format(
      "{:.1f} threads wanted to run, on average over the last "
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

}  // namespace

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

// Reads the machine's description from /proc and /sys.
#include "harness/measure/machine.hpp"

#include <sched.h>
#include <sys/utsname.h>

#include <cstdlib>
#include <fstream>
#include <thread>

namespace assay::measure {
namespace {

/// Nothing if the file is missing or empty.
std::optional<std::string> first_line(const char* path) {
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line) || line.empty()) return std::nullopt;
  return line;
}

/// The value of the first line of the form `name : value`.
std::optional<std::string> cpu_info(const std::string& name) {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with(name) && colon != std::string::npos) return line.substr(colon + 2);
  }
  return std::nullopt;
}

/// The CPU flags show whether this is a virtual machine; the firmware names the hypervisor.
std::string virtualization() {
  const auto flags = cpu_info("flags");
  if (!flags) return "unknown";
  if ((" " + *flags + " ").find(" hypervisor ") == std::string::npos) return "none";
  if (const auto type = first_line("/sys/hypervisor/type")) return *type;
  const std::string clocks =
      first_line("/sys/devices/system/clocksource/clocksource0/available_clocksource").value_or("");
  if (clocks.find("kvm-clock") != std::string::npos) return "kvm";
  if (clocks.find("hyperv") != std::string::npos) return "hyperv";
  return "unknown guest";
}

std::optional<bool> switched_on(const char* path) {
  const auto line = first_line(path);
  if (!line) return std::nullopt;
  return *line != "0";
}

std::optional<bool> turbo() {
  if (const auto is_off = switched_on("/sys/devices/system/cpu/intel_pstate/no_turbo")) {
    return !*is_off;
  }
  return switched_on("/sys/devices/system/cpu/cpufreq/boost");
}

unsigned usable_cores() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return static_cast<unsigned>(CPU_COUNT(&set));
  return std::thread::hardware_concurrency();
}

}  // namespace

Machine this_machine() {
  utsname system{};
  uname(&system);
  Machine machine;
  machine.cpu = cpu_info("model name").value_or("unknown");
  machine.cores = usable_cores();
  const std::string release = system.release;
  machine.kernel = std::string(system.sysname) + " " + release.substr(0, release.find('-'));
  machine.virtualization = virtualization();
  machine.governor = first_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
  machine.turbo = turbo();
  machine.smt = switched_on("/sys/devices/system/cpu/smt/active");
  machine.aslr = switched_on("/proc/sys/kernel/randomize_va_space");
  return machine;
}

std::optional<double> load_average() {
  double minute = 0;
  if (getloadavg(&minute, 1) != 1) return std::nullopt;
  return minute;
}

std::string described(const Machine& machine) {
  std::string text = machine.cpu + ", " + std::to_string(machine.cores) +
                     (machine.cores == 1 ? " core" : " cores");
  if (machine.smt.value_or(false)) text += ", SMT";
  if (machine.virtualization != "none") text += ", virtual (" + machine.virtualization + ")";
  return text;
}

}  // namespace assay::measure

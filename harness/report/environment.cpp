// The machine and the build.
#include <sys/utsname.h>
#include <unistd.h>

#include <ctime>
#include <fstream>
#include <thread>

#include "harness/report/build_info.hpp"
#include "harness/report/record.hpp"

namespace assay::report {
namespace {

std::string cpu_model() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("model name")) continue;
    const std::size_t colon = line.find(": ");
    if (colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown";
}

/// The first line of what the NVIDIA driver says of itself.
std::string driver_version() {
  std::ifstream file("/proc/driver/nvidia/version");
  std::string line;
  std::getline(file, line);
  return line;
}

}  // namespace

Environment this_environment() {
  utsname system{};
  uname(&system);
  Environment environment;
  environment.host = system.nodename;
  environment.cpu = cpu_model();
  environment.cores = std::thread::hardware_concurrency();
  environment.kernel = std::string(system.sysname) + " " + system.release;
  environment.compiler = ASSAY_COMPILER;
  environment.flags = ASSAY_FLAGS;
  environment.build_type = ASSAY_BUILD_TYPE;
  environment.version = ASSAY_VERSION;
  environment.driver = driver_version();
  environment.revision = std::string(git_revision());
  environment.dirty = git_dirty();
  return environment;
}

std::string now_utc() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  const std::size_t length = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return {text, length};
}

}  // namespace assay::report

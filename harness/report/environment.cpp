// Describes the machine and the build.
#include <elf.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <link.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cstring>
#include <ctime>
#include <fstream>
#include <span>
#include <string_view>
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

/// The first line of the NVIDIA driver's version file.
std::string driver_version() {
  std::ifstream file("/proc/driver/nvidia/version");
  std::string line;
  std::getline(file, line);
  return line;
}

/// The linker's build id in a note segment, in hexadecimal.
std::string build_id_in(std::span<const unsigned char> notes) {
  constexpr std::string_view kOwner("GNU", 4);
  const auto padded = [](std::size_t bytes) { return (bytes + 3) / 4 * 4; };
  while (notes.size() >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) head;
    std::memcpy(&head, notes.data(), sizeof head);
    notes = notes.subspan(sizeof head);
    const std::size_t name = padded(head.n_namesz);
    const std::size_t whole = name + padded(head.n_descsz);
    if (whole > notes.size()) break;
    const std::string_view owner(reinterpret_cast<const char*>(notes.data()), head.n_namesz);
    if (head.n_type == NT_GNU_BUILD_ID && owner == kOwner)
      return fmt::format("{:02x}", fmt::join(notes.subspan(name, head.n_descsz), ""));
    notes = notes.subspan(whole);
  }
  return "";
}

/// The first object is the program itself; the others are libraries.
int find_build_id(dl_phdr_info* info, std::size_t, void* found) {
  for (const auto& segment : std::span(info->dlpi_phdr, info->dlpi_phnum)) {
    if (segment.p_type != PT_NOTE) continue;
    const auto* const begin =
        reinterpret_cast<const unsigned char*>(info->dlpi_addr + segment.p_vaddr);
    std::string& id = *static_cast<std::string*>(found);
    if (id = build_id_in({begin, segment.p_memsz}); !id.empty()) break;
  }
  return 1;
}

std::string build_id() {
  std::string id;
  dl_iterate_phdr(find_build_id, &id);
  return id;
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
  environment.program = build_id();
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

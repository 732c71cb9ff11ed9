// Loads the library's functions by name. Declares their prototypes, as no package has the header.
#include "harness/measure/nvml.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

namespace assay::measure {
namespace {

using Status = int;
using Device = void*;
constexpr Status kSuccess = 0;
constexpr Status kTooSmall = 7;  // the count is written nevertheless
constexpr int kSmClock = 1;
constexpr int kMemoryClock = 2;
constexpr int kGpuSensor = 0;
constexpr unsigned kTextBytes = 96;

/// Throttle reasons that make a time doubtful; excludes idle and user settings.
constexpr std::array<std::pair<unsigned long long, const char*>, 6> kReasons{{{0x04, "power"},
                                                                              {0x08, "slowdown"},
                                                                              {0x10, "sync"},
                                                                              {0x20, "heat"},
                                                                              {0x40, "heat"},
                                                                              {0x80, "brake"}}};

template <typename Function>
void find(void* library, const char* name, Function*& function) {
  function = reinterpret_cast<Function*>(dlsym(library, name));
}

}  // namespace

/// A pointer is null if this driver lacks the function.
struct Nvml::Entries {
  explicit Entries(void* library) {
    find(library, "nvmlInit_v2", init);
    find(library, "nvmlShutdown", shutdown);
    find(library, "nvmlSystemGetDriverVersion", driver_version);
    find(library, "nvmlDeviceGetCount_v2", count);
    find(library, "nvmlDeviceGetHandleByIndex_v2", handle);
    find(library, "nvmlDeviceGetName", name);
    find(library, "nvmlDeviceGetUUID", uuid);
    find(library, "nvmlDeviceGetApplicationsClock", application_clock);
    find(library, "nvmlDeviceGetPowerManagementLimit", power_limit);
    find(library, "nvmlDeviceGetClockInfo", clock);
    find(library, "nvmlDeviceGetMaxClockInfo", most_clock);
    find(library, "nvmlDeviceGetTemperature", temperature);
    find(library, "nvmlDeviceGetPowerUsage", power);
    find(library, "nvmlDeviceGetEccMode", ecc);
    find(library, "nvmlDeviceGetMigMode", mig);
    find(library, "nvmlDeviceGetPersistenceMode", persistence);
    find(library, "nvmlDeviceGetComputeRunningProcesses_v3", programs);
    find(library, "nvmlDeviceGetCurrentClocksThrottleReasons", reasons);
  }

  Status (*init)() = nullptr;
  Status (*shutdown)() = nullptr;
  Status (*driver_version)(char* text, unsigned bytes) = nullptr;
  Status (*count)(unsigned* count) = nullptr;
  Status (*handle)(unsigned index, Device* device) = nullptr;
  Status (*name)(Device device, char* text, unsigned bytes) = nullptr;
  Status (*uuid)(Device device, char* text, unsigned bytes) = nullptr;
  Status (*application_clock)(Device device, int which, unsigned* mhz) = nullptr;
  Status (*power_limit)(Device device, unsigned* milliwatts) = nullptr;
  Status (*clock)(Device device, int which, unsigned* mhz) = nullptr;
  Status (*most_clock)(Device device, int which, unsigned* mhz) = nullptr;
  Status (*temperature)(Device device, int sensor, unsigned* celsius) = nullptr;
  Status (*power)(Device device, unsigned* milliwatts) = nullptr;
  Status (*ecc)(Device device, unsigned* now, unsigned* next) = nullptr;
  Status (*mig)(Device device, unsigned* now, unsigned* next) = nullptr;
  Status (*persistence)(Device device, unsigned* mode) = nullptr;
  Status (*programs)(Device device, unsigned* count, void* infos) = nullptr;
  Status (*reasons)(Device device, unsigned long long* bits) = nullptr;
};

namespace {

/// The value that the function writes; nothing if the function is missing or fails.
template <typename Number, typename... Parameters, typename... Arguments>
std::optional<Number> asked(Status (*function)(Device, Parameters...), Device device,
                            Arguments... arguments) {
  Number number{};
  if (function == nullptr || function(device, arguments..., &number) != kSuccess) {
    return std::nullopt;
  }
  return number;
}

std::optional<bool> mode_now(Status (*function)(Device, unsigned*, unsigned*), Device device) {
  unsigned now = 0;
  unsigned next = 0;
  if (function == nullptr || function(device, &now, &next) != kSuccess) return std::nullopt;
  return now != 0;
}

std::optional<unsigned> programs_on(Status (*function)(Device, unsigned*, void*), Device device) {
  unsigned count = 0;
  if (function == nullptr) return std::nullopt;
  const Status status = function(device, &count, nullptr);
  return status == kSuccess || status == kTooSmall ? std::optional(count) : std::nullopt;
}

std::vector<std::string> named(unsigned long long bits) {
  std::vector<std::string> names;
  for (const auto& [bit, name] : kReasons) {
    if ((bits & bit) != 0 && std::ranges::find(names, name) == names.end())
      names.emplace_back(name);
  }
  return names;
}

}  // namespace

Nvml::Nvml(void* library, std::unique_ptr<Entries> entries)
    : library_(library), entries_(std::move(entries)) {}

Nvml::~Nvml() {
  if (entries_->shutdown != nullptr) entries_->shutdown();
  dlclose(library_);
}

std::unique_ptr<Nvml> Nvml::open(const char* library) {
  void* const opened = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (opened == nullptr) return nullptr;
  auto entries = std::make_unique<Entries>(opened);
  if (entries->init == nullptr || entries->init() != kSuccess) {
    dlclose(opened);
    return nullptr;
  }
  std::unique_ptr<Nvml> nvml(new Nvml(opened, std::move(entries)));
  nvml->find_used();
  return nvml;
}

std::string Nvml::uuid_of(void* device) const {
  std::array<char, kTextBytes> text{};
  if (entries_->uuid == nullptr || entries_->uuid(device, text.data(), kTextBytes) != kSuccess) {
    return "";
  }
  return text.data();
}

/// The first word of CUDA_VISIBLE_DEVICES is an index, the beginning of a UUID, or that of an
/// instance, which older drivers begin with the UUID of its GPU. Equal GPUs have the same order in
/// CUDA and in this library.
void Nvml::find_used() {
  const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
  unsigned count = 0;
  if (visible == nullptr || *visible == '\0' || entries_->count == nullptr ||
      entries_->handle == nullptr || entries_->count(&count) != kSuccess) {
    return;
  }
  std::string first(visible);
  first = first.substr(0, first.find_first_of(",/"));
  if (first.starts_with("MIG-GPU-")) first = first.substr(4);
  for (unsigned i = 0; i < count; ++i) {
    Device device = nullptr;
    const bool is_index = first == std::to_string(i);
    const bool is_uuid = first.starts_with("GPU-") && entries_->handle(i, &device) == kSuccess &&
                         uuid_of(device).starts_with(first);
    if (!is_index && !is_uuid) continue;
    used_ = i;
    used_alone_ = true;
    return;
  }
}

std::string Nvml::driver() const {
  std::array<char, kTextBytes> text{};
  if (entries_->driver_version == nullptr ||
      entries_->driver_version(text.data(), kTextBytes) != kSuccess) {
    return "";
  }
  return text.data();
}

std::vector<GpuState> Nvml::gpus() const {
  unsigned count = 0;
  if (entries_->count == nullptr || entries_->handle == nullptr ||
      entries_->count(&count) != kSuccess) {
    return {};
  }
  std::vector<GpuState> states(count);
  for (unsigned i = 0; i < count; ++i) {
    Device device = nullptr;
    if (entries_->handle(i, &device) != kSuccess) continue;
    GpuState& state = states[i];
    std::array<char, kTextBytes> name{};
    if (entries_->name != nullptr && entries_->name(device, name.data(), kTextBytes) == kSuccess) {
      state.name = name.data();
    }
    state.sm_clock_mhz = asked<unsigned>(entries_->clock, device, kSmClock);
    state.most_sm_clock_mhz = asked<unsigned>(entries_->most_clock, device, kSmClock);
    state.memory_clock_mhz = asked<unsigned>(entries_->clock, device, kMemoryClock);
    state.temperature_c = asked<unsigned>(entries_->temperature, device, kGpuSensor);
    if (const auto milliwatts = asked<unsigned>(entries_->power, device)) {
      state.power_w = *milliwatts / 1000.0;
    }
    state.ecc = mode_now(entries_->ecc, device);
    state.mig = mode_now(entries_->mig, device);
    if (const auto mode = asked<unsigned>(entries_->persistence, device)) {
      state.persistence = *mode != 0;
    }
    if (std::string uuid = uuid_of(device); !uuid.empty()) state.uuid = std::move(uuid);
    state.most_memory_clock_mhz = asked<unsigned>(entries_->most_clock, device, kMemoryClock);
    state.application_sm_clock_mhz = asked<unsigned>(entries_->application_clock, device, kSmClock);
    if (const auto milliwatts = asked<unsigned>(entries_->power_limit, device)) {
      state.power_limit_w = *milliwatts / 1000.0;
    }
    state.used = i == used_;
    state.programs = programs_on(entries_->programs, device);
    state.throttled_by = named(asked<unsigned long long>(entries_->reasons, device).value_or(0));
  }
  return states;
}

GpuClock Nvml::clock() const {
  unsigned count = 0;
  if (entries_->count == nullptr || entries_->handle == nullptr ||
      entries_->count(&count) != kSuccess) {
    return {};
  }
  GpuClock found;
  unsigned long long reasons = 0;
  for (unsigned i = 0; i < count; ++i) {
    Device device = nullptr;
    if (used_alone_ && i != used_) continue;
    if (entries_->handle(i, &device) != kSuccess) continue;
    if (i == used_) found.sm_mhz = asked<unsigned>(entries_->clock, device, kSmClock);
    reasons |= asked<unsigned long long>(entries_->reasons, device).value_or(0);
  }
  found.throttled_by = fmt::format("{}", fmt::join(named(reasons), ", "));
  return found;
}

std::string throttling_of(const std::vector<GpuState>& gpus) {
  std::vector<std::string> all;
  for (const GpuState& gpu : gpus) {
    for (const std::string& reason : gpu.throttled_by) {
      if (std::ranges::find(all, reason) == all.end()) all.push_back(reason);
    }
  }
  return fmt::format("{}", fmt::join(all, ", "));
}

}  // namespace assay::measure

// A fake NVIDIA management library for tests, with ASSAY_FAKE_GPUS GPUs (default 2): the first is
// an H200 throttled by its power limit, the second supports fewer queries.
#include <cstdlib>
#include <cstring>

namespace {

constexpr int kOk = 0;
constexpr int kNotSupported = 3;
constexpr int kTooSmall = 7;
constexpr int kNoDriver = 9;

int gpus() {
  const char* said = std::getenv("ASSAY_FAKE_GPUS");
  return said == nullptr ? 2 : std::atoi(said);
}

bool is_first(void* device) { return device == reinterpret_cast<void*>(1); }

int only_first(void* device, unsigned* out, unsigned value) {
  if (!is_first(device)) return kNotSupported;
  *out = value;
  return kOk;
}

}  // namespace

extern "C" {

int nvmlInit_v2() { return gpus() < 0 ? kNoDriver : kOk; }
int nvmlShutdown() { return kOk; }
int nvmlSystemGetDriverVersion(char* text, unsigned bytes) {
  std::strncpy(text, "580.65.06", bytes);
  return kOk;
}
int nvmlDeviceGetCount_v2(unsigned* count) {
  *count = static_cast<unsigned>(gpus());
  return kOk;
}
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void** device) {
  *device = reinterpret_cast<void*>(static_cast<unsigned long>(index) + 1);
  return kOk;
}
int nvmlDeviceGetName(void* device, char* text, unsigned bytes) {
  std::strncpy(text, is_first(device) ? "NVIDIA H200" : "NVIDIA T4", bytes);
  return kOk;
}
int nvmlDeviceGetUUID(void* device, char* text, unsigned bytes) {
  std::strncpy(text, is_first(device) ? "GPU-11111111" : "GPU-22222222", bytes);
  return kOk;
}
int nvmlDeviceGetApplicationsClock(void* device, int, unsigned* mhz) {
  return only_first(device, mhz, 1980);
}
int nvmlDeviceGetPowerManagementLimit(void* device, unsigned* milliwatts) {
  return only_first(device, milliwatts, 700000);
}
int nvmlDeviceGetClockInfo(void* device, int which, unsigned* mhz) {
  return only_first(device, mhz, which == 1 ? 1665 : 3201);
}
int nvmlDeviceGetMaxClockInfo(void* device, int which, unsigned* mhz) {
  return only_first(device, mhz, which == 1 ? 1980 : 3201);
}
int nvmlDeviceGetTemperature(void* device, int, unsigned* celsius) {
  return only_first(device, celsius, 61);
}
int nvmlDeviceGetPowerUsage(void* device, unsigned* milliwatts) {
  return only_first(device, milliwatts, 699500);
}
int nvmlDeviceGetEccMode(void* device, unsigned* now, unsigned* next) {
  *next = 0;
  return only_first(device, now, 1);
}
int nvmlDeviceGetMigMode(void* device, unsigned* now, unsigned* next) {
  *next = 0;
  return only_first(device, now, 0);
}
int nvmlDeviceGetPersistenceMode(void* device, unsigned* mode) {
  return only_first(device, mode, 0);
}
/// The first GPU has two compute processes.
int nvmlDeviceGetComputeRunningProcesses_v3(void* device, unsigned* count, void*) {
  *count = is_first(device) ? 2 : 0;
  return is_first(device) ? kTooSmall : kOk;
}
/// Throttled by power and heat, and by an application setting.
int nvmlDeviceGetCurrentClocksThrottleReasons(void* device, unsigned long long* bits) {
  *bits = is_first(device) ? 0x02 | 0x04 | 0x20 | 0x40 : 0x01;
  return kOk;
}
}

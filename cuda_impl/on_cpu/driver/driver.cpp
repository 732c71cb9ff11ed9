// A fake driver library (libcuda.so.1) whose answers are set by environment variables: for tests of
// error messages on machines without a usable GPU. ASSAY_DRIVER_DEVICES lists its devices by their
// compute capabilities, as "80,90"; with any device, CUDA's runtime does not accept the driver.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

/// The number in a variable, or `otherwise`.
int told(const char* variable, int otherwise) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? otherwise : std::atoi(text);
}

constexpr int kNotSupported = 801;
constexpr int kMajor = 75;  // CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR
constexpr int kMinor = 76;  // CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR

const char* told_devices() {
  const char* const text = std::getenv("ASSAY_DRIVER_DEVICES");
  return text == nullptr ? "" : text;
}

/// Of the device at this place: 80 for 8.0.
int capability_of(int device) {
  const char* text = told_devices();
  for (int i = 0; i < device && text != nullptr; ++i) {
    text = std::strchr(text, ',');
    if (text != nullptr) ++text;
  }
  return text == nullptr ? 0 : std::atoi(text);
}

/// The implementation of all functions that are not defined here.
int not_supported() { return kNotSupported; }

}  // namespace

extern "C" {

int cuInit(unsigned);
int cuDriverGetVersion(int* version);
int cuDeviceGetCount(int* count);
int cuDeviceGet(int* device, int index);
int cuDeviceGetName(char* name, int size, int device);
int cuDeviceGetAttribute(int* value, int attribute, int device);
int cuGetProcAddress(const char* name, void** function, int version, std::uint64_t flags);
int cuGetProcAddress_v2(const char* name, void** function, int version, std::uint64_t flags,
                        int* found);

int cuInit(unsigned) { return told("ASSAY_DRIVER_INIT", *told_devices() == '\0' ? 100 : 0); }

int cuDriverGetVersion(int* version) {
  *version = told("ASSAY_DRIVER_VERSION", 13000);
  return 0;
}

int cuDeviceGetCount(int* count) {
  *count = 0;
  while (capability_of(*count) != 0) ++*count;
  return 0;
}

int cuDeviceGet(int* device, int index) {
  *device = index;
  return 0;
}

int cuDeviceGetName(char* name, int size, int device) {
  std::snprintf(name, static_cast<std::size_t>(size), "Told GPU %d", device);
  return 0;
}

int cuDeviceGetAttribute(int* value, int attribute, int device) {
  if (attribute != kMajor && attribute != kMinor) return kNotSupported;
  const int capability = capability_of(device);
  *value = attribute == kMajor ? capability / 10 : capability % 10;
  return 0;
}

int cuGetProcAddress_v2(const char* name, void** function, int, std::uint64_t, int* found) {
  const struct {
    const char* name;
    void* function;
  } known[] = {{"cuInit", reinterpret_cast<void*>(&cuInit)},
               {"cuDriverGetVersion", reinterpret_cast<void*>(&cuDriverGetVersion)},
               {"cuDeviceGetCount", reinterpret_cast<void*>(&cuDeviceGetCount)},
               {"cuGetProcAddress", reinterpret_cast<void*>(&cuGetProcAddress_v2)}};
  *function = reinterpret_cast<void*>(&not_supported);
  for (const auto& entry : known) {
    if (std::strcmp(entry.name, name) == 0) *function = entry.function;
  }
  if (found != nullptr) *found = 0;
  return 0;
}

int cuGetProcAddress(const char* name, void** function, int version, std::uint64_t flags) {
  return cuGetProcAddress_v2(name, function, version, flags, nullptr);
}

}  // extern "C"

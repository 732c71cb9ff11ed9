// A driver library (libcuda.so.1) without devices, which says of itself what the environment tells
// it to: for tests of what programs say where no GPU can be used.
#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace {

/// The number in a variable, or `otherwise`.
int told(const char* variable, int otherwise) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? otherwise : std::atoi(text);
}

constexpr int kNotSupported = 801;

/// Every function that has no body of its own here.
int not_supported() { return kNotSupported; }

}  // namespace

extern "C" {

int cuInit(unsigned);
int cuDriverGetVersion(int* version);
int cuDeviceGetCount(int* count);
int cuGetProcAddress(const char* name, void** function, int version, std::uint64_t flags);
int cuGetProcAddress_v2(const char* name, void** function, int version, std::uint64_t flags,
                        int* found);

int cuInit(unsigned) { return told("ASSAY_DRIVER_INIT", 100); }

int cuDriverGetVersion(int* version) {
  *version = told("ASSAY_DRIVER_VERSION", 13000);
  return 0;
}

int cuDeviceGetCount(int* count) {
  *count = 0;
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

// Queries the runtime for devices and describes the result.
#include "cuda_impl/core/device/availability.hpp"

#include <cuda_runtime_api.h>

#include <cstdio>
#include <cstdlib>

#include "cuda_impl/core/device/compiled_code.hpp"

namespace assay::cuda {
namespace {

using Kind = Availability::Kind;

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

const std::string kNeeded = version_text(CUDART_VERSION);

std::string error_text(cudaError_t code) {
  return std::string(cudaGetErrorName(code)) + " (" + std::to_string(code) +
         "): " + cudaGetErrorString(code);
}

Availability no_driver(cudaError_t code) {
  const char* const why = code == cudaErrorStubLibrary
                              ? "what was found as libcuda.so.1 is the toolkit's stub for linking"
                              : "libcuda.so.1 was not found";
  return {Kind::kNoDriver, std::string("No NVIDIA driver is here: ") + why + "; one for CUDA " +
                               kNeeded + " or newer is needed."};
}

Availability no_device(int driver) {
  std::string sentence = "The NVIDIA driver (CUDA " + version_text(driver) + ") sees no device";
  if (const char* const shown = std::getenv("CUDA_VISIBLE_DEVICES")) {
    sentence += "; CUDA_VISIBLE_DEVICES is \"" + std::string(shown) + "\"";
  }
  return {Kind::kNoDevice, sentence + "."};
}

Availability unusable(int driver, cudaError_t code) {
  return {Kind::kUnusable, "A CUDA device cannot be used (driver for CUDA " + version_text(driver) +
                               "): " + error_text(code) + "."};
}

/// `code` is the result of cudaGetDeviceCount.
Availability explain(int driver, cudaError_t code) {
  if (code == cudaErrorStubLibrary) return no_driver(code);
  if (code == cudaErrorInsufficientDriver && driver == 0) return no_driver(code);
  if (code == cudaErrorInsufficientDriver) {
    return {Kind::kDriverTooOld, "The NVIDIA driver is too old: it is for CUDA " +
                                     version_text(driver) + ", and " + kNeeded +
                                     " or newer is needed."};
  }
  if (code == cudaErrorNoDevice) return no_device(driver);
  return unusable(driver, code);
}

Availability count_and_try() {
  int driver = 0;
  int count = 0;  // unchanged if the call fails
  if (cudaDriverGetVersion(&driver) != cudaSuccess) driver = 0;
  if (driver / 1000 >= CUDART_VERSION / 1000) {  // an older driver is the first problem to report
    if (const std::string sentence = device_without_code(); !sentence.empty()) {
      return {Kind::kNoCode, sentence};
    }
  }
  cudaError_t code = cudaGetDeviceCount(&count);
  if (code == cudaSuccess && count == 0) code = cudaErrorNoDevice;
  if (code != cudaSuccess) return explain(driver, code);
  if (code = cudaFree(nullptr); code != cudaSuccess) return unusable(driver, code);
  cudaDeviceProp first;
  if (code = cudaGetDeviceProperties(&first, 0); code != cudaSuccess) return unusable(driver, code);
  return {Kind::kAvailable,
          std::to_string(count) + (count == 1 ? " CUDA device" : " CUDA devices") + ", the first " +
              first.name + " (" + std::to_string(first.major) + "." + std::to_string(first.minor) +
              "); driver for CUDA " + version_text(driver) + ", runtime " + kNeeded + ".",
          count};
}

}  // namespace

Availability find_devices() {
  Availability found = count_and_try();
  cudaGetLastError();
  return found;
}

int say_devices() {
  const Availability found = find_devices();
  std::printf("%s\n", found.sentence.c_str());
  return found.kind == Kind::kAvailable ? 0 : 77;
}

}  // namespace assay::cuda

// The state of this machine's GPUs, from NVIDIA's management library if it is present.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace assay::measure {

/// The state of one GPU at one moment. Values that the driver does not report are missing.
struct GpuState {
  std::string name;
  std::optional<unsigned> sm_clock_mhz;
  std::optional<unsigned> most_sm_clock_mhz;
  std::optional<unsigned> memory_clock_mhz;
  std::optional<unsigned> temperature_c;
  std::optional<double> power_w;
  std::optional<bool> ecc;
  std::optional<bool> mig;          ///< divided into instances
  std::optional<bool> persistence;  ///< the driver stays loaded between programs
  std::optional<std::string> uuid;
  std::optional<unsigned> most_memory_clock_mhz;
  std::optional<unsigned> application_sm_clock_mhz;  ///< the limit set by the user
  std::optional<double> power_limit_w;
  bool used = false;                 ///< programs use it first, by CUDA_VISIBLE_DEVICES
  std::optional<unsigned> programs;  ///< compute processes
  /// The reasons for throttling: `power`, `heat`, `slowdown`, `brake`, `sync`.
  std::vector<std::string> throttled_by;
};

/// The clock and throttling of a GPU at one moment, which a time depends on.
struct GpuClock {
  std::optional<unsigned> sm_mhz;  ///< of the GPU that programs use first
  /// As by throttling_of, for that GPU if CUDA_VISIBLE_DEVICES names one, otherwise for all.
  std::string throttled_by;
};

/// The library, loaded at run time, so that it is not needed to build or to start.
class Nvml {
 public:
  /// Null if the library is missing or finds no driver.
  static std::unique_ptr<Nvml> open(const char* library = "libnvidia-ml.so.1");
  ~Nvml();
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;

  /// In the driver's order. A GPU that fails to answer a query has only part of its state.
  std::vector<GpuState> gpus() const;
  /// Fast enough to be called after each sample.
  GpuClock clock() const;
  /// Empty if unknown.
  std::string driver() const;

 private:
  struct Entries;
  Nvml(void* library, std::unique_ptr<Entries> entries);
  std::string uuid_of(void* device) const;
  void find_used();

  void* library_;
  std::unique_ptr<Entries> entries_;
  unsigned used_ = 0;        ///< the index of the GPU that programs use first
  bool used_alone_ = false;  ///< CUDA_VISIBLE_DEVICES names it
};

/// `power, heat`; empty if nothing throttles the clock.
std::string throttling_of(const std::vector<GpuState>& gpus);

}  // namespace assay::measure

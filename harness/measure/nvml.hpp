// What NVIDIA's management library tells of this machine's GPUs, where it is there.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace assay::measure {

/// Of one GPU at one moment. What the driver does not tell is missing.
struct GpuState {
  std::string name;
  std::optional<unsigned> sm_clock_mhz;
  std::optional<unsigned> most_sm_clock_mhz;
  std::optional<unsigned> memory_clock_mhz;
  std::optional<unsigned> temperature_c;
  std::optional<double> power_w;
  std::optional<bool> ecc;
  std::optional<bool> mig;           ///< shared out in parts
  std::optional<bool> persistence;   ///< the driver stays loaded between programs
  std::optional<unsigned> programs;  ///< that compute there
  /// What holds its clock down: `power`, `heat`, `slowdown`, `brake`, `sync`.
  std::vector<std::string> throttled_by;
};

/// What a time depends on, of one moment.
struct GpuClock {
  std::optional<unsigned> sm_mhz;  ///< of the first GPU
  std::string throttled_by;        ///< as throttling_of says it, of all of them
};

/// The library, opened at run time: nothing of it is needed to build or to start.
class Nvml {
 public:
  /// Null where there is no such library, or it finds no driver.
  static std::unique_ptr<Nvml> open(const char* library = "libnvidia-ml.so.1");
  ~Nvml();
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;

  /// In the driver's order. One that does not answer has its state only in part.
  std::vector<GpuState> gpus() const;
  /// Quick enough to be asked behind each sample.
  GpuClock clock() const;
  /// Empty where it is not told.
  std::string driver() const;

 private:
  struct Entries;
  Nvml(void* library, std::unique_ptr<Entries> entries);

  void* library_;
  std::unique_ptr<Entries> entries_;
};

/// `power, heat`; empty where nothing holds the clock down.
std::string throttling_of(const std::vector<GpuState>& gpus);

}  // namespace assay::measure

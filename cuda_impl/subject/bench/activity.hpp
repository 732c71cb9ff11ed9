// Times of kernels, copies and memsets on the device's own timeline, as CUPTI records them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace assay::cuda {

/// The functions of CUPTI's activity API that a recording calls, with prototypes of our own: the
/// library is opened at run time, and its header is not needed to build.
struct Cupti {
  using Status = int;
  using BufferRequested = void(std::uint8_t** buffer, std::size_t* size, std::size_t* most_records);
  using BufferCompleted = void(void* context, std::uint32_t stream, std::uint8_t* buffer,
                               std::size_t size, std::size_t valid_size);

  Status (*register_callbacks)(BufferRequested* requested, BufferCompleted* completed) = nullptr;
  Status (*enable)(int kind) = nullptr;
  Status (*disable)(int kind) = nullptr;
  Status (*flush)(std::uint32_t flag) = nullptr;
  Status (*next_record)(std::uint8_t* buffer, std::size_t valid_size, void** record) = nullptr;
  Status (*dropped)(void* context, std::uint32_t stream, std::size_t* records) = nullptr;
};

/// Opens `library`. Throws NotSupported if the library or one of the functions is missing.
Cupti open_cupti(const std::string& library);

/// The library of this process: the file ASSAY_CUPTI if that is set, else that of CUDA 13 or 12. It
/// is opened once. Throws as `open_cupti` does.
const Cupti& process_cupti();

/// Records what the process's devices do, from the constructor to the destructor. Only one exists
/// at a time. Kernels are launched more slowly meanwhile, but take the same time on the device.
class ActivityRecording {
 public:
  /// `cupti` outlives it. Throws NotSupported if CUPTI refuses, as it does while another profiler
  /// is attached.
  explicit ActivityRecording(const Cupti& cupti);
  ~ActivityRecording();
  ActivityRecording(const ActivityRecording&) = delete;
  ActivityRecording& operator=(const ActivityRecording&) = delete;

  /// Nanoseconds that kernels and copies took, added up, with memsets or without. The device must
  /// be idle. Throws NotSupported if there is no record; raises `error` if CUPTI has dropped any.
  std::int64_t busy_ns(bool with_memsets) const;

 private:
  void stop() const;

  const Cupti& cupti_;
};

}  // namespace assay::cuda

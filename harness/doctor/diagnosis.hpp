// What `assay doctor` says of the facts that it has found, a sentence each.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace assay {

/// What is on the machine now. An absent text: it was not found.
struct Facts {
  std::optional<std::string> compiler, cmake, ninja, ccache;  ///< their versions
  std::optional<std::string> python;                          ///< its version
  std::string torch_python;             ///< the Python that is asked for PyTorch
  std::optional<std::string> torch;     ///< the version of its PyTorch
  std::optional<std::string> nvcc;      ///< its path and release
  std::optional<std::string> libtorch;  ///< where its headers are
  bool has_driver_module = false;       ///< the kernel driver is loaded
  bool has_driver_library = false;      ///< libcuda.so.1 can be loaded
  std::optional<std::string> gpus;      ///< what nvidia-smi says
  bool has_mutants = false, has_libtorch_plugin = false, has_cuda = false, has_cuda_on_cpu = false;
  bool has_device = false;  ///< assay-cuda can use one
  std::string device;       ///< what it says of that
  std::string free_at;      ///< the folder for temporary files
  std::uint64_t free_bytes = 0;
};

struct Finding {
  enum class Kind { kThere, kMissing, kWrong, kNoisy };
  Kind kind = Kind::kThere;
  std::string what;      ///< a word
  std::string sentence;  ///< what is, or what is missing and who needs it
  std::string mend;      ///< a command; empty where nothing is to be mended
};

std::vector<Finding> diagnose(const Facts& facts);

/// `missing  torch  python3 cannot import it; …`, and below it what mends it.
std::string to_text(const std::vector<Finding>& findings, std::size_t columns);

/// `9 found, 4 missing, 1 wrong`.
std::string last_line(const std::vector<Finding>& findings);

}  // namespace assay

// The findings of `assay doctor`, one sentence each, from the facts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace assay {

/// What is present on the machine. A text that is absent: not found.
struct Facts {
  std::optional<std::string> compiler, cmake, ninja, ccache;  ///< their versions
  std::optional<std::string> python;                          ///< its version
  std::string torch_python;                 ///< the Python that was tested for PyTorch
  std::optional<std::string> torch;         ///< the version of its PyTorch
  std::optional<std::string> nvcc;          ///< its path and release
  std::optional<std::string> cuda_headers;  ///< their folder
  std::optional<std::string> libtorch;      ///< the folder of its headers
  bool has_driver_module = false;           ///< the kernel driver is loaded
  bool has_driver_library = false;          ///< libcuda.so.1 can be loaded
  std::optional<std::string> gpus;          ///< output of nvidia-smi
  bool has_mutants = false, has_libtorch_plugin = false, has_cuda = false, has_cuda_on_cpu = false;
  bool has_device = false;  ///< assay-cuda can use one
  std::string device;       ///< its message
  std::string free_at;      ///< the folder for temporary files
  std::uint64_t free_bytes = 0;
};

struct Finding {
  enum class Kind { kThere, kMissing, kWrong, kNoisy };
  Kind kind = Kind::kThere;
  std::string what;      ///< a word
  std::string sentence;  ///< what was found, or what is missing and needed for what
  std::string mend;      ///< a command that fixes it; empty if not needed
};

std::vector<Finding> diagnose(const Facts& facts);

/// `missing  torch  python3 cannot import it; …`, followed by how to fix it.
std::string to_text(const std::vector<Finding>& findings, std::size_t columns);

/// `9 found, 4 missing, 1 wrong`.
std::string last_line(const std::vector<Finding>& findings);

}  // namespace assay

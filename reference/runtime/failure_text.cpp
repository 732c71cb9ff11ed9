// Formats error messages (FLT-005).
#include "reference/runtime/failure_text.hpp"

#include <cstdlib>
#include <string_view>

namespace assay::reference {
namespace {

constexpr std::string_view kTypesPage =
    "https://docs.nvidia.com/cuda/cuda-runtime-api/group__CUDART__TYPES.html";

std::string help_line(Code code) {
  if (code == Code::kInvalidDevice) {
    return "\nGPU device may be out of range, do you have enough GPUs?";
  }
  return "\nSearch for `" + std::string(name_of(code)) + "' in " + std::string(kTypesPage) +
         " for more information.";
}

/// Errors of kernel execution, which unrelated calls may return.
bool is_asynchronous(Code code) {
  switch (number_of(code)) {
    case 700:
    case 710:
    case 715:
    case 716:
    case 719:
      return true;
    default:
      return false;
  }
}

bool launches_block() {
  static const bool set = [] {
    const char* value = std::getenv("CUDA_LAUNCH_BLOCKING");
    return value != nullptr && std::string_view(value) == "1";
  }();
  return set;
}

std::string suffix_line(const Contract& contract, Code code) {
  const bool is_late = contract.release >= Release::k2_11;
  if (is_late && !is_asynchronous(code)) {
    return "\nSet CUDA_LOG_FILE=stderr to see what the driver has to say about it.";
  }
  if (launches_block()) return {};
  return "\nCUDA kernel errors might be asynchronously reported at some other API call, so this "
         "place may be the wrong one. Pass CUDA_LAUNCH_BLOCKING=1 to find the right one.";
}

std::string place(const std::source_location& where) {
  return "\n(" + std::string(where.file_name()) + ":" + std::to_string(where.line()) + ")";
}

}  // namespace

std::string failure_text(const Runtime& runtime, Code code, const std::source_location& where) {
  std::string text = "CUDA error: " + std::string(text_of(code));
  if (runtime.contract().release >= Release::k2_11) text += help_line(code);
  return text + suffix_line(runtime.contract(), code) + place(where);
}

}  // namespace assay::reference

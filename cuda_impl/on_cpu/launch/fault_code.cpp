// Classifies faults by the text of their reason.
#include "cuda_impl/on_cpu/launch/fault_code.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>
#include <string_view>

namespace assay::cuda::on_cpu {

int fault_code(const std::string& reason) {
  return reason.find("misaligned") != std::string::npos ? 716 : 719;
}

std::string readable(const char* mangled) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(mangled, nullptr, nullptr, &status), &std::free);
  std::string name = status == 0 ? text.get() : mangled;
  constexpr std::string_view kTag = "[abi:";
  for (auto at = name.find(kTag); at != std::string::npos; at = name.find(kTag)) {
    name.erase(at, name.find(']', at) - at + 1);
  }
  return name;
}

}  // namespace assay::cuda::on_cpu

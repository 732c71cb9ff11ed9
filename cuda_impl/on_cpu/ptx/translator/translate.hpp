// Translates a PTX module to C++.
#pragma once

#include <string>
#include <string_view>

namespace assay::cuda::on_cpu::ptx {

struct TranslationOptions {
  std::string source_root;  ///< for inlined calls, lines in files below this folder are used
};

/// A C++ file that registers the module's kernels and variables. Throws Refusal.
std::string translate(std::string_view ptx, const TranslationOptions& options = {});

}  // namespace assay::cuda::on_cpu::ptx

// Finds the source line for a statement of the PTX.
#include "cuda_impl/on_cpu/ptx/translator/source_lines.hpp"

#include "cuda_impl/on_cpu/ptx/translator/refusal.hpp"

namespace assay::cuda::on_cpu::ptx {

const std::string& SourceLines::file_of(const Position& position, const Location& location) const {
  const auto found = files_.find(position[0]);
  if (found == files_.end()) {
    throw Refusal(location.line, ".loc " + std::to_string(position[0]), "no .file of that number");
  }
  return found->second;
}

std::string SourceLines::directive_of(const Location& location) {
  const Position innermost = {location.file, location.line, location.column};
  if (location.inlined_at) {
    inlined_at_[innermost] = *location.inlined_at;
  } else {
    inlined_at_.erase(innermost);
  }
  auto chosen = innermost;
  constexpr int kDeepest = 100;  // nested inlined calls; limited, since a chain may be a cycle
  for (int depth = 0; !root_.empty() && depth < kDeepest; ++depth) {
    if (file_of(chosen, location).starts_with(root_)) break;
    const auto outer = inlined_at_.find(chosen);
    chosen = outer == inlined_at_.end() ? innermost : outer->second;
    if (outer == inlined_at_.end()) break;
  }
  // Line 0 means no particular line.
  return "#line " + std::to_string(std::max(chosen[1], 1)) + " \"" + file_of(chosen, location) +
         "\"";
}

}  // namespace assay::cuda::on_cpu::ptx

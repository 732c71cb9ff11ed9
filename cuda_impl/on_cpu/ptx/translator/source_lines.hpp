// Finds the source line for a statement of the PTX.
#pragma once

#include <array>
#include <map>
#include <string>

#include "cuda_impl/on_cpu/ptx/translator/parser/syntax.hpp"

namespace assay::cuda::on_cpu::ptx {

/// Follows a chain of inlined calls outwards to the first file below `root`, so that CUB's code is
/// attributed to the kernel's call of it. Without such a file or root, returns the innermost line.
class SourceLines {
 public:
  SourceLines(std::map<int, std::string> files, std::string root)
      : files_(std::move(files)), root_(std::move(root)) {}

  /// `#line 12 "a.cu"`. Call it for each .loc in the order of the text.
  std::string directive_of(const Location& location);

 private:
  using Position = std::array<int, 3>;  ///< file, line, column

  const std::string& file_of(const Position& position, const Location& location) const;

  std::map<int, std::string> files_;
  std::string root_;
  std::map<Position, Position> inlined_at_;
};

}  // namespace assay::cuda::on_cpu::ptx

// The names of the program's functions and variables.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace assay::cuda::on_cpu {

struct Symbol {
  std::string name;  ///< mangled
  std::size_t size_bytes = 0;
};

/// The function or variable of the running program that begins at the address. Empty if there is
/// none, or if the program was stripped of its names.
std::optional<Symbol> symbol_at(const void* address);

}  // namespace assay::cuda::on_cpu

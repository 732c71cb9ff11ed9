// Translates a PTX function to a C++ function.
#pragma once

#include <map>
#include <string>

#include "cuda_impl/on_cpu/ptx/translator/scope.hpp"
#include "cuda_impl/on_cpu/ptx/translator/source_lines.hpp"

namespace assay::cuda::on_cpu::ptx {

/// Data shared by the functions of a module.
struct ModuleNames {
  Scope& scope;  ///< its variables
  std::map<std::string, const Function*>
      functions;  ///< those with a body or known to operations.hpp
  const SourceLines& lines;
};

/// The name of the C++ function.
std::string cpp_name_of(const Function& function);

/// The parameters: result and parameter addresses of a .func, `parameters` of an entry.
std::string signature_of(const Function& function);

/// The definition. Throws Refusal. `shared_offsets`: offsets of the shared arrays declared in it.
std::string emit_function(const Function& function, const ModuleNames& names,
                          const std::map<const Variable*, std::uint64_t>& shared_offsets);

}  // namespace assay::cuda::on_cpu::ptx

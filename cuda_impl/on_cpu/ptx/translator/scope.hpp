// Resolves the names in a function's nested blocks.
#pragma once

#include <map>
#include <set>
#include <string>

#include "cuda_impl/on_cpu/ptx/translator/parser/syntax.hpp"

namespace assay::cuda::on_cpu::ptx {

enum class SymbolKind { kRegister, kVariable, kLabel, kTargets };

struct Symbol {
  SymbolKind kind;
  std::string cpp;  ///< a register's or label's name, a variable's address: an offset if in .shared
  const Type* type = nullptr;  ///< of a register
  const Variable* variable = nullptr;
  const BranchTargets* targets = nullptr;
};

/// The names declared in a block and in the enclosing blocks. The generated C++ names are unique in
/// the whole function.
class Scope {
 public:
  Scope() : used_(&own_used_) {}
  explicit Scope(Scope& outer) : outer_(&outer), used_(outer.used_) {}
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

  /// Throws Refusal if the block already has the name.
  void declare(int line, const std::string& name, Symbol symbol);

  /// Also finds special registers. nullptr if no block has the name.
  const Symbol* find(const std::string& name) const;

  /// A unique C++ name derived from `name`.
  std::string fresh(const std::string& prefix, const std::string& name);

 private:
  Scope* outer_ = nullptr;
  std::map<std::string, Symbol> symbols_;
  std::set<std::string> own_used_;
  std::set<std::string>* used_;
};

/// Adds the declarations of a block, including labels, without those of nested
/// blocks.
void declare_all(const Block& block, Scope& scope);

}  // namespace assay::cuda::on_cpu::ptx

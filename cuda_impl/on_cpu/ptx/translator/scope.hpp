// What the names of a function mean, block by block.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

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

/// The names declared in a block, on top of those around it. The names that it makes for C++ differ
/// from all others of the function, whatever block they are in.
class Scope {
 public:
  Scope() : used_(&own_used_) {}
  explicit Scope(Scope& outer) : outer_(&outer), used_(outer.used_) {}
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

  /// Throws Refusal where the block has the name already.
  void declare(int line, const std::string& name, Symbol symbol);

  /// Special registers are found too. nullptr where no block has it.
  const Symbol* find(const std::string& name) const;

  /// A name for C++ made of `name`, not yet given away.
  std::string fresh(const std::string& prefix, const std::string& name);

 private:
  Scope* outer_ = nullptr;
  std::map<std::string, Symbol> symbols_;
  std::set<std::string> own_used_;
  std::set<std::string>* used_;
};

/// Declares what the statements of a block declare, labels included; not what is in blocks inside
/// it.
void declare_all(const Block& block, Scope& scope);

}  // namespace assay::cuda::on_cpu::ptx

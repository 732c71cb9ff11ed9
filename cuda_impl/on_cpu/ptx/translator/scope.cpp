// Resolves the names in a function's nested blocks.
#include "cuda_impl/on_cpu/ptx/translator/scope.hpp"

#include "cuda_impl/on_cpu/ptx/translator/refusal.hpp"

namespace assay::cuda::on_cpu::ptx {
namespace {

const std::map<std::string, Symbol>& special_registers() {
  static const auto table = [] {
    std::map<std::string, Symbol> symbols;
    const auto add = [&](const char* name, const char* type, const std::string& cpp) {
      symbols[name] = {SymbolKind::kRegister, cpp, find_type(type)};
    };
    for (const std::string part : {"x", "y", "z"}) {
      add(("%tid." + part).c_str(), "u32", "here.thread_index." + part);
      add(("%ntid." + part).c_str(), "u32", "here.block." + part);
      add(("%ctaid." + part).c_str(), "u32", "here.block_index." + part);
      add(("%nctaid." + part).c_str(), "u32", "here.grid." + part);
    }
    add("%laneid", "u32", "here.lane()");
    add("%warpid", "u32", "here.warp()");
    add("%nwarpid", "u32", "kWarpIdentifiers");
    add("%lanemask_eq", "u32", "lanes_equal(here)");
    add("%lanemask_lt", "u32", "lanes_below(here)");
    add("%lanemask_le", "u32", "(lanes_below(here) | lanes_equal(here))");
    add("%lanemask_gt", "u32", "lanes_above(here)");
    add("%lanemask_ge", "u32", "(lanes_above(here) | lanes_equal(here))");
    add("%clock", "u32", "static_cast<u32>(clock_ticks())");
    add("%clock64", "u64", "clock_ticks()");
    add("%globaltimer", "u64", "clock_ticks()");
    return symbols;
  }();
  return table;
}

void declare_registers(const Registers& registers, Scope& scope) {
  for (std::uint32_t i = 0; i < registers.count; ++i) {
    const auto name = registers.is_range ? registers.name + std::to_string(i) : registers.name;
    scope.declare(registers.line, name,
                  {SymbolKind::kRegister, scope.fresh("v_", name), registers.type});
  }
}

}  // namespace

void Scope::declare(int line, const std::string& name, Symbol symbol) {
  if (!symbols_.emplace(name, std::move(symbol)).second) {
    throw Refusal(line, name, "declared twice in one block");
  }
}

const Symbol* Scope::find(const std::string& name) const {
  const auto found = symbols_.find(name);
  if (found != symbols_.end()) return &found->second;
  if (outer_ != nullptr) return outer_->find(name);
  const auto special = special_registers().find(name);
  return special == special_registers().end() ? nullptr : &special->second;
}

std::string Scope::fresh(const std::string& prefix, const std::string& name) {
  std::string cpp = prefix;
  for (const char c : name) {
    if (c == '%') continue;
    cpp += c == '$' ? '_' : c;
  }
  auto unique = cpp;
  for (int i = 2; !used_->insert(unique).second; ++i) unique = cpp + "_" + std::to_string(i);
  return unique;
}

void declare_all(const Block& block, Scope& scope) {
  for (const auto& statement : block.statements) {
    if (const auto* registers = std::get_if<Registers>(&statement)) {
      declare_registers(*registers, scope);
    } else if (const auto* label = std::get_if<Label>(&statement)) {
      scope.declare(label->line, label->name, {SymbolKind::kLabel, scope.fresh("L_", label->name)});
    } else if (const auto* targets = std::get_if<BranchTargets>(&statement)) {
      scope.declare(targets->line, targets->name,
                    {.kind = SymbolKind::kTargets, .cpp = {}, .targets = targets});
    }
  }
}

}  // namespace assay::cuda::on_cpu::ptx

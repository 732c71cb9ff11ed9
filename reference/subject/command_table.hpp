// Which function answers which command.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "reference/subject/call.hpp"

namespace assay::reference {

using Handler = void (*)(Call& call);

class CommandTable {
 public:
  /// `verb` is the whole word, `core.to`, and must be a literal.
  void add(std::string_view verb, Handler handler) { handlers_.emplace(verb, handler); }
  /// Null when no area has it.
  Handler find(std::string_view verb) const {
    const auto found = handlers_.find(verb);
    return found == handlers_.end() ? nullptr : found->second;
  }
  /// In alphabetical order.
  std::vector<std::string> areas() const;

 private:
  std::unordered_map<std::string_view, Handler> handlers_;
};

/// Every command of the reference; made once.
const CommandTable& command_table();

// One function an area, each in a file of its own.
void add_session_commands(CommandTable& table);
void add_core_commands(CommandTable& table);
void add_amp_commands(CommandTable& table);
void add_optim_commands(CommandTable& table);
void add_scaler_commands(CommandTable& table);
void add_dispatch_commands(CommandTable& table);
void add_autograd_commands(CommandTable& table);
void add_autocast_commands(CommandTable& table);
void add_module_commands(CommandTable& table);
void add_runtime_commands(CommandTable& table);
void add_sim_commands(CommandTable& table);
void add_memory_commands(CommandTable& table);

}  // namespace assay::reference

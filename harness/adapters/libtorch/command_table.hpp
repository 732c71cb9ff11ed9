// Which function answers which command.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "harness/adapters/libtorch/call.hpp"

namespace assay::libtorch {

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

 private:
  std::unordered_map<std::string_view, Handler> handlers_;
};

/// Every command that this subject answers; made once.
const CommandTable& command_table();

/// In alphabetical order.
std::vector<std::string> areas();

// One function a file of commands.
void add_session_commands(CommandTable& table);
void add_core_type_commands(CommandTable& table);
void add_core_tensor_commands(CommandTable& table);
void add_core_ivalue_commands(CommandTable& table);
void add_dispatch_key_commands(CommandTable& table);
void add_dispatch_tensor_commands(CommandTable& table);
void add_dispatch_tls_commands(CommandTable& table);
void add_dispatch_schema_commands(CommandTable& table);
void add_dispatch_registration_commands(CommandTable& table);
void add_dispatch_library_commands(CommandTable& table);
void add_dispatch_call_commands(CommandTable& table);
void add_dispatch_ask_commands(CommandTable& table);
void add_dispatch_listener_commands(CommandTable& table);
void add_runtime_stream_commands(CommandTable& table);
void add_runtime_event_commands(CommandTable& table);
void add_runtime_guard_commands(CommandTable& table);

}  // namespace assay::libtorch

// The text form of litmus programs: threads of calls with arguments.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace assay::reference {

struct LitmusCall {
  std::string verb;
  std::vector<std::string> arguments;
};

struct LitmusThread {
  std::string name;
  std::vector<LitmusCall> calls;
};

/// Throws BadLitmusProgram.
std::vector<LitmusThread> read_litmus_text(std::string_view text);

}  // namespace assay::reference

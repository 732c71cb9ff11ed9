// The arguments and the reply of a command, in words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// `growth_interval?: int`: the name, a question mark if it may be absent, and what it may be.
struct CommandShape {
  std::vector<std::string> with;
  std::vector<std::string> ok;
};

/// As the schema of the protocol has them; empty for a command that it does not know.
CommandShape shape_of(std::string_view verb);

}  // namespace assay

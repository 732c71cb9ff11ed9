// Copies of commands and replies with other names and devices, at every depth.
#pragma once

#include <functional>
#include <string>

#include "harness/protocol/message.hpp"

namespace assay {

struct Rewrite {
  /// For names of objects, callbacks and threads.
  std::function<std::string(const std::string&)> name = [](const std::string& same) {
    return same;
  };
  std::function<Device(const Device&)> device = [](const Device& same) { return same; };
};

Command rewritten(const Command& command, const Rewrite& rewrite);
Reply rewritten(const Reply& reply, const Rewrite& rewrite);

/// Also in the replies of blocks.
void drop_warnings(Reply& reply);

}  // namespace assay

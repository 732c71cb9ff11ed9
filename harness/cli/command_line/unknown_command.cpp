// Suggests the nearest command for an unknown word.
#include "harness/cli/command_line/unknown_command.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "harness/console/nearest.hpp"
#include "harness/console/usage_error.hpp"

namespace assay::cli {

void refuse_unknown_command(CliCommand app, const std::vector<std::string>& argv) {
  CliCommand parent = app;
  for (std::size_t i = 1; i < argv.size(); ++i) {
    const std::string& word = argv[i];
    if (!parent.requires_subcommand() || word.empty() || word.front() == '-') return;
    const std::vector<CliCommand> commands = parent.subcommands();
    const auto chosen = std::ranges::find(commands, word, &CliCommand::name);
    if (chosen == commands.end()) {
      std::vector<std::string> names;
      for (const CliCommand& command : commands) names.push_back(command.name());
      const std::string before = i == 1 ? "" : parent.name() + " ";
      throw UsageError(fmt::format("unknown command '{}{}'{}\n  commands: {}", before, word,
                                   suggestion(word, names), fmt::join(names, ", ")));
    }
    parent = *chosen;
  }
}

}  // namespace assay::cli

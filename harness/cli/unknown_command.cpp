// CLI11 would only say that a command is required.
#include "harness/cli/unknown_command.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "harness/cli/errors.hpp"
#include "harness/cli/nearest.hpp"

namespace assay::cli {

void refuse_unknown_command(const CLI::App& app, const std::vector<std::string>& argv) {
  const CLI::App* parent = &app;
  for (std::size_t i = 1; i < argv.size(); ++i) {
    const std::string& word = argv[i];
    const bool wants_a_command = parent->get_require_subcommand_min() > 0;
    if (!wants_a_command || word.empty() || word.front() == '-') return;
    std::vector<std::string> names;
    const CLI::App* chosen = nullptr;
    for (const CLI::App* command : parent->get_subcommands([](const CLI::App*) { return true; })) {
      names.push_back(command->get_name());
      if (word == names.back()) chosen = command;
    }
    if (chosen == nullptr) {
      const std::string before = parent == &app ? "" : parent->get_name() + " ";
      throw UsageError(fmt::format("there is no command '{}{}'{}\n  there are: {}", before, word,
                                   suggestion(word, names), fmt::join(names, ", ")));
    }
    parent = chosen;
  }
}

}  // namespace assay::cli

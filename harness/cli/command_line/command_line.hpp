// The command line of `assay`. Hides CLI11, whose headers take seconds to compile, in
// command_line.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/cli/command_line/help_page.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace assay::cli {

/// Validates the value of an option. `complaint` returns an empty text for a valid value; `values`
/// is shown by --help: `a|b|c`.
struct Check {
  std::function<std::string(const std::string&)> complaint;
  std::string values;
};

Check in_range(int low, int high);
Check in_range(double low, double high);
/// Accepts one of `words`; otherwise the complaint suggests the nearest one.
Check one_of(const std::vector<std::string>& words);

/// An option or positional argument of a command. A view; the command line owns the option.
class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}

  Option required();
  Option check(const Check& check);
  Option excludes(Option other);
  /// One word may hold several values, separated by this character.
  Option delimiter(char separator);

 private:
  CLI::Option* option_;
};

/// What completion needs to know about an option or an argument.
struct OptionFacts {
  std::vector<std::string> names;  ///< `-j`, `--jobs`; an argument has one, without dashes
  std::string help;
  bool is_argument = false;
  bool takes_value = false;
  bool is_repeatable = false;
  std::vector<std::string> values;  ///< all that it accepts, if its check lists them
};

/// A command or subcommand. A view; the command line owns the command.
class CliCommand {
 public:
  using Words = std::vector<std::string>;

  explicit CliCommand(CLI::App* app) : app_(app) {}

  CliCommand add_subcommand(const std::string& name, const std::string& help);
  /// If the option is absent, the target keeps its value. The target must live until parsing ends.
  /// A vector takes a repeatable option with one value each time, or all positional words. Names
  /// without dashes are positional.
  Option add_option(const std::string& names, std::string& target, const std::string& help);
  Option add_option(const std::string& names, Words& target, const std::string& help);
  Option add_option(const std::string& names, int& target, const std::string& help);
  Option add_option(const std::string& names, unsigned& target, const std::string& help);
  Option add_option(const std::string& names, std::int64_t& target, const std::string& help);
  Option add_option(const std::string& names, std::uint64_t& target, const std::string& help);
  Option add_option(const std::string& names, double& target, const std::string& help);
  Option add_option(const std::string& names, std::optional<std::uint64_t>& target,
                    const std::string& help);
  Option add_option(const std::string& names, std::optional<std::string>& target,
                    const std::string& help);
  Option add_flag(const std::string& names, bool& target, const std::string& help);

  /// Passes the value to `use` after its checks.
  Option on_option(const std::string& name, const std::function<void(const std::string&)>& use,
                   const std::string& help);
  Option on_options(const std::string& name, const std::function<void(const Words&)>& use,
                    const std::string& help);
  Option on_number(const std::string& name, std::function<void(double)> use,
                   const std::string& help);
  /// `--isolate,!--no-isolate`: true for the first name, false for the second.
  Option on_flag(const std::string& names, std::function<void(bool)> use, const std::string& help);

  /// Text below the page of --help. Lines that begin with `Example:` or a space are not wrapped.
  void footer(const std::string& text);
  /// --help lists the options added after this call under this title.
  void begin_group(const std::string& title);
  /// --help lists the subcommands that have no title yet under this one.
  void title_subcommands(const std::string& title);
  /// Called if the command was selected and its arguments are valid.
  void callback(std::function<void()> run);
  /// The command is invalid without one of its subcommands.
  void require_subcommand();

  std::string name() const;
  /// `assay waivers check`.
  std::string full_name() const;
  std::string description() const;
  bool requires_subcommand() const;
  std::vector<CliCommand> subcommands() const;
  std::vector<OptionFacts> options() const;
  HelpPage help_page() const;

 private:
  CLI::App* app_;
};

/// The whole command line. Owns all commands and options.
class CommandLine {
 public:
  CommandLine(const std::string& name, const std::string& description, const std::string& version);
  ~CommandLine();

  CliCommand root();
  /// Runs the callback of the selected command and propagates its exceptions. If help was requested
  /// or the line is invalid, prints help or the error and returns the exit code. If the line ends
  /// where a command is missing, prints the help and returns 2. `--help-all` prints `reference()`.
  std::optional<int> parse(const std::vector<std::string>& argv);
  /// The help of all commands as one page of Markdown.
  std::string reference();

 private:
  std::unique_ptr<CLI::App> app_;
};

}  // namespace assay::cli

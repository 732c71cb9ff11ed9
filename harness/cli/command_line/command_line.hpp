// The command line as the commands see it. CLI11 stays behind it, in command_line.cpp: its headers
// take seconds to compile.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace assay::cli {

/// What the word after an option must be. `complaint` is empty where a word is acceptable; `values`
/// is shown by --help: `a|b|c`.
struct Check {
  std::function<std::string(const std::string&)> complaint;
  std::string values;
};

Check in_range(int low, int high);
Check in_range(double low, double high);
/// A word that is none of these is answered with the nearest.
Check one_of(const std::vector<std::string>& words);

/// An option or positional argument of a command. A view: the command line owns it.
class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}

  Option required();
  Option check(const Check& check);
  Option excludes(Option other);
  /// One word may hold several values, with this character between them.
  Option delimiter(char separator);

 private:
  CLI::Option* option_;
};

/// A command or subcommand. A view: the command line owns it.
class CliCommand {
 public:
  using Words = std::vector<std::string>;

  explicit CliCommand(CLI::App* app) : app_(app) {}

  CliCommand add_subcommand(const std::string& name, const std::string& help);
  /// The target keeps its value where the option is not given; it must live until the line is
  /// parsed. A vector takes an option that may be repeated, with one word each time, or all
  /// positional words. Names without dashes are positional.
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

  /// What is given goes to a function, after its checks.
  Option on_option(const std::string& name, std::function<void(const std::string&)> use,
                   const std::string& help);
  Option on_options(const std::string& name, std::function<void(const Words&)> use,
                    const std::string& help);
  Option on_number(const std::string& name, std::function<void(double)> use,
                   const std::string& help);
  /// `--isolate,!--no-isolate`: true for the first, false for the second.
  Option on_flag(const std::string& names, std::function<void(bool)> use, const std::string& help);

  /// Under the page of --help. Lines that begin with `Example:` or a space stay as they are.
  void footer(const std::string& text);
  /// --help shows the options that are added from now on under this title.
  void begin_group(const std::string& title);
  /// --help shows the subcommands that have no title yet under this one.
  void title_subcommands(const std::string& title);
  /// Runs when the command was chosen and its arguments are right.
  void callback(std::function<void()> run);
  /// Without one of its subcommands the command is no use.
  void require_subcommand();

  std::string name() const;
  bool requires_subcommand() const;
  std::vector<CliCommand> subcommands() const;

 private:
  CLI::App* app_;
};

/// The whole line. Owns all commands and options.
class CommandLine {
 public:
  CommandLine(const std::string& name, const std::string& description, const std::string& version);
  ~CommandLine();

  CliCommand root();
  /// Runs the callback of the command that was chosen, whose exceptions pass. Help, or what is
  /// wrong with the line, is printed; then the result is the exit code. A line that ends where a
  /// command is missing gets the help, and exit code 2.
  std::optional<int> parse(const std::vector<std::string>& argv);

 private:
  std::unique_ptr<CLI::App> app_;
};

}  // namespace assay::cli

// Implements the command line with CLI11; no other file includes it.
#include "harness/cli/command_line/command_line.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <sstream>
#include <utility>

#include "harness/cli/command_line/complaints.hpp"
#include "harness/cli/command_line/help_page.hpp"
#include "harness/console/nearest.hpp"
#include "harness/console/terminal.hpp"
#include "harness/suite/runner/verdict.hpp"

namespace assay::cli {

namespace {

/// The placeholder for a value in help: `a|b`, `N`, `SECONDS`; empty for a flag.
std::string value_of(const CLI::Option& option) {
  if (option.get_items_expected_max() == 0) return "";
  const std::string type = option.get_type_name();  // `TEXT:a|b`, `INT:INT in [1 - 9]`
  const std::size_t colon = type.find(':');
  if (colon != std::string::npos && type.find('|') != std::string::npos) {
    return type.substr(colon + 1);
  }
  const std::string kind = type.substr(0, colon);
  return kind == "INT" || kind == "UINT" ? "N" : kind == "FLOAT" ? "NUMBER" : kind;
}

HelpEntry entry_of(const CLI::Option& option) {
  const bool is_positional = option.get_positional();
  std::string what = option.get_name(is_positional, true);
  for (std::size_t at = what.find('{'); at != std::string::npos; at = what.find('{')) {
    what.erase(at, what.find('}', at) + 1 - at);  // the value of `--no-isolate{false}`
  }
  if (const std::string value = value_of(option); !value.empty() && !is_positional) {
    what += " " + value;
  }
  return {what, option.get_description() + (option.get_required() ? " (required)" : "")};
}

void add_entry(HelpPage& page, const std::string& title, HelpEntry entry) {
  const auto found = std::ranges::find(page.groups, title, &HelpGroup::title);
  HelpGroup& group = found != page.groups.end() ? *found : page.groups.emplace_back();
  group.title = title;
  group.entries.push_back(std::move(entry));
}

std::string full_name(const CLI::App& app) {
  const CLI::App* parent = app.get_parent();
  return parent == nullptr ? app.get_name() : full_name(*parent) + " " + app.get_name();
}

std::string usage_of(const CLI::App& app) {
  std::string usage = full_name(app);
  if (app.get_require_subcommand_min() > 0) return usage + " COMMAND [OPTIONS]";
  usage += " [OPTIONS]";
  for (const CLI::Option* option :
       app.get_options([](const CLI::Option* option) { return option->get_positional(); })) {
    std::string word = option->get_name(true);
    if (option->get_items_expected_max() > 1) word += "...";
    usage += option->get_required() ? " " + word : " [" + word + "]";
  }
  return usage;
}

HelpPage page_of(const CLI::App& app) {
  HelpPage page{full_name(app), usage_of(app), app.get_description(), {}, app.get_footer()};
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional()) add_entry(page, "Arguments", entry_of(*option));
  }
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    const bool untitled = command->get_group() == "Subcommands";
    add_entry(page, untitled ? "Commands" : command->get_group(),
              {command->get_name(), command->get_description()});
  }
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_positional()) add_entry(page, option->get_group(), entry_of(*option));
  }
  return page;
}

class Help : public CLI::FormatterBase {
 public:
  std::string make_help(const CLI::App* app, std::string, CLI::AppFormatMode) const override {
    return to_text(page_of(*app), columns_of_terminal());
  }
};

/// The innermost command on the line.
const CLI::App* chosen_in(const CLI::App& root) {
  const CLI::App* command = &root;
  while (!command->get_subcommands().empty()) command = command->get_subcommands().front();
  return command;
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_fnames()) {
      names.push_back((name.size() == 1 ? "-" : "--") + name);
    }
  }
  return names;
}

std::vector<std::string> words_between_bars(const std::string& text) {
  std::vector<std::string> words;
  std::istringstream rest(text);
  for (std::string word; std::getline(rest, word, '|');) words.push_back(word);
  return words;
}

OptionFacts facts_of(const CLI::Option& option) {
  OptionFacts facts;
  facts.help = option.get_description();
  facts.is_argument = option.get_positional();
  facts.takes_value = option.get_items_expected_max() > 0;
  facts.is_repeatable = option.get_items_expected_max() > 1;
  if (facts.is_argument) {
    facts.names = {option.get_name(true)};
  } else {
    for (const std::string& name : option.get_snames()) facts.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) facts.names.push_back("--" + name);
  }
  const std::string value = value_of(option);
  if (value.find('|') != std::string::npos) facts.values = words_between_bars(value);
  return facts;
}

std::string sentence_about(const CLI::ParseError& error, const CLI::App& root) {
  const CLI::App& command = *chosen_in(root);
  std::vector<std::string> extras = root.remaining(true);
  std::erase(extras, "--");  // it stays there even if what follows it was taken
  return extras.empty() ? about_value(error.what()) : about_extras(extras, option_names(command));
}

void add_pages(const CliCommand& command, std::vector<HelpPage>& pages) {
  pages.push_back(command.help_page());
  for (const CliCommand& sub : command.subcommands()) add_pages(sub, pages);
}

/// An empty value is what a shell makes of a variable that is not set: `--gate "$BASE"`. Taken for
/// an option that is not there, it would turn a gate off, or choose everything.
CLI::Option* not_empty(CLI::Option* option) {
  if (option->get_positional()) return option;  // what follows from those is said elsewhere
  return option->check(CLI::Validator(
      [](std::string& word) { return std::string(word.empty() ? "expected a text, got ''" : ""); },
      ""));
}

}  // namespace

Check in_range(int low, int high) {
  return in_range(static_cast<double>(low), static_cast<double>(high));
}

Check in_range(double low, double high) {
  const std::string bounds = fmt::format("{} to {}", low, high);
  return {[=](const std::string& word) {
            double value = 0;
            const bool is_number = CLI::detail::lexical_cast(word, value);
            if (is_number && value >= low && value <= high) return std::string();
            return fmt::format("expected a number from {}, got '{}'", bounds, word);
          },
          ""};
}

Check one_of(const std::vector<std::string>& words) {
  return {[words](const std::string& word) {
            if (std::ranges::find(words, word) != words.end()) return std::string();
            return fmt::format("'{}' is not one of {}{}", word, fmt::join(words, ", "),
                               suggestion(word, words));
          },
          fmt::format("{}", fmt::join(words, "|"))};
}

Option Option::required() {
  option_->required();
  return *this;
}

Option Option::check(const Check& check) {
  option_->check(
      CLI::Validator([check](std::string& word) { return check.complaint(word); }, check.values));
  return *this;
}

Option Option::excludes(Option other) {
  option_->excludes(other.option_);
  return *this;
}

Option Option::delimiter(char separator) {
  option_->delimiter(separator);
  return *this;
}

CliCommand CliCommand::add_subcommand(const std::string& name, const std::string& help) {
  CLI::App* const command = app_->add_subcommand(name, help);
  command->get_help_ptr()->disable_flag_override();
  return CliCommand(command);
}

Option CliCommand::add_option(const std::string& names, std::string& target,
                              const std::string& help) {
  return Option(not_empty(app_->add_option(names, target, help)));
}

Option CliCommand::add_option(const std::string& names, Words& target, const std::string& help) {
  CLI::Option* option = not_empty(app_->add_option(names, target, help));
  if (!option->get_positional()) option->allow_extra_args(false);
  return Option(option);
}

Option CliCommand::add_option(const std::string& names, int& target, const std::string& help) {
  return Option(app_->add_option(names, target, help));
}

Option CliCommand::add_option(const std::string& names, unsigned& target, const std::string& help) {
  return Option(app_->add_option(names, target, help));
}

Option CliCommand::add_option(const std::string& names, std::int64_t& target,
                              const std::string& help) {
  return Option(app_->add_option(names, target, help));
}

Option CliCommand::add_option(const std::string& names, std::uint64_t& target,
                              const std::string& help) {
  return Option(app_->add_option(names, target, help));
}

Option CliCommand::add_option(const std::string& names, double& target, const std::string& help) {
  return Option(app_->add_option(names, target, help));
}

Option CliCommand::add_option(const std::string& names, std::optional<std::uint64_t>& target,
                              const std::string& help) {
  return Option(app_->add_option(names, target, help));
}

Option CliCommand::add_option(const std::string& names, std::optional<std::string>& target,
                              const std::string& help) {
  return Option(not_empty(app_->add_option(names, target, help)));
}

Option CliCommand::add_flag(const std::string& names, bool& target, const std::string& help) {
  return Option(app_->add_flag(names, target, help));
}

Option CliCommand::on_option(const std::string& name,
                             const std::function<void(const std::string&)>& use,
                             const std::string& help) {
  return Option(not_empty(app_->add_option_function<std::string>(name, use, help)));
}

Option CliCommand::on_options(const std::string& name, const std::function<void(const Words&)>& use,
                              const std::string& help) {
  return Option(
      not_empty(app_->add_option_function<Words>(name, use, help)->allow_extra_args(false)));
}

Option CliCommand::on_number(const std::string& name, std::function<void(double)> use,
                             const std::string& help) {
  return Option(app_->add_option_function<double>(name, std::move(use), help));
}

Option CliCommand::on_flag(const std::string& names, std::function<void(bool)> use,
                           const std::string& help) {
  return Option(app_->add_flag_function(
      names, [use](std::int64_t count) { use(count > 0); }, help));
}

void CliCommand::footer(const std::string& text) { app_->footer(text); }

void CliCommand::begin_group(const std::string& title) { app_->option_defaults()->group(title); }

void CliCommand::title_subcommands(const std::string& title) {
  for (CLI::App* command :
       app_->get_subcommands([](CLI::App* app) { return app->get_group() == "Subcommands"; })) {
    command->group(title);
  }
}

void CliCommand::callback(std::function<void()> run) { app_->callback(std::move(run)); }

void CliCommand::require_subcommand() { app_->require_subcommand(1); }

std::string CliCommand::name() const { return app_->get_name(); }

std::string CliCommand::full_name() const { return cli::full_name(*app_); }

std::string CliCommand::description() const { return app_->get_description(); }

bool CliCommand::requires_subcommand() const { return app_->get_require_subcommand_min() > 0; }

std::vector<CliCommand> CliCommand::subcommands() const {
  std::vector<CliCommand> commands;
  for (CLI::App* app : app_->get_subcommands([](CLI::App*) { return true; }))
    commands.emplace_back(app);
  return commands;
}

std::vector<OptionFacts> CliCommand::options() const {
  std::vector<OptionFacts> all;
  for (const CLI::Option* option : std::as_const(*app_).get_options()) {
    all.push_back(facts_of(*option));
  }
  return all;
}

HelpPage CliCommand::help_page() const { return page_of(*app_); }

CommandLine::CommandLine(const std::string& name, const std::string& description,
                         const std::string& version)
    : app_(std::make_unique<CLI::App>(description, name)) {
  app_->formatter(std::make_shared<Help>());
  app_->option_defaults()->disable_flag_override();  // `--quick=3` is an error; commands inherit it
  app_->get_help_ptr()->disable_flag_override();
  app_->set_version_flag("--version", version,
                         "Show the version, and the commit it was built from");
}

CommandLine::~CommandLine() = default;

CliCommand CommandLine::root() { return CliCommand(app_.get()); }

std::string CommandLine::reference() {
  std::vector<HelpPage> pages;
  add_pages(root(), pages);
  return to_markdown(pages);
}

std::optional<int> CommandLine::parse(const std::vector<std::string>& argv) {
  // Now, since commands that are added later would inherit the option.
  app_->set_help_all_flag("--help-all", "Show the help of all commands, as a page of Markdown");
  try {
    app_->parse(std::vector<std::string>(argv.rbegin(), argv.rend() - 1));  // reversed for CLI11
  } catch (const CLI::CallForHelp&) {
    print(app_->help());
    return kExitOk;
  } catch (const CLI::CallForAllHelp&) {
    print(reference());
    return kExitOk;
  } catch (const CLI::CallForVersion& version) {
    print(std::string(version.what()) + "\n");
    return kExitOk;
  } catch (const CLI::ParseError& error) {
    const CLI::App& command = *chosen_in(*app_);
    if (command.get_require_subcommand_min() > 0 && app_->remaining(true).empty()) {
      print(command.help());
      return kExitUsage;
    }
    complain(fmt::format("{}: {}\n  `{} --help` lists the options\n", full_name(command),
                         sentence_about(error, *app_), full_name(command)));
    return kExitUsage;
  }
  return std::nullopt;
}

}  // namespace assay::cli

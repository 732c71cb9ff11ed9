// The one file that knows CLI11.
#include "harness/cli/command_line.hpp"

#include <CLI/CLI.hpp>

#include "harness/suite/verdict.hpp"

namespace assay::cli {

namespace {

Check check_by(const CLI::Validator& validator) {
  return {[validator](std::string word) { return validator(word); }, validator.get_description()};
}

}  // namespace

Check in_range(int low, int high) { return check_by(CLI::Range(low, high)); }

Check in_range(double low, double high) { return check_by(CLI::Range(low, high)); }

Check one_of(const std::vector<std::string>& words) {
  return check_by(CLI::IsMember(std::vector<std::string>(words)));
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
  return CliCommand(app_->add_subcommand(name, help));
}

Option CliCommand::add_option(const std::string& names, std::string& target,
                              const std::string& help) {
  return Option(app_->add_option(names, target, help));
}

Option CliCommand::add_option(const std::string& names, Words& target, const std::string& help) {
  return Option(app_->add_option(names, target, help));
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
  return Option(app_->add_option(names, target, help));
}

Option CliCommand::add_flag(const std::string& names, bool& target, const std::string& help) {
  return Option(app_->add_flag(names, target, help));
}

Option CliCommand::on_option(const std::string& name, std::function<void(const std::string&)> use,
                             const std::string& help) {
  return Option(app_->add_option_function<std::string>(name, std::move(use), help));
}

Option CliCommand::on_options(const std::string& name, std::function<void(const Words&)> use,
                              const std::string& help) {
  return Option(app_->add_option_function<Words>(name, std::move(use), help));
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

void CliCommand::callback(std::function<void()> run) { app_->callback(std::move(run)); }

void CliCommand::require_subcommand() { app_->require_subcommand(1); }

std::string CliCommand::name() const { return app_->get_name(); }

bool CliCommand::requires_subcommand() const { return app_->get_require_subcommand_min() > 0; }

std::vector<CliCommand> CliCommand::subcommands() const {
  std::vector<CliCommand> commands;
  for (CLI::App* app : app_->get_subcommands([](CLI::App*) { return true; }))
    commands.emplace_back(app);
  return commands;
}

CommandLine::CommandLine(const std::string& name, const std::string& description,
                         const std::string& version)
    : app_(std::make_unique<CLI::App>(description, name)) {
  app_->set_version_flag("--version", version);
}

CommandLine::~CommandLine() = default;

CliCommand CommandLine::root() { return CliCommand(app_.get()); }

std::optional<int> CommandLine::parse(const std::vector<std::string>& argv) {
  try {
    app_->parse(std::vector<std::string>(argv.rbegin(), argv.rend() - 1));  // the last word first
  } catch (const CLI::ParseError& error) {
    // CLI11 has exit codes of its own, 105 and up.
    return app_->exit(error) == 0 ? kExitOk : kExitUsage;
  }
  return std::nullopt;
}

}  // namespace assay::cli

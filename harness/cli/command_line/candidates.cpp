// Walks along the words of an unfinished line, as the parser would, and lists what may be next.
#include "harness/cli/command_line/candidates.hpp"

#include <algorithm>
#include <optional>
#include <set>

namespace assay::cli {
namespace {

/// The argument of a command that takes another command of this program behind `--`.
constexpr std::string_view kCommandLine = "COMMAND";

std::string first_sentence(const std::string& text) { return text.substr(0, text.find(". ")); }

std::vector<Candidate> beginning_with(std::vector<Candidate> all, std::string_view begun) {
  std::erase_if(all, [&](const Candidate& one) { return !one.word.starts_with(begun); });
  return all;
}

bool is_option(std::string_view word) { return word.size() > 1 && word.front() == '-'; }

class Line {
 public:
  Line(const CliCommand& root, const NamesOf& names_of)
      : root_(root), command_(root), options_(root.options()), names_of_(names_of) {}

  void take(const std::string& word) {
    if (value_of_) {
      value_of_ = std::nullopt;
    } else if (word == "--" && !only_arguments_) {
      take_dashes();
    } else if (is_option(word) && !only_arguments_) {
      take_option(word);
    } else if (command_.requires_subcommand()) {
      take_command(word);
    } else {
      ++arguments_;
    }
  }

  std::vector<Candidate> next(const std::string& begun) const {
    if (is_lost_) return {};
    if (value_of_) return values(*value_of_, begun, "");
    if (begun.starts_with("-") && !only_arguments_) return options_or_value(begun);
    if (command_.requires_subcommand()) return beginning_with(commands(), begun);
    return argument_values(begun);
  }

 private:
  void enter(const CliCommand& command) {
    command_ = command;
    options_ = command.options();
    arguments_ = 0;
  }

  void take_dashes() {
    const bool begins_a_line = std::ranges::any_of(options_, [](const OptionFacts& option) {
      return option.is_argument && option.names.front() == kCommandLine;
    });
    if (begins_a_line) {
      enter(root_);
    } else {
      only_arguments_ = true;
    }
  }

  void take_option(const std::string& word) {
    const OptionFacts* option = option_named(word);
    if (option != nullptr && option->takes_value) value_of_ = *option;
  }

  void take_command(const std::string& word) {
    const std::vector<CliCommand> known = command_.subcommands();
    const auto chosen = std::ranges::find(known, word, &CliCommand::name);
    if (chosen == known.end()) {
      is_lost_ = true;
    } else {
      enter(*chosen);
    }
  }

  const OptionFacts* option_named(std::string_view name) const {
    for (const OptionFacts& option : options_) {
      if (!option.is_argument && std::ranges::find(option.names, name) != option.names.end()) {
        return &option;
      }
    }
    return nullptr;
  }

  std::vector<Candidate> commands() const {
    std::vector<Candidate> all;
    for (const CliCommand& command : command_.subcommands()) {
      all.push_back({command.name(), first_sentence(command.description())});
    }
    return all;
  }

  std::vector<Candidate> options_or_value(const std::string& begun) const {
    const std::size_t equals = begun.find('=');
    if (equals != std::string::npos) {
      const OptionFacts* option = option_named(std::string_view(begun).substr(0, equals));
      if (option == nullptr || !option->takes_value) return {};
      return values(*option, begun.substr(equals + 1), begun.substr(0, equals + 1));
    }
    std::vector<Candidate> all;
    for (const OptionFacts& option : options_) {
      if (option.is_argument) continue;
      for (const std::string& name : option.names) {
        all.push_back({name, first_sentence(option.help)});
      }
    }
    return beginning_with(all, begun);
  }

  /// `before` stands in the same word before the value: `--filter=`.
  std::vector<Candidate> values(const OptionFacts& option, const std::string& begun,
                                const std::string& before) const {
    std::vector<Candidate> all;
    for (const std::string& value : option.values) all.push_back({value, ""});
    if (all.empty()) {
      for (const std::string& name : option.names) {
        for (Candidate& one : names_of_(command_.full_name() + " " + name, begun)) {
          all.push_back(std::move(one));
        }
      }
    }
    all = beginning_with(all, begun);
    for (Candidate& one : all) one.word.insert(0, before);
    return all;
  }

  std::vector<Candidate> argument_values(const std::string& begun) const {
    std::size_t left = arguments_;
    for (const OptionFacts& option : options_) {
      if (!option.is_argument) continue;
      if (left == 0 || option.is_repeatable) return values(option, begun, "");
      --left;
    }
    return {};
  }

  CliCommand root_;
  CliCommand command_;
  std::vector<OptionFacts> options_;
  const NamesOf& names_of_;
  std::optional<OptionFacts> value_of_ = std::nullopt;
  std::size_t arguments_ = 0;
  bool only_arguments_ = false;
  bool is_lost_ = false;
};

}  // namespace

std::vector<Candidate> candidates(const CliCommand& root, const std::vector<std::string>& words,
                                  const NamesOf& names_of) {
  Line line(root, names_of);
  for (std::size_t i = 0; i + 1 < words.size(); ++i) line.take(words[i]);
  return line.next(words.empty() ? "" : words.back());
}

std::vector<Candidate> next_parts(const std::vector<std::string>& ids, std::string_view begun) {
  std::set<std::string> parts;
  for (const std::string& id : ids) {
    if (!id.starts_with(begun)) continue;
    const std::size_t slash = id.find('/', begun.size());
    parts.insert(slash == std::string::npos ? id : id.substr(0, slash + 1));
  }
  std::vector<Candidate> all;
  for (const std::string& part : parts) all.push_back({part, ""});
  return all;
}

}  // namespace assay::cli

// Reads the lists of operators compiled into the program.
#include "suites/autocast/lists.hpp"

#include <map>
#include <optional>
#include <sstream>
#include <stdexcept>

#include "harness/protocol/embedded.hpp"

namespace assay {
std::span<const EmbeddedFile> suite_autocast_lists();
}  // namespace assay

namespace assay::suites {
namespace {

std::string_view text_of(std::string_view name) {
  for (const EmbeddedFile& file : suite_autocast_lists()) {
    if (file.name == name) return file.text;
  }
  throw std::logic_error("no list " + std::string(name));
}

std::vector<std::string> split(const std::string& text, char by) {
  std::vector<std::string> parts;
  std::istringstream input(text);
  for (std::string part; std::getline(input, part, by);) parts.push_back(part);
  return parts;
}

/// Splits lines into words, without comments.
std::vector<std::vector<std::string>> lines_of(std::string_view name) {
  std::vector<std::vector<std::string>> lines;
  std::istringstream input{std::string(text_of(name))};
  for (std::string line; std::getline(input, line);) {
    if (!line.empty() && line.front() != '#') lines.push_back(split(line, ' '));
  }
  return lines;
}

Release release_of(const std::string& text) {
  if (const std::optional<Release> known = release_named(text)) return *known;
  throw std::logic_error("the lists name an unknown release: " + text);
}

/// Reads `2.4+` and `2.4-2.13`.
bool is_in(Release release, const std::string& span) {
  if (span.back() == '+') return release_of(span.substr(0, span.size() - 1)) <= release;
  const std::vector<std::string> ends = split(span, '-');
  return release_of(ends.at(0)) <= release && release <= release_of(ends.at(1));
}

std::vector<ListedRule> read_rules(Release release) {
  std::vector<ListedRule> rules;
  for (const std::vector<std::string>& line : lines_of("lists.txt")) {
    for (std::size_t i = 1; i < line.size(); ++i) {
      const std::vector<std::string> parts = split(line[i], ':');
      if (!is_in(release, parts.at(2))) continue;
      rules.push_back({.op = line[0], .device = parts[0], .policy = parts[1]});
    }
  }
  return rules;
}

std::vector<std::int64_t> numbers_of(const std::string& text, char by) {
  std::vector<std::int64_t> numbers;
  for (const std::string& part : split(text, by)) numbers.push_back(std::stoll(part));
  return numbers;
}

/// Converts words to arguments, one after the other.
class Writer {
 public:
  Writer(const Target& target, Dtype first, Dtype rest)
      : target_(target), next_(first), rest_(rest) {}

  Value argument(const std::string& word) {
    switch (word.front()) {
      case 'T':
      case 'E':
      case 'F':
        return floating(word);
      case 'I':
      case 'J':
        return whole(word);
      case '[':
        return list(word);
      case '(':
        return ints(word);
      default:
        return plain(word);
    }
  }

 private:
  Value floating(const std::string& word) {
    const std::vector<std::int64_t> shape = numbers_of(word.substr(1), 'x');
    const Dtype type = word.front() == 'F' ? Dtype::kFloat32 : std::exchange(next_, rest_);
    if (word.front() == 'T') return of_shape(target_, type, shape, 0.5);
    std::vector<double> elements(static_cast<std::size_t>(shape.at(0) * shape.at(1)), 0.0);
    for (std::size_t i = 0; i < elements.size(); i += static_cast<std::size_t>(shape[1] + 1)) {
      elements[i] = 1;
    }
    return on(shaped(tensor_of(type, elements), shape), target_.device);
  }

  Value whole(const std::string& word) const {
    const std::vector<std::string> parts = split(word.substr(1), '=');
    std::vector<double> elements;
    for (const std::int64_t number : numbers_of(parts.at(1), ',')) {
      elements.push_back(static_cast<double>(number));
    }
    const Dtype type = word.front() == 'I' ? Dtype::kInt64 : Dtype::kInt32;
    return on(shaped(tensor_of(type, elements), numbers_of(parts[0], 'x')), target_.device);
  }

  Value list(const std::string& word) {
    List items;
    for (const std::string& part : split(word.substr(1, word.size() - 2), ',')) {
      items.items.push_back(argument(part));
    }
    return items;
  }

  static Value ints(const std::string& word) {
    List items;
    for (const std::int64_t number : numbers_of(word.substr(1, word.size() - 2), ',')) {
      items.items.emplace_back(number);
    }
    return items;
  }

  static Value plain(const std::string& word) {
    if (word == "-") return {};
    if (word == "true" || word == "false") return word == "true";
    if (word.front() == '\'') return word.substr(1, word.size() - 2);
    if (word.find('.') != std::string::npos) return std::stod(word);
    return static_cast<std::int64_t>(std::stoll(word));
  }

  const Target& target_;
  Dtype next_;
  Dtype rest_;
};

const std::map<std::string, std::vector<std::string>>& calls() {
  static const auto words = [] {
    std::map<std::string, std::vector<std::string>> found;
    for (std::vector<std::string>& line : lines_of("calls.txt")) {
      const std::string op = line.front();
      line.erase(line.begin());
      found.emplace(op, std::move(line));
    }
    return found;
  }();
  return words;
}

}  // namespace

const std::vector<ListedRule>& listed_rules(Release release) {
  static const auto rules = [] {
    std::map<Release, std::vector<ListedRule>> read;
    for (const Release each : kReleases) read.emplace(each, read_rules(each));
    return read;
  }();
  return rules.at(release);
}

std::vector<ListedRule> listed_rules(Release release, const std::string& device) {
  std::vector<ListedRule> rules;
  for (const ListedRule& rule : listed_rules(release)) {
    if (rule.device == device) rules.push_back(rule);
  }
  return rules;
}

bool can_be_called(const std::string& op) { return calls().at(op).front() != "uncalled"; }

std::vector<Value> arguments_of_listed(const Target& target, const std::string& op, Dtype first,
                                       Dtype rest) {
  const std::vector<std::string>& words = calls().at(op);
  Writer writer(target, first, rest);
  std::vector<Value> args;
  for (const std::string& word : words) args.push_back(writer.argument(word));
  return args;
}

}  // namespace assay::suites

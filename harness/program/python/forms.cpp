// Accesses the embedded texts, parses the Python forms, and fills in their placeholders.
#include "harness/program/python/forms.hpp"

#include <fmt/format.h>

#include <map>
#include <set>

#include "harness/program/python/value.hpp"
#include "harness/protocol/embedded.hpp"

namespace assay {

std::span<const EmbeddedFile> python_prelude();
std::span<const EmbeddedFile> python_forms();

}  // namespace assay

namespace assay::python {

std::string_view prelude() { return python_prelude().front().text; }
std::string_view forms() { return python_forms().front().text; }

namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

Form::Kind kind_named(char mark) {
  switch (mark) {
    case '=':
      return Form::Kind::kValue;
    case '~':
      return Form::Kind::kUncertain;
    case '!':
      return Form::Kind::kStatement;
    case ':':
      return Form::Kind::kFields;
    default:
      return Form::Kind::kNothing;
  }
}

std::vector<std::pair<std::string, std::string>> fields_in(std::string_view text) {
  std::vector<std::pair<std::string, std::string>> fields;
  while (!text.empty()) {
    const std::size_t end = text.find(";;");
    const std::string_view field = trimmed(text.substr(0, end));
    const std::size_t equals = field.find('=');
    fields.emplace_back(field.substr(0, equals), field.substr(equals + 1));
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 2);
  }
  return fields;
}

/// `verb = text`
void read_line(std::string_view line, std::map<std::string, Form, std::less<>>& forms) {
  const std::size_t space = line.find(' ');
  if (line.starts_with('#') || space == std::string_view::npos) return;
  Form form;
  form.kind = kind_named(line[space + 1]);
  std::string_view text = trimmed(line.substr(space + 2));
  constexpr std::string_view kQuietly = "quietly ";
  form.quietly = text.starts_with(kQuietly);
  if (form.quietly) text.remove_prefix(kQuietly.size());
  if (form.kind == Form::Kind::kFields) {
    form.texts = fields_in(text);
  } else {
    form.texts.emplace_back("", text);
  }
  forms.emplace(line.substr(0, space), std::move(form));
}

std::map<std::string, Form, std::less<>> read_forms() {
  std::map<std::string, Form, std::less<>> forms;
  std::string_view text = python::forms();
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    read_line(text.substr(0, end), forms);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return forms;
}

/// Removes the commas of omitted parts.
std::string without_loose_commas(std::string text) {
  for (const auto& [loose, tight] : {std::pair{", )", ")"}, std::pair{"(, ", "("}}) {
    for (std::size_t at = text.find(loose); at != std::string::npos; at = text.find(loose)) {
      text.replace(at, std::string_view(loose).size(), tight);
    }
  }
  return text;
}

/// Fills in one text, from left to right.
class Filler {
 public:
  Filler(std::string_view text, const Command& command, bool on_cuda)
      : rest_(text), command_(command), on_cuda_(on_cuda) {}

  std::string fill() {
    const std::string text = with_values(without_loose_commas(until('\0')));
    for (const auto& [name, value] : command_.with) {
      if (!used_.contains(name)) throw NoForm(fmt::format("its argument '{}'", name));
    }
    return text;
  }

 private:
  /// Removes and returns the text up to the closing character, and removes that character.
  std::string until(char end) {
    std::string text;
    while (!rest_.empty()) {
      const char letter = rest_.front();
      const bool is_twice = rest_.size() > 1 && rest_[1] == letter;
      rest_.remove_prefix(1);
      if ((letter == '[' || letter == ']') && is_twice) {
        rest_.remove_prefix(1);
        text += letter;
      } else if (letter == end) {
        return text;
      } else if (letter == '[') {
        text += optional_part();
      } else if (letter == '{') {
        text += hole();
      } else {
        text += letter;
      }
    }
    return text;
  }

  std::string optional_part() {
    const bool outer = std::exchange(absent_, false);
    std::string text = until(']');
    return std::exchange(absent_, outer) ? "" : text;
  }

  std::string hole() {
    const std::size_t end = rest_.find('}');
    std::string_view inside = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    const std::size_t stars = inside.find_first_not_of('*');
    inside.remove_prefix(stars);
    const std::size_t bar = inside.find('|');
    const std::string name(inside.substr(0, bar));
    const Value* given = command_.with.find(name);
    used_.insert(name);
    if (bar != std::string_view::npos) return kept(chosen(inside.substr(bar + 1), given));
    if (given == nullptr) {
      absent_ = true;
      return "";
    }
    return kept(stars > 0 ? spliced(*given) : expression(*given, on_cuda_));
  }

  /// A mark in place of a value, so that no step after this one changes a text of the case.
  std::string kept(std::string value) {
    if (value.empty()) return value;
    values_.push_back(std::move(value));
    return fmt::format("{}{}{}", kMark, values_.size() - 1, kMark);
  }

  std::string with_values(std::string_view text) const {
    std::string whole;
    for (std::size_t at = text.find(kMark); at != text.npos; at = text.find(kMark)) {
      const std::size_t end = text.find(kMark, at + 1);
      whole += text.substr(0, at);
      whole += values_[std::stoul(std::string(text.substr(at + 1, end - at - 1)))];
      text.remove_prefix(end + 1);
    }
    return whole + std::string(text);
  }

  std::string spliced(const Value& given) {
    std::string text;
    const auto add = [&](const std::string& item) { text += (text.empty() ? "" : ", ") + item; };
    if (const auto* list = given.get_if<List>()) {
      for (const Value& item : list->items) add(expression(item, on_cuda_));
    } else if (const auto* dict = given.get_if<Dict>()) {
      for (const auto& [key, value] : dict->items) {
        const auto* word = key.get_if<std::string>();
        if (word == nullptr || !is_identifier(*word)) {
          throw NoForm("keyword arguments that are not words");
        }
        add(*word + "=" + expression(value, on_cuda_));
      }
    } else {
      throw NoForm("arguments that are not a list");
    }
    if (text.empty()) absent_ = true;
    return text;
  }

  /// `word=text|word=text`, or the name of a format.
  std::string chosen(std::string_view choices, const Value* given) {
    if (choices == "tuple" || choices == "groups") return rewritten(choices, given);
    std::string word;
    if (given != nullptr) {
      const auto* text = given->get_if<std::string>();
      word = text != nullptr ? *text : expression(*given, on_cuda_);
    }
    while (!choices.empty()) {
      const std::size_t end = choices.find('|');
      const std::string_view choice = choices.substr(0, end);
      const std::size_t equals = choice.find('=');
      const std::string_view chosen_by = choice.substr(0, equals);
      if (chosen_by == word || (chosen_by == "*" && given != nullptr))
        return std::string(choice.substr(equals + 1));
      choices = end == std::string_view::npos ? std::string_view() : choices.substr(end + 1);
    }
    if (given == nullptr) {
      absent_ = true;
      return "";
    }
    if (given->is<std::string>()) throw NoForm(fmt::format("'{}'", word));
    return word;
  }

  std::string rewritten(std::string_view way, const Value* given) {
    if (given == nullptr) {
      absent_ = true;
      return "";
    }
    const auto* list = given->get_if<List>();
    if (list == nullptr) return expression(*given, on_cuda_);
    if (way == "tuple") return expression(Tuple{list->items}, on_cuda_);
    if (list->items.empty() || !list->items.front().is<List>()) {
      return expression(*given, on_cuda_);
    }
    std::string text;
    for (const Value& group : list->items) {
      text += (text.empty() ? "" : ", ");
      text += fmt::format("{{\"params\": {}}}", expression(group, on_cuda_));
    }
    return "[" + text + "]";
  }

  static constexpr char kMark = '\1';

  std::string_view rest_;
  const Command& command_;
  bool on_cuda_;
  bool absent_ = false;  ///< an argument of the current part is absent
  std::set<std::string> used_;
  std::vector<std::string> values_;
};

}  // namespace

const Form* form_of(std::string_view verb) {
  static const auto forms = read_forms();
  const auto found = forms.find(verb);
  return found == forms.end() ? nullptr : &found->second;
}

std::string filled(std::string_view text, const Command& command, bool on_cuda) {
  return Filler(text, command, on_cuda).fill();
}

}  // namespace assay::python

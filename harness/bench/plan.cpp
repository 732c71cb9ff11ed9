// Reads the choice of axes, selects cases and computes the order of each round.
#include "harness/bench/plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <numeric>
#include <set>

#include "harness/console/nearest.hpp"
#include "harness/console/usage_error.hpp"
#include "harness/measure/timed_cases.hpp"
#include "harness/program/random.hpp"
#include "harness/suite/runner/selection.hpp"

namespace assay::bench {
namespace {

using measure::Axis;
using measure::AxisValue;
using measure::to_text;

/// A longer range is assumed to be a mistake.
constexpr std::int64_t kMostValues = 1000;
constexpr std::int64_t kLargestExponent = 40;
constexpr std::string_view kPowerOfTwo = "[pow2]";

std::optional<std::int64_t> whole(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_whole = error == std::errc() && end == text.data() + text.size();
  return is_whole ? std::optional(number) : std::nullopt;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

/// Parses the text after the equals sign.
class Values {
 public:
  Values(std::string_view typed, bool is_power_of_two)
      : typed_(typed), is_power_(is_power_of_two) {}

  std::vector<AxisValue> read(std::string_view text) {
    const bool is_list = text.starts_with('[') && text.ends_with(']');
    if (!is_list && text.starts_with('[')) refuse("the list must end with ]");
    if (is_list) text = text.substr(1, text.size() - 2);
    if (is_list && text.find(':') != std::string_view::npos) {
      add_range(split(text, ':'));
    } else {
      for (const std::string_view part : is_list ? split(text, ',') : std::vector{text}) add(part);
    }
    return std::move(made_);
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw WrongAxis(fmt::format("'{}': {}", typed_, why));
  }
  std::int64_t number(std::string_view text) const {
    const auto found = whole(text);
    if (!found) refuse(fmt::format("'{}' is not a whole number", text));
    return *found;
  }
  void add_number(std::int64_t number) {
    if (is_power_ && (number < 0 || number > kLargestExponent)) {
      refuse(fmt::format("an exponent must be 0 to {}", kLargestExponent));
    }
    made_.emplace_back(is_power_ ? std::int64_t{1} << number : number);
  }
  void add(std::string_view text) {
    if (text.empty()) refuse("a value is missing");
    if (const auto found = whole(text); found || is_power_) return add_number(number(text));
    made_.emplace_back(std::string(text));
  }
  void add_range(const std::vector<std::string_view>& parts) {
    if (parts.size() > 3) refuse("a range must be FIRST:LAST or FIRST:LAST:STEP");
    const std::int64_t first = number(parts[0]);
    const std::int64_t last = number(parts[1]);
    const std::int64_t step = parts.size() == 3 ? number(parts[2]) : 1;
    if (step < 1 || last < first) refuse("a range must ascend, by steps of at least 1");
    // Cannot overflow: bounds that are too far apart are rejected by comparing their halves.
    if ((last / 2 - first / 2) / step > kMostValues / 2) {
      refuse(fmt::format("more than {} values", kMostValues));
    }
    for (std::int64_t value = first;; value += step) {
      add_number(value);
      if (value > last - step) return;
    }
  }

  std::string_view typed_;
  bool is_power_;
  std::vector<AxisValue> made_;
};

bool has(const Axis& axis, const AxisValue& value) {
  return std::ranges::find(axis.values, value) != axis.values.end();
}

bool accepts(const Axis& axis, const AxisValue& value) {
  const auto* number = std::get_if<std::int64_t>(&value);
  if (axis.is_open && number != nullptr) return *number >= 1;
  return has(axis, value);
}

/// The values of the axis in all cases; empty if no case has the axis.
Axis all_of_axis(const std::string& name) {
  Axis all{name, {}};
  for (const measure::CaseFamily& family : measure::all_families()) {
    for (const Axis& axis : family.axes) {
      if (axis.name != name) continue;
      all.is_open |= axis.is_open;
      std::ranges::copy_if(axis.values, std::back_inserter(all.values),
                           [&](const AxisValue& value) { return !has(all, value); });
    }
  }
  return all;
}

std::vector<std::string> all_names() {
  std::set<std::string> names;
  for (const measure::CaseFamily& family : measure::all_families()) {
    for (const Axis& axis : family.axes) names.insert(axis.name);
  }
  return {names.begin(), names.end()};
}

/// A number that resembles another is not a typing error, so none is suggested.
std::string nearest_values(const AxisValue& value, const std::vector<AxisValue>& values) {
  if (std::holds_alternative<std::int64_t>(value)) return "";
  std::vector<std::string> texts;
  for (const AxisValue& known : values) texts.push_back(to_text(known));
  return suggestion(to_text(value), texts);
}

}  // namespace

AxisChoice parse_axis_choice(std::string_view text) {
  const std::size_t equals = text.find('=');
  std::string_view name = text.substr(0, equals);
  const bool is_power = name.ends_with(kPowerOfTwo);
  if (is_power) name.remove_suffix(kPowerOfTwo.size());
  if (equals == std::string_view::npos || name.empty()) {
    throw WrongAxis(fmt::format("'{}' is not NAME=[VALUE,...]", text));
  }
  return {std::string(name), Values(text, is_power).read(text.substr(equals + 1))};
}

std::optional<std::vector<Axis>> chosen(std::vector<Axis> axes,
                                        const std::vector<AxisChoice>& choices) {
  for (Axis& axis : axes) {
    const auto choice = std::ranges::find(choices, axis.name, &AxisChoice::name);
    if (choice == choices.end()) continue;
    std::vector<AxisValue> values;
    for (const AxisValue& value : choice->values) {
      const bool is_new = std::ranges::find(values, value) == values.end();
      if (is_new && accepts(axis, value)) values.push_back(value);
    }
    if (values.empty()) return std::nullopt;
    axis.values = std::move(values);
  }
  return axes;
}

void refuse_unknown_axes(const std::vector<AxisChoice>& choices) {
  std::set<std::string> seen;
  for (const AxisChoice& choice : choices) {
    if (!seen.insert(choice.name).second) {
      throw WrongAxis(fmt::format("the axis '{}' is chosen twice", choice.name));
    }
    const Axis axis = all_of_axis(choice.name);
    if (axis.values.empty()) {
      const std::vector<std::string> names = all_names();
      throw WrongAxis(fmt::format("no case has an axis '{}'{}; the axes are {}", choice.name,
                                  suggestion(choice.name, names), fmt::join(names, ", ")));
    }
    for (const AxisValue& value : choice.values) {
      if (accepts(axis, value)) continue;
      throw WrongAxis(fmt::format("no case has {}={}{}; the values are {}", choice.name,
                                  to_text(value), nearest_values(value, axis.values),
                                  to_text(axis)));
    }
  }
}

// The plan.

namespace {

/// Fisher-Yates; not std::shuffle, whose results differ between standard libraries.
std::vector<std::size_t> shuffled(std::size_t count, Random& random) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t left = count; left > 1; --left) {
    std::swap(order[left - 1], order[random.below(left)]);
  }
  return order;
}

}  // namespace

RoundOrder order_of(std::uint64_t seed, int round, std::size_t contenders, std::size_t cases) {
  Random random(seed, static_cast<std::uint64_t>(round));
  RoundOrder order;
  order.starts = shuffled(contenders, random);
  order.cases = shuffled(cases, random);
  for (std::size_t i = 0; i < cases; ++i) order.turns.push_back(shuffled(contenders, random));
  return order;
}

std::vector<measure::TimedCase> select_cases(const std::vector<std::string>& filters,
                                             const std::vector<std::string>& excludes,
                                             const std::vector<AxisChoice>& axes) {
  std::vector<measure::TimedCase> selected;
  for (const measure::CaseFamily& family : measure::all_families()) {
    const auto varied = chosen(family.axes, axes);
    if (!varied) continue;
    for (measure::TimedCase& timed : cases_of(family, *varied)) {
      const std::string name = report::full_name(timed.name, timed.axes);
      const auto matches = [&](const std::string& pattern) { return glob_matches(pattern, name); };
      const bool wanted = filters.empty() || std::ranges::any_of(filters, matches);
      if (wanted && std::ranges::none_of(excludes, matches)) selected.push_back(std::move(timed));
    }
  }
  return selected;
}

std::string filter_of(const std::string& word, const std::vector<AxisChoice>& axes) {
  if (word.empty())
    throw UsageError("an empty argument selects no case; without arguments all are timed");
  for (const std::string& filter : {word, word + "*"}) {
    if (!select_cases({filter}, {}, axes).empty()) return filter;
  }
  throw UsageError(fmt::format("no case is or begins with '{}'{}{}", word,
                               axes.empty() ? "" : " with the chosen axes", nearest_cases(word)));
}

std::string nearest_cases(const std::string& name) {
  std::set<std::string> names;
  for (const measure::TimedCase& timed : measure::all_timed_cases()) {
    names.insert(timed.name);
    names.insert(timed.name.substr(0, timed.name.find('/')));
    names.insert(report::full_name(timed.name, timed.axes));
  }
  return suggestion(name, {names.begin(), names.end()});
}

}  // namespace assay::bench

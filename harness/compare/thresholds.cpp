// Reads thresholds files and shares.
#include "harness/compare/thresholds.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "harness/suite/toml.hpp"

namespace assay::compare {

std::optional<double> share_from_text(std::string_view text) {
  double value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || !(value >= 0)) return std::nullopt;
  const std::string_view rest(stop, static_cast<std::size_t>(text.data() + text.size() - stop));
  if (rest == "%" || rest == " %") return value < 1e6 ? std::optional(value / 100) : std::nullopt;
  return rest.empty() && value < 1 ? std::optional(value) : std::nullopt;
}

namespace {

constexpr std::array<std::string_view, 5> kKinds{"regression", "win", "changed", "undecided",
                                                 "new"};
constexpr std::array<std::string_view, 7> kKeys{
    "schema", "alpha", "margin", "exact_margin", "fail_on", "allow_missing", "case"};
constexpr std::array<std::string_view, 3> kCaseKeys{"name", "quantity", "margin"};

class Reader {
 public:
  explicit Reader(std::string_view name) : name_(name) {}

  Thresholds read(const toml::table& file) const {
    refuse_unknown(file, kKeys);
    read_schema(file);
    Thresholds read;
    read.margin = share(file, "margin");
    if (file.contains("exact_margin")) read.exact_margin = share(file, "exact_margin");
    if (file.contains("alpha")) read.alpha = alpha(file);
    read.fail_on = fail_on(file);
    if (file.contains("allow_missing")) read.allow_missing = patterns(file, "allow_missing");
    read_cases(file, read);
    return read;
  }

  [[noreturn]] void refuse(const toml::source_position& at, const std::string& what) const {
    throw Invalid(fmt::format("{}:{}:{}: {}", name_, at.line, at.column, what));
  }

 private:
  [[noreturn]] void complain(const toml::node& node, const std::string& what) const {
    refuse(node.source().begin, what);
  }

  template <typename Keys>
  void refuse_unknown(const toml::table& table, const Keys& keys) const {
    for (const auto& [key, value] : table) {
      const std::string_view text(key.str());
      if (std::ranges::find(keys, text) != keys.end()) continue;
      refuse(key.source().begin,
             fmt::format("unknown key '{}'; known keys are {}", text, fmt::join(keys, ", ")));
    }
  }

  const toml::node& at(const toml::table& table, std::string_view key) const {
    const toml::node* node = table.get(key);
    if (node == nullptr) {
      throw Invalid(fmt::format("{}: the key '{}' is missing", name_, key));
    }
    return *node;
  }

  void read_schema(const toml::table& file) const {
    const toml::node& node = at(file, "schema");
    if (node.value_exact<std::int64_t>() != 1) complain(node, "'schema' must be 1");
  }

  double share(const toml::table& table, std::string_view key) const {
    const toml::node& node = at(table, key);
    std::optional<double> value;
    if (const auto text = node.value_exact<std::string>()) value = share_from_text(*text);
    if (const auto number = node.value_exact<double>()) value = *number;
    if (node.value_exact<std::int64_t>() == 0) value = 0;
    if (!value || !(*value >= 0) || *value >= 1) {
      complain(node, fmt::format("'{}' must be a share such as 0.02 or \"2 %\"", key));
    }
    return *value;
  }

  double alpha(const toml::table& file) const {
    const double value = share(file, "alpha");
    constexpr double kLeast = 0.0001, kMost = 0.49;  // as of `assay compare --alpha`
    if (value < kLeast || value > kMost) {
      complain(at(file, "alpha"), fmt::format("'alpha' must lie between {} and {}", kLeast, kMost));
    }
    return value;
  }

  std::string text(const toml::table& table, std::string_view key) const {
    const toml::node& node = at(table, key);
    const auto value = node.value_exact<std::string>();
    if (!value || value->empty())
      complain(node, fmt::format("'{}' must be a string that is not empty", key));
    return *value;
  }

  const toml::array& list(const toml::table& table, std::string_view key) const {
    const toml::node& node = at(table, key);
    const toml::array* items = node.as_array();
    if (items == nullptr) complain(node, fmt::format("'{}' must be a list of strings", key));
    return *items;
  }

  std::vector<std::string> patterns(const toml::table& table, std::string_view key) const {
    std::vector<std::string> read;
    for (const toml::node& item : list(table, key)) {
      read.push_back(item.value_exact<std::string>().value_or(""));
      if (read.back().empty()) {
        complain(item, fmt::format("'{}' must be a list of patterns of case names", key));
      }
    }
    return read;
  }

  std::set<FailOn> fail_on(const toml::table& file) const {
    const toml::array& items = list(file, "fail_on");
    std::set<FailOn> kinds;
    for (const toml::node& item : items) {
      const std::string word = item.value_exact<std::string>().value_or("");
      if (word == "missing") {
        complain(item, "missing cases always fail; 'allow_missing' lists exceptions");
      }
      const auto found = std::ranges::find(kKinds, word);
      if (found == kKinds.end()) {
        complain(item, fmt::format("'fail_on' may contain {}", fmt::join(kKinds, ", ")));
      }
      kinds.insert(static_cast<FailOn>(found - kKinds.begin()));
    }
    if (!kinds.contains(FailOn::kRegression)) {
      complain(items,
               "'fail_on' must contain \"regression\": otherwise the gate cannot fail on one");
    }
    return kinds;
  }

  void read_cases(const toml::table& file, Thresholds& into) const {
    const toml::node* list = file.get("case");
    if (list == nullptr) return;
    if (!list->is_array_of_tables()) complain(*list, "'case' must be written as [[case]]");
    for (const toml::node& node : *list->as_array()) {
      const toml::table& table = *node.as_table();
      refuse_unknown(table, kCaseKeys);
      const std::string quantity = table.contains("quantity") ? text(table, "quantity") : "";
      into.rules.push_back({text(table, "name"), quantity, share(table, "margin")});
      into.places.push_back(fmt::format("{}:{}", name_, node.source().begin.line));
    }
  }

  std::string_view name_;
};

}  // namespace

std::string_view name_of(FailOn kind) { return kKinds.at(static_cast<std::size_t>(kind)); }

Thresholds thresholds_from_toml(std::string_view text, std::string_view name) {
  try {
    return Reader(name).read(toml_from(text, name));
  } catch (const Invalid&) {
    throw;
  } catch (const std::runtime_error& error) {
    throw Invalid(error.what());
  }
}

}  // namespace assay::compare

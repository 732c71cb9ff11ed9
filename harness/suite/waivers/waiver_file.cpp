// Reads waiver files.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <span>
#include <stdexcept>

#include "harness/suite/toml.hpp"
#include "harness/suite/waivers/waivers.hpp"

namespace assay {
namespace {

using Keys = std::span<const std::string_view>;

constexpr std::array<std::string_view, 9> kKeys{"cases", "subject", "device",  "releases", "reason",
                                                "link",  "owner",   "expires", "signature"};

[[noreturn]] void refuse(std::string_view name, const toml::source_position& at,
                         const std::string& what) {
  throw std::runtime_error(fmt::format("{}:{}:{}: {}", name, at.line, at.column, what));
}

/// Parses one [[waiver]] and reports its errors.
class Entry {
 public:
  Entry(const toml::table& table, std::string_view name) : table_(table), name_(name) {}

  Waiver read() const {
    refuse_unknown_keys();
    Waiver waiver;
    waiver.place = fmt::format("{}:{}", name_, table_.source().begin.line);
    waiver.cases = text("cases");
    waiver.reason = text("reason");
    read_signature(waiver);
    if (table_.contains("subject")) waiver.subject = text("subject");
    if (table_.contains("device")) waiver.device = text("device");
    waiver.releases = releases();
    waiver.link = text("link");
    waiver.owner = text("owner");
    waiver.expires = expires();
    return waiver;
  }

 private:
  [[noreturn]] void complain(const toml::node& node, const std::string& what) const {
    refuse(name_, node.source().begin, what);
  }

  void refuse_unknown_keys() const {
    for (const auto& [key, value] : table_) {
      if (std::ranges::find(kKeys, std::string_view(key.str())) != kKeys.end()) continue;
      refuse(name_, key.source().begin,
             fmt::format("a waiver has no '{}'; it has {}", std::string_view(key.str()),
                         fmt::join(kKeys, ", ")));
    }
  }

  const toml::node& at(std::string_view key) const {
    const toml::node* node = table_.get(key);
    if (node == nullptr) complain(table_, fmt::format("this waiver lacks '{}'", key));
    return *node;
  }

  std::string text(std::string_view key) const {
    const toml::node& node = at(key);
    const auto value = node.value_exact<std::string>();
    if (!value || value->empty())
      complain(node, fmt::format("'{}' must be a string that is not empty", key));
    return *value;
  }

  std::vector<std::string> texts(const toml::node& node, std::string_view key) const {
    const toml::array* list = node.as_array();
    if (list == nullptr || list->empty())
      complain(node, fmt::format("'{}' must be a list of strings", key));
    std::vector<std::string> found;
    for (const toml::node& item : *list) {
      const auto value = item.value_exact<std::string>();
      if (!value || value->empty())
        complain(item, fmt::format("'{}' must be a list of strings that are not empty", key));
      found.push_back(*value);
    }
    return found;
  }

  std::vector<Release> releases() const {
    std::vector<Release> found;
    const toml::node* node = table_.get("releases");
    if (node == nullptr) return found;
    for (const std::string& text : texts(*node, "releases")) {
      const auto release = release_named(text);
      if (!release)
        complain(*node, fmt::format("'{}' is not a release; the releases are {}", text,
                                    fmt::join(release_names(), ", ")));
      found.push_back(*release);
    }
    return found;
  }

  std::chrono::year_month_day expires() const {
    const toml::node& node = at("expires");
    if (const auto date = node.value_exact<toml::date>()) {
      return {std::chrono::year(date->year), std::chrono::month(date->month),
              std::chrono::day(date->day)};
    }
    const auto day = day_from_text(node.value_exact<std::string>().value_or(""));
    if (!day) complain(node, "'expires' must be a day such as 2027-03-31");
    return *day;
  }

  void read_signature(Waiver& waiver) const {
    const toml::node& node = at("signature");
    if (node.is_string())
      waiver.pattern = text("signature");
    else
      waiver.tokens = texts(node, "signature");
  }

  const toml::table& table_;
  std::string_view name_;
};

}  // namespace

std::vector<Waiver> waivers_from_toml(std::string_view text, std::string_view name) {
  const toml::table file = toml_from(text, name);
  std::vector<Waiver> waivers;
  for (const auto& [key, value] : file) {
    if (std::string_view(key.str()) != "waiver") {
      refuse(name, key.source().begin,
             fmt::format("expected [[waiver]], got '{}'", std::string_view(key.str())));
    }
    if (!value.is_array_of_tables()) {
      refuse(name, value.source().begin, "'waiver' must be written as [[waiver]]");
    }
    for (const toml::node& node : *value.as_array()) {
      waivers.push_back(Entry(*node.as_table(), name).read());
    }
  }
  return waivers;
}

std::optional<std::chrono::year_month_day> day_from_text(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return std::nullopt;
  const auto number = [&](std::size_t at, std::size_t length) {
    unsigned value = 0;
    const char* end = text.data() + at + length;
    const auto [stop, error] = std::from_chars(text.data() + at, end, value);
    return error == std::errc() && stop == end ? value : 0U;
  };
  const std::chrono::year_month_day day(std::chrono::year(static_cast<int>(number(0, 4))),
                                        std::chrono::month(number(5, 2)),
                                        std::chrono::day(number(8, 2)));
  if (!day.ok()) return std::nullopt;
  return day;
}

std::string to_text(const std::chrono::year_month_day& day) {
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(day.year()),
                     static_cast<unsigned>(day.month()), static_cast<unsigned>(day.day()));
}

std::chrono::year_month_day today_utc() {
  return {std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now())};
}

}  // namespace assay

// Parses the reply to hello.
#include "harness/suite/runner/hello.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fnmatch.h>

#include <algorithm>
#include <type_traits>
#include <utility>

#include "harness/console/nearest.hpp"
#include "harness/protocol/json.hpp"
#include "harness/protocol/schema.hpp"
#include "harness/protocol/utf8.hpp"
#include "harness/subject/link/link.hpp"
#include "harness/suite/card/excerpt.hpp"

namespace assay {
namespace {

/// Limits the subject's name, because every record contains it.
constexpr std::size_t kMostName = 256;
constexpr std::size_t kMostItems = 1024;
constexpr std::size_t kMostText = 4 << 10;

std::string text_of(const Reply& reply, std::string_view name) {
  const Value* value = reply.ok.find(name);
  if (value == nullptr) throw BadReply(fmt::format("hello: the reply lacks '{}'", name));
  if (const auto* text = value->get_if<std::string>()) return *text;
  throw BadReply(
      fmt::format("hello: '{}' must be a string, but is of kind {}", name, kind_of(*value)));
}

std::vector<Value> items_of(const Reply& reply, std::string_view name) {
  const Value* value = reply.ok.find(name);
  if (value == nullptr) throw BadReply(fmt::format("hello: the reply lacks '{}'", name));
  if (const auto* list = value->get_if<List>()) {
    if (list->items.size() <= kMostItems) return list->items;
    throw BadReply(fmt::format("hello: '{}' has {} items, and may have {}", name,
                               list->items.size(), kMostItems));
  }
  throw BadReply(
      fmt::format("hello: '{}' must be a list, but is of kind {}", name, kind_of(*value)));
}

std::vector<std::string> texts_of(const Reply& reply, std::string_view name) {
  std::vector<std::string> texts;
  for (const Value& item : items_of(reply, name)) {
    const auto* text = item.get_if<std::string>();
    if (text == nullptr) {
      throw BadReply(fmt::format("hello: '{}' must be a list of strings", name));
    }
    texts.push_back(excerpt(*text, kMostName));
  }
  return texts;
}

bool is_in(const std::string& text, const std::vector<std::string>& list) {
  return std::ranges::find(list, text) != list.end();
}

bool is_glob(const std::string& text) { return text.find_first_of("*?[") != std::string::npos; }

[[noreturn]] void refuse_word(std::string_view where, std::string_view what,
                              const std::string& word, const std::vector<std::string>& known) {
  throw BadReply(fmt::format("hello: '{}': unknown {} '{}'{}", where, what, printable(word),
                             suggestion(word, known)));
}

/// An area that no case knows would excuse every case of the one that was meant.
void check_areas(const std::vector<std::string>& areas) {
  for (const std::string& area : areas) {
    if (!is_in(area, known_areas())) refuse_word("areas", "area", area, known_areas());
  }
}

bool matches_a_command(const std::string& glob) {
  return std::ranges::any_of(known_verbs(), [&](const std::string& verb) {
    return fnmatch(glob.c_str(), verb.c_str(), FNM_NOESCAPE) == 0;
  });
}

/// `core.storage.offset`
bool is_field_of_a_command(const std::string& entry) {
  const std::size_t dot = std::min(entry.rfind('.'), entry.size());
  const std::string field = entry.substr(std::min(dot + 1, entry.size()));
  return comparison_of(entry.substr(0, dot), field).has_value();
}

/// Throws unless the entry, which is of one area, means something.
void check_word(const std::string& entry) {
  const std::size_t dot = entry.find('.');
  const std::string area = entry.substr(0, dot);
  if (dot != std::string::npos && !is_in(area, known_areas()) && !knows(area)) {
    refuse_word("without", "area", area, known_areas());
  }
  if (is_glob(entry)) {
    if (matches_a_command(entry)) return;
    throw BadReply(fmt::format("hello: 'without': no command matches '{}'", printable(entry)));
  }
  std::vector<std::string> known = known_verbs();
  known.insert(known.end(), known_areas().begin(), known_areas().end());
  known.insert(known.end(), {"counts", "code"});
  if (!is_in(entry, known) && !is_field_of_a_command(entry)) {
    refuse_word("without", dot == std::string::npos ? "word" : "command", entry, known);
  }
}

/// An entry that matches commands of every area would make any subject conform.
void check_without(const std::vector<std::string>& without) {
  for (const std::string& entry : without) {
    const std::string area = entry.substr(0, entry.find('.'));
    if (area.empty() || is_glob(area)) {
      throw BadReply(
          fmt::format("hello: 'without' must hold areas, commands and globs on the commands of one "
                      "area (such as dispatch.register_*), got '{}'",
                      printable(entry)));
    }
    check_word(entry);
  }
}

/// What `deviations` may be besides those of contracts.
constexpr std::string_view kForeign = "foreign";

/// `strict, compat`
template <typename Member>
std::string names_up_to(Member last) {
  std::string names;
  for (int i = 0; i <= static_cast<int>(last); ++i) {
    names += fmt::format("{}{}", i == 0 ? "" : ", ", name_of(static_cast<Member>(i)));
  }
  return names;
}

template <typename Member>
Member member(const Reply& reply, std::string_view name, Member fallback, Member last,
              std::optional<Member> (*named)(std::string_view)) {
  if (!reply.ok.has(name)) return fallback;
  const std::string text = text_of(reply, name);
  if (const auto value = named(text)) return *value;
  std::string more;
  if (std::is_same_v<Member, Release>) {
    more = ": the newest that is not newer than the PyTorch whose rules the subject follows";
  } else if (std::is_same_v<Member, Deviations>) {
    more = fmt::format(", {}", kForeign);
  }
  throw BadReply(fmt::format("hello: '{}' cannot be '{}'; it is one of {}{}", name, printable(text),
                             names_up_to(last), more));
}

void check_protocol(const Reply& reply) {
  const Value* value = reply.ok.find("protocol");
  const auto* number = value == nullptr ? nullptr : value->get_if<std::int64_t>();
  if (number == nullptr) throw BadReply("hello: the reply lacks 'protocol', an integer");
  if (*number == kProtocolVersion) return;
  throw BadReply(fmt::format("hello: the subject speaks protocol {}, this program speaks {}",
                             *number, kProtocolVersion));
}

bool is_foreign(const Reply& reply) {
  const Value* value = reply.ok.find("deviations");
  const auto* text = value == nullptr ? nullptr : value->get_if<std::string>();
  return text != nullptr && *text == kForeign;
}

Contract contract_of(const Reply& reply, const Contract& wanted) {
  return {
      member(reply, "release", wanted.release, kNewestRelease, &release_named),
      member(reply, "device_rules", wanted.device_rules, DeviceRules::kCuda, &device_rules_named),
      is_foreign(reply)
          ? Deviations::kStrict
          : member(reply, "deviations", wanted.deviations, Deviations::kCompat, &deviations_named)};
}

std::vector<Property> properties_of(const Reply& reply) {
  std::vector<Property> properties;
  if (!reply.ok.has("properties")) return properties;
  for (const std::string& word : texts_of(reply, "properties")) {
    const auto property = property_named(word);
    if (!property) refuse_word("properties", "property", word, property_names());
    properties.push_back(*property);
  }
  std::ranges::sort(properties);
  const auto repeated = std::ranges::unique(properties);
  properties.erase(repeated.begin(), repeated.end());
  return properties;
}

Hello info_of(const Reply& reply, const Contract& wanted) {
  Hello info;
  info.name = excerpt(text_of(reply, "name"), kMostName);
  info.version = excerpt(text_of(reply, "version"), kMostName);
  for (const Value& item : items_of(reply, "devices")) {
    const auto* device = item.get_if<Device>();
    if (device == nullptr) throw BadReply("hello: 'devices' must be a list of devices");
    info.devices.push_back(*device);
  }
  info.areas = texts_of(reply, "areas");
  check_areas(info.areas);
  if (reply.ok.has("without")) info.without = texts_of(reply, "without");
  check_without(info.without);
  const Value* threads = reply.ok.find("threads");
  info.threads = threads != nullptr && threads->is<bool>() && *threads->get_if<bool>();
  info.contract = contract_of(reply, wanted);
  info.foreign = is_foreign(reply);
  info.properties = properties_of(reply);
  return info;
}

/// In an order of its own, each item once.
std::string in_order(std::vector<std::string> items) {
  std::ranges::sort(items);
  const auto repeated = std::ranges::unique(items);
  items.erase(repeated.begin(), repeated.end());
  return items.empty() ? "none" : fmt::format("{}", fmt::join(items, ", "));
}

std::vector<std::string> texts_of(const std::vector<Device>& devices) {
  std::vector<std::string> texts;
  for (const Device& device : devices) texts.push_back(to_text(device));
  return texts;
}

std::vector<std::string> texts_of(const std::vector<Property>& properties) {
  std::vector<std::string> texts;
  for (const Property property : properties) texts.emplace_back(name_of(property));
  return texts;
}

/// What a hello says, a name and a value each.
std::vector<std::pair<std::string_view, std::string>> statements_of(const Hello& hello) {
  return {{"contract", to_text(hello.contract)},
          {"name", hello.name},
          {"version", hello.version},
          {"devices", in_order(texts_of(hello.devices))},
          {"areas", in_order(hello.areas)},
          {"without", in_order(hello.without)},
          {"threads", hello.threads ? "true" : "false"},
          {"foreign", hello.foreign ? "true" : "false"},
          {"properties", in_order(texts_of(hello.properties))}};
}

[[noreturn]] void give_up(const Link& link, const LinkBroken& failure) {
  const std::string why = fmt::format("it failed {} times in a row before its first reply: {}",
                                      kMostDeaths, failure.what());
  if (never_answered(link)) throw SubjectNotStarted(why, failure.last_words());
  throw SubjectLost(why, failure.last_words());
}

}  // namespace

const std::string* named_without(const std::vector<std::string>& without,
                                 const std::string& command) {
  const auto found = std::ranges::find_if(without, [&](const std::string& entry) {
    return command.starts_with(entry + ".") ||
           fnmatch(entry.c_str(), command.c_str(), FNM_NOESCAPE) == 0;
  });
  return found == without.end() ? nullptr : &*found;
}

std::string difference_between(const Hello& first, const Hello& later) {
  const auto then = statements_of(first);
  const auto now = statements_of(later);
  std::string text;
  for (std::size_t i = 0; i < then.size(); ++i) {
    if (then[i].second == now[i].second) continue;
    text += fmt::format("{}{}: {} became {}", text.empty() ? "" : "; ", then[i].first,
                        printable(then[i].second), printable(now[i].second));
  }
  return text;
}

void check_identity(const std::vector<Hello>& before, const Contract& contract, const Hello& now) {
  const auto first = std::ranges::find(before, contract, &Hello::contract);
  if (first == before.end()) return;
  const std::string difference = difference_between(*first, now);
  if (!difference.empty()) throw SubjectChanged(difference);
}

Hello say_hello(Link& link, const Contract& wanted) {
  Command hello;
  hello.id = 0;
  hello.verb = "hello";
  hello.with = {{"release", name_of(wanted.release)},
                {"device_rules", name_of(wanted.device_rules)},
                {"deviations", name_of(wanted.deviations)}};
  const Reply reply = link.exchange(hello);
  if (!reply.succeeded()) {
    const std::string why =
        "hello: expected ok, got " + printable(excerpt(to_json(reply), kMostText));
    if (reply.status == Reply::Status::kInvalid) throw ContractNotUnderstood(why);
    throw BadReply(why);
  }
  check_protocol(reply);
  return info_of(reply, wanted);
}

Hello hello_with_retries(Link& link, const Contract& wanted, bool broken) {
  for (int attempt = 1;; ++attempt) {
    try {
      if (broken) link.restart();
      return say_hello(link, wanted);
    } catch (const LinkBroken& failure) {
      if (attempt == kMostDeaths) give_up(link, failure);
      broken = true;
    }
  }
}

std::vector<Contract> offered_contracts(Link& link, const std::vector<Contract>& wanted) {
  std::vector<Contract> offered;
  std::optional<ContractNotUnderstood> refusal;
  for (const Contract& contract : wanted) {
    try {
      const Contract answer = hello_with_retries(link, contract).contract;
      if (std::ranges::find(offered, answer) == offered.end()) offered.push_back(answer);
    } catch (const ContractNotUnderstood& problem) {
      refusal = problem;
    }
  }
  if (offered.empty() && refusal) throw *refusal;
  return offered;
}

}  // namespace assay

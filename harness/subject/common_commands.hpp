// Commands that are the same for all C++ subjects: hello, raise, and queries of named objects.
// `Call` is the subject's own type, which derives from CallOf (call.hpp).
#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/subject/call.hpp"
#include "harness/subject/command_table.hpp"

namespace assay {

namespace detail {

template <typename Call, typename T>
void read_requested(Call& call, std::string_view name, std::optional<T> (*named)(std::string_view),
                    T& wish) {
  if (!call.has(name)) return;
  const std::string text = call.arguments().text(name);
  const std::optional<T> found = named(text);
  if (!found) throw InvalidArgument("hello: there is no " + std::string(name) + " '" + text + "'");
  wish = *found;
}

/// The two numbers of a release such as `2.15`.
inline std::optional<std::pair<int, int>> numbers_of_release(std::string_view text) {
  std::pair<int, int> numbers;
  const char* const end = text.data() + text.size();
  const auto major = std::from_chars(text.data(), end, numbers.first);
  if (major.ec != std::errc() || major.ptr == end || *major.ptr != '.') return std::nullopt;
  const auto minor = std::from_chars(major.ptr + 1, end, numbers.second);
  if (minor.ec != std::errc() || minor.ptr != end) return std::nullopt;
  return numbers;
}

/// A release that is newer than all that this library knows counts as the newest of them, so that a
/// subject which was built before the client still answers.
inline std::optional<Release> release_for(std::string_view text) {
  if (const auto known = release_named(text)) return known;
  const auto asked = numbers_of_release(text);
  const bool is_newer = asked && *asked > *numbers_of_release(name_of(kNewestRelease));
  return is_newer ? std::optional(kNewestRelease) : std::nullopt;
}

template <typename Call>
void answer_same(Call& call) {
  call.result(Value(identity_of(call.object("a")) == identity_of(call.object("b"))));
}

template <typename Call>
void answer_alias(Call& call) {
  call.result(Value(call.tensor("a").is_alias_of(call.tensor("b"))));
}

template <typename Call>
void answer_leave(Call& call) {
  call.template held<Guard>("guard", "guard")->leave();
}

template <typename Call>
void answer_value(Call& call) {
  const Value& given = call.arguments().value("value");
  if (const auto* ref = given.get_if<Ref>()) return call.result(call.names().get(ref->name));
  call.result(given);
}

template <typename Call>
void answer_raise(Call& call) {
  const std::string kind = call.arguments().text("kind");
  const auto found = error_kind_named(kind);
  if (!found) throw InvalidArgument("raise: there is no error kind '" + kind + "'");
  Call::raise(*found, call.arguments().text("message"));
}

}  // namespace detail

/// The contract requested by `hello`; the rest is taken from `standard`. Throws InvalidArgument.
template <typename Call>
Contract requested_contract(Call& call, Contract standard = {}) {
  detail::read_requested(call, "release", detail::release_for, standard.release);
  detail::read_requested(call, "device_rules", device_rules_named, standard.device_rules);
  detail::read_requested(call, "deviations", deviations_named, standard.deviations);
  return standard;
}

struct Introduction {
  std::string_view name;
  std::string_view version;
  List devices;
  std::vector<std::string> areas;
  Contract contract;  ///< the granted contract
};

/// A list of texts, for replies.
inline List list_of(std::vector<std::string> texts) {
  List list;
  for (std::string& text : texts) list.items.emplace_back(std::move(text));
  return list;
}

/// The reply to `hello` of a subject that allows calls from several threads.
template <typename Call>
void introduce(Call& call, Introduction mine) {
  call.set("protocol", kProtocolVersion);
  call.set("name", mine.name);
  call.set("version", mine.version);
  call.set("devices", std::move(mine.devices));
  call.set("areas", list_of(std::move(mine.areas)));
  call.set("threads", true);
  call.set("release", name_of(mine.contract.release));
  call.set("device_rules", name_of(mine.contract.device_rules));
  call.set("deviations", name_of(mine.contract.deviations));
}

/// `same`, `alias`, `leave`, `value` and `raise`.
template <typename Call>
void add_object_commands(CommandTableOf<Call>& table) {
  table.add("same", detail::answer_same<Call>);
  table.add("alias", detail::answer_alias<Call>);
  table.add("leave", detail::answer_leave<Call>);
  table.add("value", detail::answer_value<Call>);
  table.add("raise", detail::answer_raise<Call>);
}

}  // namespace assay

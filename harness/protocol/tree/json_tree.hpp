// JSON files as trees, with readable error messages.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace assay {

using JsonTree = nlohmann::ordered_json;

/// Throws MalformedMessage, with the position, if the text is not JSON, and what `guard_json`
/// throws.
JsonTree tree_from_json(std::string_view text);

/// Throws MalformedMessage unless it is an object with this member.
const JsonTree& member_of(const JsonTree& json, const char* name);

/// Throws MalformedMessage unless the member `schema` has this value.
void require_schema(const JsonTree& json, std::string_view schema);

/// A list member. Throws MalformedMessage.
const JsonTree& list_in(const JsonTree& json, const char* name);

/// The texts of commands and replies in the member `exchanges`, a list of `[command, reply]`.
/// Throws MalformedMessage with the index of the exchange.
std::vector<std::pair<std::string, std::string>> exchanges_in(const JsonTree& json);

/// Throws MalformedMessage: the member must be of this kind.
[[noreturn]] void refuse_kind(const JsonTree& json, std::string_view name, std::string_view kind);

namespace detail {

template <typename T>
concept JsonMap = requires {
  typename T::mapped_type;
};

template <typename T>
bool fits(const JsonTree& json) {
  if constexpr (std::is_same_v<T, std::string>) {
    return json.is_string();
  } else if constexpr (std::is_same_v<T, bool>) {
    return json.is_boolean();
  } else if constexpr (std::is_floating_point_v<T>) {
    return json.is_number();
  } else if constexpr (std::is_integral_v<T>) {
    if (json.is_number_unsigned()) return std::in_range<T>(json.get<std::uint64_t>());
    return json.is_number_integer() && std::in_range<T>(json.get<std::int64_t>());
  } else if constexpr (JsonMap<T>) {
    return json.is_object() && std::ranges::all_of(json, fits<typename T::mapped_type>);
  } else {
    return json.is_array() && std::ranges::all_of(json, fits<typename T::value_type>);
  }
}

template <typename T>
std::string kind_of() {
  using Limits = std::numeric_limits<T>;
  if constexpr (std::is_same_v<T, std::string>) {
    return "a text";
  } else if constexpr (std::is_same_v<T, bool>) {
    return "true or false";
  } else if constexpr (std::is_floating_point_v<T>) {
    return "a number";
  } else if constexpr (std::is_integral_v<T>) {
    return "a whole number from " + std::to_string(Limits::min()) + " to " +
           std::to_string(Limits::max());
  } else if constexpr (JsonMap<T>) {
    return "an object, each member of it " + kind_of<typename T::mapped_type>();
  } else {
    return "a list, each item of it " + kind_of<typename T::value_type>();
  }
}

}  // namespace detail

/// Throws MalformedMessage, with the name, if a T cannot hold it.
template <typename T>
void read_json(const JsonTree& json, std::string_view name, T& into) {
  if (!detail::fits<T>(json)) refuse_kind(json, name, detail::kind_of<T>());
  json.get_to(into);
}

/// A number, or its digits as a string, because readers that use doubles would change large ones.
void read_large(const JsonTree& json, std::string_view name, std::uint64_t& into);

/// Copies members of an object to the members of a record with the same names.
class JsonMembers {
 public:
  /// The tree must outlive this object.
  explicit JsonMembers(const JsonTree& json) : json_(json) {}

  /// Throws MalformedMessage if it is missing or a T cannot hold it.
  template <typename T>
  void operator()(const char* name, T& into) const {
    read_json(member_of(json_, name), name, into);
  }

  /// Leaves `into` unchanged if there is no such member.
  template <typename T>
  void if_there(const char* name, T& into) const {
    if (json_.contains(name)) read_json(json_[name], name, into);
  }

 private:
  const JsonTree& json_;
};

}  // namespace assay

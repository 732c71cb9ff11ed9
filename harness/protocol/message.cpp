// The names of error kinds and contracts, and the constructors of the four kinds of reply.
#include "harness/protocol/message.hpp"

#include <array>

namespace assay {
namespace {

template <typename Enum>
using NameRow = std::pair<Enum, std::string_view>;

constexpr std::array kKinds{
    NameRow<ErrorKind>{ErrorKind::kError, "error"},
    NameRow<ErrorKind>{ErrorKind::kNotImplemented, "not_implemented"},
    NameRow<ErrorKind>{ErrorKind::kInternal, "internal"},
    NameRow<ErrorKind>{ErrorKind::kSchema, "schema"},
    NameRow<ErrorKind>{ErrorKind::kDevice, "device"},
    NameRow<ErrorKind>{ErrorKind::kOutOfMemory, "out_of_memory"},
    NameRow<ErrorKind>{ErrorKind::kType, "type"},
    NameRow<ErrorKind>{ErrorKind::kValue, "value"},
    NameRow<ErrorKind>{ErrorKind::kIndex, "index"},
    NameRow<ErrorKind>{ErrorKind::kKey, "key"},
    NameRow<ErrorKind>{ErrorKind::kAttribute, "attribute"},
    NameRow<ErrorKind>{ErrorKind::kAssertion, "assertion"},
};
constexpr std::array kNamedReleases{
    NameRow<Release>{Release::k1_13, "1.13"}, NameRow<Release>{Release::k2_4, "2.4"},
    NameRow<Release>{Release::k2_11, "2.11"}, NameRow<Release>{Release::k2_12, "2.12"},
    NameRow<Release>{Release::k2_13, "2.13"}, NameRow<Release>{Release::k2_14, "2.14"},
    NameRow<Release>{Release::k2_15, "2.15"},
};
constexpr std::array kRules{
    NameRow<DeviceRules>{DeviceRules::kCpu, "cpu"},
    NameRow<DeviceRules>{DeviceRules::kCuda, "cuda"},
};
constexpr std::array kDeviations{
    NameRow<Deviations>{Deviations::kStrict, "strict"},
    NameRow<Deviations>{Deviations::kCompat, "compat"},
};

template <typename Rows, typename Enum>
std::string_view look_up_name(const Rows& rows, Enum wanted) {
  return rows[static_cast<std::size_t>(wanted)].second;
}

template <typename Enum, std::size_t count>
std::optional<Enum> look_up(const std::array<NameRow<Enum>, count>& rows, std::string_view name) {
  for (const auto& [value, text] : rows) {
    if (text == name) return value;
  }
  return std::nullopt;
}

bool is_below_error(ErrorKind kind) { return kind <= ErrorKind::kOutOfMemory; }

}  // namespace

std::string_view name_of(ErrorKind kind) { return look_up_name(kKinds, kind); }
std::string_view name_of(Release release) { return look_up_name(kNamedReleases, release); }
std::string_view name_of(DeviceRules rules) { return look_up_name(kRules, rules); }
std::string_view name_of(Deviations deviations) { return look_up_name(kDeviations, deviations); }
std::optional<ErrorKind> error_kind_named(std::string_view name) { return look_up(kKinds, name); }
std::optional<Release> release_named(std::string_view name) {
  return look_up(kNamedReleases, name);
}
std::vector<std::string> release_names() {
  std::vector<std::string> names;
  for (const Release release : kReleases) names.emplace_back(name_of(release));
  return names;
}
std::optional<DeviceRules> device_rules_named(std::string_view name) {
  return look_up(kRules, name);
}
std::optional<Deviations> deviations_named(std::string_view name) {
  return look_up(kDeviations, name);
}

bool satisfies(ErrorKind got, ErrorKind wanted) {
  if (got == wanted) return true;
  if (wanted == ErrorKind::kError) return is_below_error(got);
  const bool has_no_class = wanted == ErrorKind::kSchema || wanted == ErrorKind::kInternal;
  return has_no_class && got == ErrorKind::kError;
}

std::string to_text(const Contract& contract) {
  std::string text(name_of(contract.release));
  text += '/';
  text += name_of(contract.device_rules);
  text += '/';
  text += name_of(contract.deviations);
  return text;
}

Reply Reply::make_ok(Fields fields) {
  Reply reply;
  reply.ok = std::move(fields);
  return reply;
}

Reply Reply::make_error(ErrorKind kind, std::string message) {
  Reply reply;
  reply.status = Status::kError;
  reply.error = {kind, std::move(message), std::nullopt};
  return reply;
}

Reply Reply::make_unsupported(std::string reason) {
  Reply reply;
  reply.status = Status::kUnsupported;
  reply.reason = std::move(reason);
  return reply;
}

Reply Reply::make_invalid(std::string reason) {
  Reply reply;
  reply.status = Status::kInvalid;
  reply.reason = std::move(reason);
  return reply;
}

}  // namespace assay

// Converts optimizer settings to and from protocol values.
#include "cuda_impl/subject/optim/settings.hpp"

#include "harness/subject/arguments.hpp"

namespace assay::cuda {
namespace {

double real_from(const Value& value) {
  if (const auto* real = value.get_if<double>()) return *real;
  if (const auto* whole = value.get_if<std::int64_t>()) return static_cast<double>(*whole);
  throw InvalidArgument("betas are numbers, not " + std::string(kind_of(value)));
}

Setting betas_from(const std::vector<Value>& items) {
  if (items.size() != 2) throw InvalidArgument("two betas were expected");
  return Betas{real_from(items[0]), real_from(items[1])};
}

/// One overload for each kind of setting.
struct ToWaist {
  Value operator()(std::monostate) const { return {}; }
  Value operator()(const Betas& betas) const { return Tuple{{betas[0], betas[1]}}; }
  template <typename Plain>
  Value operator()(Plain plain) const {
    return plain;
  }
};

}  // namespace

Setting setting_from_waist(const Value& value) {
  if (value.is_none()) return {};
  if (const auto* truth = value.get_if<bool>()) return *truth;
  if (const auto* whole = value.get_if<std::int64_t>()) return *whole;
  if (const auto* real = value.get_if<double>()) return *real;
  if (const auto* list = value.get_if<List>()) return betas_from(list->items);
  if (const auto* tuple = value.get_if<Tuple>()) return betas_from(tuple->items);
  throw InvalidArgument("a setting cannot be " + std::string(kind_of(value)));
}

Value setting_to_waist(const Setting& setting) { return std::visit(ToWaist(), setting); }

Settings settings_from_waist(const Dict& dict) {
  Settings settings;
  for (const auto& [key, value] : dict.items) {
    const auto* name = key.get_if<std::string>();
    if (name == nullptr) throw InvalidArgument("settings have texts for names");
    if (*name != "params") settings.emplace(*name, setting_from_waist(value));
  }
  return settings;
}

}  // namespace assay::cuda

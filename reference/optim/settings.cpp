// The settings of a parameter group.
#include "reference/optim/settings.hpp"

#include "reference/core/types/error.hpp"

namespace assay::reference {

const Setting* Settings::find(std::string_view name) const {
  for (const Item& item : items_) {
    if (item.first == name) return &item.second;
  }
  return nullptr;
}

void Settings::set(std::string_view name, Setting value) {
  for (Item& item : items_) {
    if (item.first != name) continue;
    item.second = std::move(value);
    return;
  }
  items_.emplace_back(name, std::move(value));
}

void Settings::complete(const Settings& others) {
  for (const Item& item : others.items_) {
    if (find(item.first) == nullptr) items_.push_back(item);
  }
}

const Setting& Settings::need(std::string_view name) const {
  const Setting* found = find(name);
  check(found != nullptr, ErrorKind::kKey, [&] { return "'" + std::string(name) + "'"; });
  return *found;
}

double Settings::real(std::string_view name) const {
  const Setting& found = need(name);
  if (const auto* whole = std::get_if<std::int64_t>(&found)) return static_cast<double>(*whole);
  const auto* real = std::get_if<double>(&found);
  check(real != nullptr, ErrorKind::kType,
        [&] { return "a number was expected for '" + std::string(name) + "'"; });
  return *real;
}

bool Settings::is_on(std::string_view name) const {
  const Setting* found = find(name);
  const auto* truth = found == nullptr ? nullptr : std::get_if<bool>(found);
  return truth != nullptr && *truth;
}

double Settings::real_in(std::string_view name, std::size_t index) const {
  const auto* numbers = std::get_if<std::vector<double>>(&need(name));
  check(numbers != nullptr && index < numbers->size(), ErrorKind::kType,
        [&] { return "more numbers were expected for '" + std::string(name) + "'"; });
  return (*numbers)[index];
}

}  // namespace assay::reference

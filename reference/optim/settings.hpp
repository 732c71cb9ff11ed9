// The settings of a parameter group, by the names that PyTorch gives them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace assay::reference {

/// None, a truth, a whole or a real number, or several (`betas`).
using Setting = std::variant<std::monostate, bool, std::int64_t, double, std::vector<double>>;

class Settings {
 public:
  using Item = std::pair<std::string, Setting>;

  Settings() = default;
  Settings(std::initializer_list<Item> items) : items_(items) {}

  /// Null where there is none.
  const Setting* find(std::string_view name) const;
  void set(std::string_view name, Setting value);
  /// Takes over what `others` has and this lacks.
  void complete(const Settings& others);
  const std::vector<Item>& items() const { return items_; }

  /// Whole or real. Raises `key` where there is none, `type` for another kind.
  double real(std::string_view name) const;
  /// False for None, too, and where there is none.
  bool is_on(std::string_view name) const;
  /// One of the numbers of a list. Raises as `real` does.
  double real_in(std::string_view name, std::size_t index) const;

 private:
  const Setting& need(std::string_view name) const;

  std::vector<Item> items_;
};

}  // namespace assay::reference

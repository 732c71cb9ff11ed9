// The settings of a parameter group, by PyTorch's names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "reference/core/tensor/tensor.hpp"

namespace assay::reference {

/// None, a bool, an int, a float, a list of floats (`betas`), or a tensor (`lr`).
using Setting =
    std::variant<std::monostate, bool, std::int64_t, double, std::vector<double>, Tensor>;

class Settings {
 public:
  using Item = std::pair<std::string, Setting>;

  Settings() = default;
  Settings(std::initializer_list<Item> items) : items_(items) {}

  /// Null for an unknown name.
  const Setting* find(std::string_view name) const;
  void set(std::string_view name, Setting value);
  /// Adds the settings of `others` that are missing here.
  void complete(const Settings& others);
  const std::vector<Item>& items() const { return items_; }

  /// Accepts ints and floats. Raises `key` for a missing setting, `type` for another kind.
  double real(std::string_view name) const;
  /// False if the setting is None or missing.
  bool is_on(std::string_view name) const;
  /// Returns a list's element. Raises like `real`.
  double real_in(std::string_view name, std::size_t index) const;

 private:
  const Setting& need(std::string_view name) const;

  std::vector<Item> items_;
};

}  // namespace assay::reference

// Parses shares.
#include "harness/compare/share.hpp"

#include <charconv>

namespace assay::compare {

std::optional<double> share_from_text(std::string_view text) {
  double value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || !(value >= 0)) return std::nullopt;
  const std::string_view rest(stop, static_cast<std::size_t>(text.data() + text.size() - stop));
  if (rest == "%" || rest == " %") return value < 1e6 ? std::optional(value / 100) : std::nullopt;
  return rest.empty() && value < 1 ? std::optional(value) : std::nullopt;
}

}  // namespace assay::compare

// Parses shares such as `2%` or `0.02`, as used for margins.
#pragma once

#include <optional>
#include <string_view>

namespace assay::compare {

/// `2%`, `2 %` and `0.02` give 0.02. Nothing for text that is not a number, negative numbers, and
/// bare numbers of 1 or more, which were probably meant as percentages.
std::optional<double> share_from_text(std::string_view text);

}  // namespace assay::compare

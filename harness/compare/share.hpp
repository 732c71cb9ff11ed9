// Margins as people write them: `2%` or `0.02`.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace assay::compare {

/// `2%`, `2 %` and `0.02` are 0.02. Nothing for what is not a number, negative, or a bare number of
/// 1 and more, which was meant as percent.
std::optional<double> share_from_text(std::string_view text);

}  // namespace assay::compare

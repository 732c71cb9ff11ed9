// Row effects of a two-way table, by Tukey's median polish.
#pragma once

#include <vector>

namespace assay::stats {

/// The effect of each row, separated from the columns' effects. The model is `rows[r][c]` =
/// effect[r] + column[c] + noise; the medians of columns and rows are subtracted in turns. One
/// outlier value, or one outlier row among three or more, changes no other row's effect. The
/// effects sum to 0. All rows are equally long, and none is empty.
std::vector<double> row_effects(const std::vector<std::vector<double>>& rows);

}  // namespace assay::stats

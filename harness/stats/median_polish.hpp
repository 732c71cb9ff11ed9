// Row effects of a two-way table, by Tukey's median polish.
#pragma once

#include <vector>

namespace assay::stats {

/// What is left of each row when the column effects are taken out: `rows[r][c]` is taken for
/// effect[r] + column[c] + noise, and medians are swept out of columns and rows by turns. One wild
/// value, or one wild row among three or more, moves no other row's effect. The effects add up to
/// 0. All rows are equally long, and none is empty.
std::vector<double> row_effects(const std::vector<std::vector<double>>& rows);

}  // namespace assay::stats

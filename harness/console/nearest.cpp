// Ranks names by edit distance.
#include "harness/console/nearest.hpp"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <utility>

namespace assay {
namespace {

/// The edit distance: letters changed, added, removed, or swapped with a neighbour.
std::size_t edits(std::string_view left, std::string_view right) {
  std::vector<std::size_t> before;
  std::vector<std::size_t> above(right.size() + 1);
  std::iota(above.begin(), above.end(), std::size_t{0});
  for (std::size_t i = 1; i <= left.size(); ++i) {
    std::vector<std::size_t> row(right.size() + 1, i);
    for (std::size_t j = 1; j <= right.size(); ++j) {
      const std::size_t replaced = above[j - 1] + (left[i - 1] == right[j - 1] ? 0 : 1);
      row[j] = std::min({row[j - 1] + 1, above[j] + 1, replaced});
      const bool swapped =
          i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before = std::exchange(above, std::move(row));
  }
  return above.back();
}

bool is_same_but_for_case(std::string_view left, std::string_view right) {
  const auto lower = [](char letter) {
    return letter >= 'A' && letter <= 'Z' ? letter + 32 : letter;
  };
  return std::ranges::equal(left, right, {}, lower, lower);
}

}  // namespace

std::vector<std::string> nearest(const std::string& name, const std::vector<std::string>& names,
                                 std::size_t most) {
  const auto same = std::ranges::find_if(
      names, [&](const std::string& known) { return is_same_but_for_case(name, known); });
  if (same != names.end()) return {*same};
  std::vector<std::pair<std::size_t, std::string>> ranked;
  for (const std::string& known : names) {
    const bool contained = !name.empty() && known.find(name) != std::string::npos;
    const std::size_t distance = contained ? 1 : edits(name, known);
    if (distance * 3 <= std::max(name.size(), known.size())) ranked.emplace_back(distance, known);
  }
  std::sort(ranked.begin(), ranked.end());
  std::vector<std::string> near;
  for (const auto& [distance, known] : ranked) {
    if (near.size() < most) near.push_back(known);
  }
  return near;
}

std::string suggestion(const std::string& name, const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& near : nearest(name, names)) text += (text.empty() ? "" : ", ") + near;
  return text.empty() ? "" : "; did you mean " + text + "?";
}

}  // namespace assay

// What is said of a GPU whose costs are apart from its neighbours'.
#pragma once

#include <string>
#include <vector>

#include "harness/fleet/costs.hpp"

namespace assay::fleet {

/// `a, b, c and 4 more`
std::string some_of(const std::vector<std::string>& names);

/// A GPU in its group.
class Explanation {
 public:
  Explanation(const Fleet& fleet, const Group& group, const Gpu& gpu, const JudgeOptions& options)
      : fleet_(fleet), group_(group), gpu_(gpu), options_(options) {}

  /// Adds the times of both sides, replaces keys of rows by names, and puts families and the
  /// largest differences first.
  void fill_in(std::vector<Difference>& differences) const;

  /// What the families say together, then each difference.
  std::vector<std::string> sentences(const CostFindings& found) const;
  static std::string sentence_of(const Difference& one);

 private:
  std::string summary_of(const CostFindings& found) const;
  std::string summary_of_slow(const CostFindings& found,
                              const std::vector<std::string>& slow) const;
  std::vector<double> of_others(double (*value)(const Gpu&)) const;
  double host_ratio() const;

  const Fleet& fleet_;
  const Group& group_;
  const Gpu& gpu_;
  const JudgeOptions& options_;
};

}  // namespace assay::fleet

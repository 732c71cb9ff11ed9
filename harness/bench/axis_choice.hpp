// Values of an axis that a user chooses: `N[pow2]=[10:28:2]`, `dtype=[f16,bf16]`.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "harness/measure/axes.hpp"

namespace assay::bench {

struct AxisChoice {
  std::string name;
  std::vector<measure::AxisValue> values;
};

/// What was typed is not a choice, or one that no case has.
class WrongAxis : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// As NVBench's `--axis`: NAME=VALUE, NAME=[VALUE,VALUE], NAME=[FIRST:LAST:STEP] (LAST included,
/// STEP 1 where it is left out), and NAME[pow2] for exponents of two. Throws WrongAxis.
AxisChoice parse_axis_choice(std::string_view text);

/// The axes with the chosen values in place of their own; nothing where an axis can have none of
/// what was chosen for it.
std::optional<std::vector<measure::Axis>> chosen(std::vector<measure::Axis> axes,
                                                 const std::vector<AxisChoice>& choices);

/// Throws WrongAxis for a choice of an axis, or of a value, that no case has.
void refuse_unknown_axes(const std::vector<AxisChoice>& choices);

}  // namespace assay::bench

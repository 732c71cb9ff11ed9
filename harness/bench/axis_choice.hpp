// Axis values chosen on the command line: `N[pow2]=[10:28:2]`, `dtype=[f16,bf16]`.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "harness/measure/loops.hpp"

namespace assay::bench {

struct AxisChoice {
  std::string name;
  std::vector<measure::AxisValue> values;
};

/// The text is not a valid choice, or no case has the chosen axis or value.
class WrongAxis : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The syntax of NVBench's `--axis`: NAME=VALUE, NAME=[VALUE,VALUE], NAME=[FIRST:LAST:STEP] (LAST
/// included, STEP 1 by default), and NAME[pow2] for exponents of two. Throws WrongAxis.
AxisChoice parse_axis_choice(std::string_view text);

/// `axes` with the values of each chosen axis replaced by the chosen ones; nothing if an axis
/// supports none of the values chosen for it.
std::optional<std::vector<measure::Axis>> chosen(std::vector<measure::Axis> axes,
                                                 const std::vector<AxisChoice>& choices);

/// Throws WrongAxis if no case has a chosen axis or a chosen value.
void refuse_unknown_axes(const std::vector<AxisChoice>& choices);

}  // namespace assay::bench

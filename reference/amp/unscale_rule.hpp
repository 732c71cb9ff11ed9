// Unscales one element, as plain arithmetic.
#pragma once

#include "reference/core/types/dtype.hpp"

namespace assay::reference {

/// The result before the rounding to the element's type, which the store performs (AMP-202).
struct UnscaledElement {
  double value = 0;
  bool is_written = false;  ///< false: the element keeps its bits (AMP-204)
  bool is_bad = false;      ///< the input was not finite (AMP-205, AMP-207)
};

/// `tests_as_float`: CUDA narrows a double for the test only (AMP-209).
UnscaledElement unscale_element(ScalarType type, double value, float inv_scale,
                                bool tests_as_float);

}  // namespace assay::reference

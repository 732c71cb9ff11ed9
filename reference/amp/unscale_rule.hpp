// What unscaling does to one element, on plain numbers.
#pragma once

#include "reference/core/types/dtype.hpp"

namespace assay::reference {

/// What is to be stored; the narrowing to the element's type is done by whoever stores (AMP-202).
struct UnscaledElement {
  double value = 0;
  bool is_written = false;  ///< false: the element keeps its bits (AMP-204)
  bool is_bad = false;      ///< the *input* was not finite (AMP-205, AMP-207)
};

/// `tests_as_float`: CUDA narrows a double for the test, and only for it (AMP-209).
UnscaledElement unscale_element(ScalarType type, double value, float inv_scale,
                                bool tests_as_float);

}  // namespace assay::reference

// The plugin `assay-libtorch.so`: PyTorch's C++ library answers the waist in the process that loads
// it.
#include "harness/adapters/libtorch/subject.hpp"
#include "harness/subject/plugin_export.hpp"

ASSAY_EXPORT_SUBJECT([] { return assay::libtorch::make_subject(); })

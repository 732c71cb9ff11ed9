// The plugin `assay-libtorch.so`: serves PyTorch's C++ library in the process that loads
// it.
#include "harness/adapters/libtorch/subject.hpp"
#include "harness/subject/plugin_export.hpp"

ASSAY_EXPORT_SUBJECT([] { return assay::libtorch::make_subject(); })

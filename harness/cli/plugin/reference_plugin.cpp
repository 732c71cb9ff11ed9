// The reference as a plugin, used to test that transport with every suite.
#include "harness/subject/plugin_export.hpp"
#include "reference/subject/reference_subject.hpp"

ASSAY_EXPORT_SUBJECT([] { return assay::reference::make_subject(); })

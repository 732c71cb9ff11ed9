// The toy subject as a plugin: what a plugin's source looks like, and what the tests load.
#include "harness/subject/plugin_export.hpp"
#include "harness/subject/toy_subject.hpp"

ASSAY_EXPORT_SUBJECT([] { return std::make_unique<assay::ToySubject>(); })

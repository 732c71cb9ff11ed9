// The toy subject as a plugin: an example of a plugin's source, loaded by tests.
#include "harness/subject/plugin_export.hpp"
#include "harness/subject/toy_subject.hpp"

ASSAY_EXPORT_SUBJECT([] { return std::make_unique<assay::ToySubject>(); })

// The subject as a shared library: `assay run --subject ./my_runtime.so`.
#include <assay/subject/plugin_export.hpp>

#include "my_subject.hpp"

ASSAY_EXPORT_SUBJECT(make_my_subject)

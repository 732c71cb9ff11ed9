# Writes a C++ file with the current commit. Runs at every build; the file changes only if the commit does.
execute_process(COMMAND git -C ${SOURCE} rev-parse --short=12 HEAD OUTPUT_VARIABLE revision OUTPUT_STRIP_TRAILING_WHITESPACE
                ERROR_QUIET RESULT_VARIABLE failed)
if(failed)
  set(revision unknown)
endif()
execute_process(COMMAND git -C ${SOURCE} status --porcelain --untracked-files=no OUTPUT_VARIABLE changes ERROR_QUIET)
if(changes STREQUAL "")
  set(dirty false)
else()
  set(dirty true)
endif()
set(text "// Generated: which commit the program was built from.
#include \"harness/report/build_info.hpp\"

namespace assay::report {

std::string_view git_revision() { return \"${revision}\"; }
bool git_dirty() { return ${dirty}; }

}  // namespace assay::report
")
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "${text}" @ONLY)

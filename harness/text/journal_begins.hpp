// How the journal of a run begins: whoever would overwrite a file can tell one by it.
#pragma once

#include <string_view>

namespace assay {

inline constexpr std::string_view kJournalBegins = R"({"journal":1,)";

}  // namespace assay

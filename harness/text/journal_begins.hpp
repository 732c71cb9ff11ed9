// The first bytes of a run's journal, by which other code detects one before overwriting a file.
#pragma once

#include <string_view>

namespace assay {

inline constexpr std::string_view kJournalBegins = R"({"journal":1,)";

}  // namespace assay

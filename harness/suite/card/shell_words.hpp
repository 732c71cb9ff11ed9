// Quotes text that a user can paste into a shell.
#pragma once

#include <string>
#include <string_view>

namespace assay {

/// One word for a POSIX shell, always in quotes.
std::string shell_quoted(std::string_view text);

/// The same, without quotes if no character is special to a shell.
std::string shell_word(std::string_view text);

}  // namespace assay

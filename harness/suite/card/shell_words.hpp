// Text that a user can paste into a shell.
#pragma once

#include <string>
#include <string_view>

namespace assay {

/// One word for a POSIX shell, in quotes, whatever is in it.
std::string shell_quoted(std::string_view text);

/// The same, without quotes where no character of it means anything to a shell.
std::string shell_word(std::string_view text);

}  // namespace assay

// Command lines for the user to repeat: words quoted for a shell, and the name by which this
// program can be called again.
#pragma once

#include <string>
#include <string_view>

namespace assay {

/// One word for a POSIX shell, always in quotes.
std::string shell_quoted(std::string_view text);

/// The same, without quotes if no character is special to a shell.
std::string shell_word(std::string_view text);

/// Quoted for a shell, for command lines to be repeated; `assay` until it is set.
const std::string& program_name();

/// The path of this program's file.
const std::string& program_path();

/// The absolute path by which others call this program: of the script that has become it, named in
/// ASSAY_CALLED_BY, since the script knows which Python is meant; else of the program itself.
std::string command_path();

/// Computed from `argv[0]` of main, or from the script that has become this program: its last part
/// if that finds this very program in PATH, else the path as typed, else `command_path()`. To be
/// called before there are threads.
void set_program_name(const std::string& argv0);

}  // namespace assay

// The programs and libraries of this project that lie near this one.
#pragma once

#include <filesystem>
#include <string_view>

namespace assay {

/// Where the file of that name is: beside this program, as in a build folder, or in the folder that
/// an installation keeps for what nobody calls by hand. It need not be there.
std::filesystem::path companion(std::string_view name);

/// This program itself.
std::filesystem::path this_program();

}  // namespace assay

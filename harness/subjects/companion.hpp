// The project's other programs and libraries.
#pragma once

#include <filesystem>
#include <string_view>

namespace assay {

/// The path of a companion file: next to this program, as in a build folder, or in the
/// installation's folder for helper programs. It may not exist.
std::filesystem::path companion(std::string_view name);

/// Lets subjects in Python import `assay.subject`, by the environment that they inherit. To be
/// called before there are threads.
void offer_python_package();

/// This program itself.
std::filesystem::path this_program();

}  // namespace assay

// What must not be shown: secrets in command lines.
#pragma once

#include <string>
#include <vector>

namespace assay {

/// `text` with `***` for each of `secrets`, the longest first.
std::string redacted(std::string text, const std::vector<std::string>& secrets);

}  // namespace assay

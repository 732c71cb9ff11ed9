// Hides secrets in command lines that are shown or recorded.
#pragma once

#include <string>
#include <vector>

namespace assay {

/// `text` with each of `secrets` replaced by `***`, the longest first.
std::string redacted(std::string text, const std::vector<std::string>& secrets);

}  // namespace assay

// Limits the size of texts that come from a subject.
#pragma once

#include <cstddef>
#include <string>

#include "harness/suite/runner/outcome.hpp"

namespace assay {

/// `text` if it has at most `most_bytes`; else its beginning and its original size.
std::string excerpt(std::string text, std::size_t most_bytes);

/// Limits the texts of the failure, each reply, and all replies together. A truncated reply keeps
/// its id, its status, and the beginning of its text.
void shorten(CaseResult& result);

}  // namespace assay

// The page's style sheet and script, compiled into the program.
#pragma once

#include <span>
#include <string_view>

#include "harness/protocol/embedded.hpp"

namespace assay {

/// style.css and script.js.
std::span<const EmbeddedFile> page_sources();

namespace page {

/// Throws std::logic_error if there is no such file.
std::string_view page_source(std::string_view name);

}  // namespace page
}  // namespace assay

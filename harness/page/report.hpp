// Writes a report: one page, or the same records as Markdown or CSV; and what all pages of the
// program are made with: a style sheet and a script, compiled into it.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "harness/page/data/sources.hpp"
#include "harness/protocol/embedded.hpp"

namespace assay {

/// style.css and script.js.
std::span<const EmbeddedFile> page_sources();

namespace page {

/// Throws std::logic_error if there is no such file.
std::string_view page_source(std::string_view name);

}  // namespace page

}  // namespace assay

namespace assay::page {

/// The whole page. Deterministic: equal reports give equal pages.
std::string to_html(Report report);

/// Each record as Markdown, one after the other, followed by the comparison of benches.
std::string to_markdown(Report report);

/// One line for each result of a case and for each measurement, after a header line.
std::string to_csv(Report report);

}  // namespace assay::page

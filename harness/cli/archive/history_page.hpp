// A history as a page: each series as a small drawing with its changes.
#pragma once

#include <string>

#include "harness/archive/history.hpp"

namespace assay::cli {

/// HTML without scripts and other files, which can be printed. Series that have changed come first;
/// of the others, as many are drawn as a page bears.
std::string to_html(const archive::History& history, const archive::Since* since,
                    const std::string& line);

}  // namespace assay::cli

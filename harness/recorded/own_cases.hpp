// User-defined cases, which need no build: the folders of --cases.
#pragma once

#include <string>

namespace assay {

/// Registers every program in the `.jsonl` files of `folder` as a case. Throws UsageError, with
/// file, line and reason, if one is invalid or has an invalid id or an unknown clause.
void load_own_cases(const std::string& folder);

}  // namespace assay

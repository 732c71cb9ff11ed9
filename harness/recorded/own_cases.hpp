// Cases that users bring without building anything: the folders behind --cases.
#pragma once

#include <string>
#include <vector>

namespace assay {

/// Registers every program in the `.jsonl` files of `folder` as a case. Throws UsageError with
/// file, line and reason when one is wrong, or has an id or names a clause that it cannot have.
void load_own_cases(const std::string& folder);

}  // namespace assay

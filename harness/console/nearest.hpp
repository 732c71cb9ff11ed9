// "Did you mean": suggests the known names nearest to an unknown one.
#pragma once

#include <string>
#include <vector>

namespace assay {

/// At most `most` of `names`, nearest first by edit distance, without names that are too different.
/// If a name differs only in case, it is the only result.
std::vector<std::string> nearest(const std::string& name, const std::vector<std::string>& names,
                                 std::size_t most = 3);

/// `; did you mean a, b?`, or empty if no name is similar.
std::string suggestion(const std::string& name, const std::vector<std::string>& names);

}  // namespace assay

// "Did you mean": the known names nearest to one that is not known.
#pragma once

#include <string>
#include <vector>

namespace assay {

/// At most `most` of `names`, nearest first by edits; names that have too little in common are left
/// out. One that differs in capitals only is the only one.
std::vector<std::string> nearest(const std::string& name, const std::vector<std::string>& names,
                                 std::size_t most = 3);

/// `; did you mean a, b?`, or nothing when no name is near.
std::string suggestion(const std::string& name, const std::vector<std::string>& names);

}  // namespace assay

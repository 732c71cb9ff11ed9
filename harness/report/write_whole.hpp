// Files that are valid whenever they exist: written beside, then renamed.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace assay::report {

/// The file cannot be written; `what()` says which and why.
class CannotWrite : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Is it the name of a descriptor of this process: /dev/stdout, /dev/fd/3?
bool is_descriptor(const std::string& path);

/// Throws CannotWrite where there is the journal of a run: it may hold hours of work.
void refuse_journal(const std::string& path);

/// Throws CannotWrite where `write_whole` would fail now, or would have to make the file's folder.
/// Leaves nothing.
void check_can_write(const std::string& path);

/// For output that is written after hours: throws CannotWrite where `write_whole` would fail now.
/// Folders that it would make may be missing, and no path is nothing to write.
void refuse_unwritable(const std::string& path);

/// Replaces the file in one step; makes its folders. A link stays one; what is not a file (a pipe,
/// /dev/null, /dev/stdout) is written into. Throws CannotWrite, and leaves the old file then, as it
/// leaves the journal of a run.
void write_whole(const std::string& path, std::string_view text);

}  // namespace assay::report

// Writes files atomically: to a temporary file that is then renamed.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace assay::report {

/// The file cannot be written; `what()` names it and the reason.
class CannotWrite : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The absolute path of the file that is written: links are followed, also one whose target does
/// not exist yet.
std::string written_path(const std::string& path);

/// True for the name of a descriptor of this process: /dev/stdout, /dev/fd/3.
bool is_descriptor(const std::string& path);

/// Throws CannotWrite if the path is the journal of a run, which may hold hours of work.
void refuse_journal(const std::string& path);

/// Throws CannotWrite if `write_whole` would fail now. Leaves no file.
void check_can_write(const std::string& path);

/// For output written after hours: both of the above. An empty path means no output.
void refuse_unwritable(const std::string& path);

/// Replaces the file atomically; its folder must exist. Keeps symbolic links; writes into special
/// files (a pipe, /dev/null, /dev/stdout). Throws CannotWrite and then keeps the old file, and
/// never overwrites the journal of a run.
void write_whole(const std::string& path, std::string_view text);

}  // namespace assay::report

// Stands in for the archive in builds without SQLite.
#include "harness/archive/archive.hpp"

#include "harness/console/usage_error.hpp"

namespace assay::archive {

class Archive::Store {};

bool Choice::chooses_all() const { return false; }

Archive::Archive(const std::string&, Access) {
  throw UsageError(
      "this build has no archive: CMake found no SQLite (on Debian, install libsqlite3-dev and "
      "build again)");
}
Archive::~Archive() = default;
bool Archive::add(const Entry&) { return false; }
std::set<std::string> Archive::hashes() { return {}; }
std::vector<Listed> Archive::list(const Choice&) { return {}; }
void Archive::each_text(const Choice&, const std::function<void(const std::string&)>&) {}
std::size_t Archive::remove(const Choice&) { return 0; }
std::vector<SeriesName> Archive::series() { return {}; }
std::vector<Point> Archive::points(const SeriesName&) { return {}; }
std::vector<Failed> Archive::failed() { return {}; }
std::vector<Judged> Archive::judged() { return {}; }
std::vector<std::string> Archive::plans() { return {}; }

}  // namespace assay::archive

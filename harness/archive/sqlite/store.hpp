// The open file of an archive: its tables made and checked, and records added to them.
#pragma once

#include <map>
#include <string>

#include "harness/archive/archive.hpp"
#include "harness/archive/sqlite/database.hpp"

namespace assay::archive {

class Archive::Store {
 public:
  Store(const std::string& path, Access access);

  bool add(const Entry& entry);
  Statement& prepared(const std::string& sql);

  const Circumstances& circumstances_of(std::int64_t subject);

  Database database;

 private:
  void make_tables();
  void check_version(long application, long version) const;
  void check_tables();
  void add_devices(std::int64_t record, const std::vector<report::BenchDevice>& devices);
  void add_run(std::int64_t record, const Entry& entry);
  void add_bench(std::int64_t record, const Entry& entry);
  std::int64_t series_of(const report::BenchMeasurement& measurement, const std::string& subject,
                         const std::string& contract);

  std::map<std::string, Statement> statements_;
  std::map<std::int64_t, Circumstances> circumstances_;  ///< those read already, by subject
};

}  // namespace assay::archive

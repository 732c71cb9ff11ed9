// Makes the tables, and adds records to them.
#include "harness/archive/sqlite/store.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "harness/archive/sqlite/schema.hpp"
#include "harness/console/folders.hpp"
#include "harness/console/usage_error.hpp"

namespace assay::archive {
namespace {

Database::Access access_of(const std::string& path, Archive::Access access) {
  if (access == Archive::Access::kAdd) return Database::Access::kMake;
  if (!is_there(path)) {
    throw UsageError(
        fmt::format("there is no archive {}; `assay archive add {} RECORD` makes one", path, path));
  }
  // A reader must be able to undo what a killed writer has left.
  return Database::Access::kWrite;
}

std::string known(const std::string& revision) { return revision == "unknown" ? "" : revision; }

/// A JSON array.
std::string list_of(const std::vector<report::BenchProcess>& processes) {
  std::string text = "[";
  for (const report::BenchProcess& process : processes) {
    text += fmt::format("{}{}", text.size() == 1 ? "" : ",", process.median);
  }
  return text + "]";
}

std::optional<double> median_clock(const std::vector<report::BenchProcess>& processes) {
  std::vector<std::int64_t> clocks;
  for (const report::BenchProcess& process : processes) {
    if (process.sm_clock_mhz) clocks.push_back(*process.sm_clock_mhz);
  }
  if (clocks.empty()) return std::nullopt;
  std::ranges::sort(clocks);
  return static_cast<double>(clocks[clocks.size() / 2]);
}

std::optional<std::string> first_throttling(const std::vector<report::BenchProcess>& processes) {
  for (const report::BenchProcess& process : processes) {
    if (process.throttled_by) return process.throttled_by;
  }
  return std::nullopt;
}

std::string name_of_status(report::BenchStatus status) {
  std::string name(report::name_of(status));
  std::ranges::replace(name, ' ', '_');
  return name;
}

/// The UUID of the GPU that was measured; the names of the GPUs, each once, if it is unknown.
std::string gpu_of(const std::vector<report::BenchDevice>& devices) {
  const report::BenchDevice* used = report::used_device(devices);
  if (used != nullptr && used->uuid) return *used->uuid;
  std::vector<std::string> names;
  for (const report::BenchDevice& device : devices) {
    if (std::ranges::find(names, device.name) == names.end()) names.push_back(device.name);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

const std::string& or_else(const std::string& label, const std::string& otherwise) {
  return label.empty() ? otherwise : label;
}

/// What a subject calls itself, unless two of the record do: then as typed.
template <typename Subjects, typename IsOther>
std::string joined_name(const Subjects& subjects, const auto& subject, const IsOther& is_other) {
  const auto shares = [&](const auto& other) {
    return is_other(other) && other.name == subject.name;
  };
  const bool is_unique = std::ranges::count_if(subjects, shares) <= 1;
  return is_unique && !subject.name.empty() ? subject.name : subject.subject;
}

/// The names behind each `CREATE TABLE `, or `INDEX `, in the schema, in quotes and with commas.
std::string names_behind(std::string_view what) {
  std::string names;
  std::string_view rest(kSchema);
  for (std::size_t at = rest.find(what); at != std::string_view::npos; at = rest.find(what)) {
    rest.remove_prefix(at + what.size());
    names += fmt::format("{}'{}'", names.empty() ? "" : ", ", rest.substr(0, rest.find(' ')));
  }
  return names;
}

}  // namespace

Archive::Store::Store(const std::string& path, Access access)
    : database(path, access_of(path, access)) {
  database.run("PRAGMA foreign_keys = ON");
  if (access == Access::kRead) database.run("PRAGMA query_only = ON");
  const long application = database.number("PRAGMA application_id");
  if (application == 0 && access == Access::kAdd) make_tables();
  check_version(database.number("PRAGMA application_id"), database.number("PRAGMA user_version"));
  check_tables();
}

void Archive::Store::make_tables() {
  Transaction transaction(database);
  // Another writer may have made them since.
  if (database.number("SELECT count(*) FROM sqlite_schema") > 0) return;
  database.run(kSchema);
  database.run(
      fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", kApplication, kVersion)
          .c_str());
  transaction.commit();
}

void Archive::Store::check_version(long application, long version) const {
  const std::string& path = database.path();
  if (application != kApplication) {
    throw UsageError(fmt::format("{} is an SQLite file, but no archive of assay", path));
  }
  if (version > kVersion) {
    throw UsageError(
        fmt::format("{} is an archive of version {}, and this assay knows versions up to {}.\n"
                    "  A newer one made it, whose tables may mean something else: use that one, or "
                    "let it export the records, and add them to a new archive here.",
                    path, version, kVersion));
  }
}

/// A view or a virtual table in the place of a table may have no end, and what an index or a column
/// computes may take any time.
void Archive::Store::check_tables() {
  const std::string tables = names_behind("CREATE TABLE ");
  const std::string ours = fmt::format("lower(s.tbl_name) IN ({})", tables);
  const auto count = [&](const std::string& rows) {
    return database.number("SELECT count(*) FROM sqlite_schema s" + rows);
  };
  const bool has_others =
      count(fmt::format(" WHERE s.type = 'index' AND s.sql IS NOT NULL AND {} AND s.name NOT IN "
                        "({})",
                        ours, names_behind("INDEX "))) > 0;
  const bool computes =
      count(", pragma_index_xinfo(s.name) x WHERE s.type = 'index' AND x.cid = -2 AND " + ours) +
          count(", pragma_table_xinfo(s.name) x WHERE s.type = 'table' AND x.hidden <> 0 AND " +
                ours) >
      0;
  const std::int64_t there =
      count(" WHERE s.type = 'table' AND s.sql LIKE 'CREATE TABLE %' AND " + ours);
  if (there == std::ranges::count(tables, ',') + 1 && !has_others && !computes) return;
  throw UsageError(
      fmt::format("{} has other tables or indices than an archive of assay", database.path()));
}

Statement& Archive::Store::prepared(const std::string& sql) {
  return statements_.try_emplace(sql, database, sql).first->second;
}

bool Archive::Store::add(const Entry& entry) {
  Transaction transaction(database);
  Statement& find = prepared("SELECT 1 FROM record WHERE hash = ?");
  const bool is_known = find.bind(1, entry.hash).step();
  find.reset();
  if (is_known) return false;
  Statement& insert = prepared(
      "INSERT INTO record (hash, kind, file, started, synthetic, complete, quick, machine, gpu, "
      "host, cpu, cores, kernel, virtualization, governor, smt, aslr, load_start, load_end, "
      "driver, "
      "processes, min_time_ns, samples, device_clock, null_call_ns, tool, revision, exit_code, "
      "line, text) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, "
      "?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24, ?25, ?26, ?27, ?28, ?29, ?30)");
  insert.bind(1, entry.hash).bind(2, entry.run ? "run" : "bench").bind(3, entry.file);
  insert.bind_bytes(30, entry.packed);
  if (entry.run) {
    const report::RunRecord& run = *entry.run;
    const report::Environment& on = run.environment;
    const std::string described = fmt::format("{}, {} cores", on.cpu, on.cores);
    insert.bind(4, run.started).bind(5, false).bind(6, run.exit_code != 130).bind(7, false);
    insert.bind(8, or_else(entry.labels.machine, described))
        .bind(9, or_else(entry.labels.gpu, gpu_of(on.devices)));
    insert.bind(10, on.host).bind(11, on.cpu).bind(12, std::int64_t{on.cores}).bind(13, on.kernel);
    for (int i = 14; i <= 25; ++i) insert.bind_null(i);
    insert.bind(20, on.driver).bind(26, on.version).bind(27, known(on.revision));
    insert.bind(28, std::int64_t{run.exit_code}).bind(29, run.line);
  } else {
    const report::BenchRecord& bench = *entry.bench;
    const report::BenchEnvironment& on = bench.environment;
    const report::BenchMeta& meta = bench.meta;
    insert.bind(4, meta.started).bind(5, bench.synthetic);
    insert.bind(6, meta.complete && !meta.interrupted).bind(7, meta.quick);
    insert.bind(8, or_else(entry.labels.machine, on.machine));
    insert.bind(9, or_else(entry.labels.gpu, gpu_of(on.devices))).bind_null(10).bind(11, on.cpu);
    insert.bind(12, on.cores).bind(13, on.kernel).bind(14, on.virtualization).bind(15, on.governor);
    insert.bind(16, on.smt).bind(17, on.aslr).bind(18, on.load_start).bind(19, on.load_end);
    insert.bind(20, on.driver).bind(21, meta.processes).bind(22, meta.min_time_ns);
    insert.bind(23, meta.samples).bind(24, meta.device_clock);
    const auto& call = bench.calibration.null_call_ns;
    insert.bind(25, call ? std::optional(call->center) : std::nullopt);
    insert.bind(26, meta.build.tool).bind(27, known(meta.build.revision));
    insert.bind(28, std::int64_t{meta.exit_code}).bind(29, meta.line);
  }
  insert.run();
  const std::int64_t record = database.last_id();
  entry.run ? add_run(record, entry) : add_bench(record, entry);
  transaction.commit();
  return true;
}

constexpr const char* kInsertSubject =
    "INSERT INTO subject (record, subject, typed, name, version, contract, via, copy_of, "
    "commit_id, "
    "dirty, build_type, compiler, flags, program, verdict, exit_code, line) VALUES (?1, ?2, ?3, "
    "?4, "
    "?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)";

void Archive::Store::add_run(std::int64_t record, const Entry& entry) {
  const report::RunRecord& run = *entry.run;
  const report::Environment& built = run.environment;
  add_devices(record, built.devices);
  for (const report::SubjectRecord& subject : run.subjects) {
    Statement& insert = prepared(kInsertSubject);
    const auto any = [](const report::SubjectRecord&) { return true; };
    insert.bind(1, record).bind(2, joined_name(run.subjects, subject, any));
    insert.bind(3, subject.subject).bind(4, subject.name).bind(5, subject.version);
    insert.bind(6, fmt::format("{}", fmt::join(subject.contracts, " "))).bind_null(7).bind_null(8);
    insert.bind(9, or_else(entry.labels.commit, known(built.revision)));
    insert.bind(10, built.dirty && entry.labels.commit.empty());
    insert.bind(11, built.build_type).bind(12, built.compiler).bind(13, built.flags);
    insert.bind(14, built.program).bind(15, subject.verdict);
    insert.bind(16, std::int64_t{subject.exit_code}).bind(17, subject.line).run();
    const std::int64_t id = database.last_id();
    for (const auto& [outcome, cases] : subject.outcomes) {
      Statement& add = prepared("INSERT INTO outcome VALUES (?, ?, ?)");
      add.bind(1, id).bind(2, outcome).bind(3, static_cast<std::int64_t>(cases)).run();
    }
    for (const report::CaseRecord& test : subject.cases) {
      if (!report::spoils(test)) continue;
      Statement& add = prepared(
          "INSERT INTO red (subject, test, contract, outcome, sentence) VALUES (?, ?, ?, ?, ?)");
      add.bind(1, id).bind(2, test.id).bind(3, test.contract).bind(4, test.outcome);
      add.bind(5, test.sentence).run();
    }
    for (const report::CauseRecord& cause : subject.causes) {
      Statement& add = prepared(
          "INSERT INTO cause (subject, sentence, clause, fault, perhaps) VALUES (?, ?, ?, ?, ?)");
      add.bind(1, id).bind(2, cause.sentence).bind(3, cause.clause).bind(4, cause.fault);
      add.bind(5, cause.perhaps).run();
    }
  }
}

void Archive::Store::add_devices(std::int64_t record,
                                 const std::vector<report::BenchDevice>& devices) {
  std::int64_t position = 0;
  for (const report::BenchDevice& device : devices) {
    Statement& add = prepared("INSERT INTO device VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    add.bind(1, record).bind(2, position++).bind(3, device.name).bind(4, device.uuid);
    add.bind(5, device.used).bind(6, device.most_sm_clock_mhz);
    add.bind(7, device.most_memory_clock_mhz).bind(8, device.application_sm_clock_mhz);
    add.bind(9, device.power_limit_w).bind(10, device.ecc).bind(11, device.mig);
    add.bind(12, device.persistence).run();
  }
}

void Archive::Store::add_bench(std::int64_t record, const Entry& entry) {
  const report::BenchRecord& bench = *entry.bench;
  add_devices(record, bench.environment.devices);
  struct Known {
    std::int64_t id;
    std::string joined, contract;
  };
  std::map<std::string, Known> subjects;
  for (const report::BenchSubject& subject : bench.subjects) {
    const report::BenchBuild& built = subject.build ? *subject.build : bench.meta.build;
    const auto is_original = [](const report::BenchSubject& other) { return !other.copy_of; };
    const std::string joined = joined_name(bench.subjects, subject, is_original);
    Statement& insert = prepared(kInsertSubject);
    insert.bind(1, record).bind(2, joined).bind(3, subject.subject).bind(4, subject.name);
    insert.bind(5, subject.version).bind(6, subject.contract).bind(7, subject.via);
    insert.bind(8, subject.copy_of);
    insert.bind(9, or_else(entry.labels.commit, known(built.revision)));
    insert.bind(10, built.dirty && entry.labels.commit.empty());
    insert.bind(11, built.build_type).bind(12, built.compiler).bind(13, built.flags);
    insert.bind(14, built.program).bind_null(15).bind_null(16).bind_null(17).run();
    subjects[subject.id] = {database.last_id(), joined, subject.contract};
  }
  for (const report::BenchMeasurement& measurement : bench.measurements) {
    const auto subject = subjects.find(measurement.subject);
    if (subject == subjects.end()) continue;
    Statement& add = prepared(
        "INSERT OR IGNORE INTO measurement (series, subject, status, reason, center, low, "
        "high, medians, bytes, null_calls, sm_clock_mhz, throttled_by) VALUES (?, ?, ?, ?, ?, "
        "?, ?, ?, ?, ?, ?, ?)");
    add.bind(1, series_of(measurement, subject->second.joined, subject->second.contract));
    add.bind(2, subject->second.id).bind(3, name_of_status(measurement.status));
    add.bind(4, measurement.reason).bind(5, measurement.center);
    const auto& interval = measurement.interval;
    add.bind(6, interval ? std::optional(interval->low) : std::nullopt);
    add.bind(7, interval ? std::optional(interval->high) : std::nullopt);
    add.bind(8, list_of(measurement.processes)).bind(9, measurement.bytes);
    const auto& calls = measurement.null_calls;
    add.bind(10, calls ? std::optional(calls->center) : std::nullopt);
    add.bind(11, median_clock(measurement.processes));
    add.bind(12, first_throttling(measurement.processes)).run();
  }
}

std::int64_t Archive::Store::series_of(const report::BenchMeasurement& measurement,
                                       const std::string& subject, const std::string& contract) {
  const auto bind = [&](Statement& to) {
    to.bind(1, subject).bind(2, contract);
    to.bind(3, report::full_name(measurement.case_name, measurement.axes));
    to.bind(4, measurement.quantity).bind(5, measurement.unit).bind(6, measurement.better);
    to.bind(7, measurement.exact);
  };
  Statement& find = prepared(
      "SELECT id FROM series WHERE subject = ? AND contract = ? AND name = ? AND quantity = ? AND "
      "unit = ? AND better = ? AND exact = ?");
  bind(find);
  const std::int64_t id = find.step() ? find.number(0) : 0;
  find.reset();
  if (id != 0) return id;
  Statement& add = prepared(
      "INSERT INTO series (subject, contract, name, quantity, unit, better, exact) VALUES (?, ?, "
      "?, "
      "?, ?, ?, ?)");
  bind(add);
  add.run();
  return database.last_id();
}

}  // namespace assay::archive

// The environment of the records, and how to reproduce them.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "harness/page/sections/sections.hpp"

namespace assay::page {
namespace {

using Facts = std::vector<std::pair<const char*, std::string>>;

std::string built_from(const std::string& revision, bool dirty) {
  return revision + (dirty ? " with uncommitted changes" : "");
}

Facts facts_of(const report::RunRecord& run) {
  const report::Environment& machine = run.environment;
  return {{"started", run.started},
          {"host", machine.host},
          {"CPU", machine.cpu},
          {"cores", std::to_string(machine.cores)},
          {"kernel", machine.kernel},
          {"GPU driver", machine.driver},
          {"assay", machine.version},
          {"built from", built_from(machine.revision, machine.dirty)},
          {"compiler", machine.compiler},
          {"flags", machine.flags},
          {"build type", machine.build_type},
          {"seed", std::to_string(run.seed) + (run.shuffled ? ", shuffled" : "")}};
}

std::string yes_or_no(const std::optional<bool>& value) {
  if (!value) return "unknown";
  return *value ? "on" : "off";
}

std::string loads(const report::BenchEnvironment& machine) {
  if (!machine.load_start || !machine.load_end) return "unknown";
  return fmt::format("{:.2f} at the start, {:.2f} at the end", *machine.load_start,
                     *machine.load_end);
}

std::string devices_of(const report::BenchEnvironment& machine) {
  std::string names;
  for (const auto& device : machine.devices) names += (names.empty() ? "" : ", ") + device.name;
  return names;
}

Facts facts_of(const report::BenchRecord& bench) {
  const report::BenchEnvironment& machine = bench.environment;
  const report::BenchBuild& build = bench.meta.build;
  return {{"started", bench.meta.started},
          {"machine", machine.machine},
          {"CPU", machine.cpu},
          {"cores", std::to_string(machine.cores)},
          {"kernel", machine.kernel},
          {"virtual machine", machine.virtualization},
          {"GPU driver", machine.driver},
          {"devices", devices_of(machine)},
          {"clock governor", machine.governor.value_or("unknown")},
          {"threads of a core share it (SMT)", yes_or_no(machine.smt)},
          {"random addresses (ASLR)", yes_or_no(machine.aslr)},
          {"load over a minute", loads(machine)},
          {"assay", build.tool},
          {"built from", built_from(build.revision, build.dirty)},
          {"compiler", build.compiler},
          {"flags", build.flags},
          {"build type", build.build_type},
          {"seed", std::to_string(bench.meta.seed)}};
}

Facts facts_of(const Source& source) {
  if (source.run) return facts_of(*source.run);
  if (source.bench) return facts_of(*source.bench);
  return {{"schedule", source.litmus->schedule}};
}

void add_fact(Table& table, std::size_t column, const char* name, const std::string& value) {
  const auto is_it = [name](const TableRow& row) { return row.anchor == name; };
  auto row = std::ranges::find_if(table.rows, is_it);
  if (row == table.rows.end()) row = table.rows.insert(row, {{{Markup(name), {}}}, name});
  row->cells.resize(table.columns.size());
  row->cells[column].content = value;
}

Markup machines(const PageData& page_data) {
  const auto& sources = page_data.report.sources;
  Table table{"Machines and builds", {"What"}, {}, false};
  for (const Source& source : sources) table.columns.push_back(source.name);
  for (std::size_t i = 0; i < sources.size(); ++i) {
    for (const auto& [name, value] : facts_of(sources[i])) {
      if (!value.empty()) add_fact(table, i + 1, name, value);
    }
  }
  for (TableRow& row : table.rows) row.anchor.clear();
  return to_markup(table);
}

std::vector<std::string> argv_of(const Source& source) {
  if (source.run) return source.run->argv;
  if (source.bench) return source.bench->meta.argv;
  return {};  // a litmus record does not have it
}

/// Quoted for a shell.
std::string shell_word(const std::string& word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:=,+@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string command_line(const std::vector<std::string>& argv) {
  std::string line;
  for (const std::string& word : argv) line += (line.empty() ? "" : " ") + shell_word(word);
  return line;
}

/// The full names of subjects whose names are shortened on the page.
Markup whole_names(const PageData& page_data) {
  Table table{"Subjects whose names this page shortens", {"Name", "Full name"}, {}, false};
  for (const auto& [name, all] : page_data.short_names) {
    Markup whole;
    for (const std::string& one : all)
      whole += (whole.empty() ? Markup() : element("br", {})) + breakable(one);
    table.rows.push_back({{{Markup(name), {}}, {whole, {}}}, ""});
  }
  return table.rows.empty() ? Markup() : to_markup(table);
}

Markup commands(const PageData& page_data) {
  Markup content;
  for (const Source& source : page_data.report.sources) {
    if (argv_of(source).empty()) continue;
    content +=
        element("p", {{"class", "under"}}, source.name) + code_line(command_line(argv_of(source)));
  }
  return content;
}

}  // namespace

Section environment_section(const PageData& page_data) {
  const Markup content = machines(page_data) + whole_names(page_data) +
                         element("h3", "Command lines, to run it again") + commands(page_data);
  return {"environment", "Environment", "", content};
}

}  // namespace assay::page

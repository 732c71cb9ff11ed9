// Where and with what the records were made, and how to make them again.
#include <fmt/format.h>

#include "harness/page/sections.hpp"

namespace assay::page {
namespace {

using Value = std::string (*)(const report::RunRecord&);

struct Field {
  const char* name;
  Value value;
};

constexpr Field kFields[] = {
    {"Started", [](const report::RunRecord& run) { return run.started; }},
    {"Host", [](const report::RunRecord& run) { return run.environment.host; }},
    {"CPU", [](const report::RunRecord& run) { return run.environment.cpu; }},
    {"Cores", [](const report::RunRecord& run) { return std::to_string(run.environment.cores); }},
    {"Kernel", [](const report::RunRecord& run) { return run.environment.kernel; }},
    {"GPU driver", [](const report::RunRecord& run) { return run.environment.driver; }},
    {"Assay", [](const report::RunRecord& run) { return run.environment.version; }},
    {"Built from",
     [](const report::RunRecord& run) {
       return run.environment.revision + (run.environment.dirty ? " with uncommitted changes" : "");
     }},
    {"Compiler", [](const report::RunRecord& run) { return run.environment.compiler; }},
    {"Flags", [](const report::RunRecord& run) { return run.environment.flags; }},
    {"Build type", [](const report::RunRecord& run) { return run.environment.build_type; }},
    {"Seed",
     [](const report::RunRecord& run) {
       return std::to_string(run.seed) + (run.shuffled ? ", shuffled" : "");
     }},
};

Table machines(const Material& material) {
  Table table{"Machines and builds", {"Record"}, {}, false};
  for (const Field& field : kFields) table.columns.emplace_back(field.name);
  for (const Source& source : material.report.sources) {
    if (!source.run) continue;
    TableRow row;
    row.cells.push_back({Markup(source.path), {}});
    for (const Field& field : kFields) row.cells.push_back({Markup(field.value(*source.run)), {}});
    table.rows.push_back(std::move(row));
  }
  table.drop_empty_columns();
  return table;
}

/// As a shell takes it.
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

Markup commands(const Material& material) {
  Markup content;
  for (const Source& source : material.report.sources) {
    if (!source.run) continue;
    content +=
        element("p", {{"class", "under"}}, source.path) + code_line(command_line(source.run->argv));
  }
  return content;
}

}  // namespace

Section environment_section(const Material& material) {
  const Markup content = to_markup(machines(material)) +
                         element("h3", "Command lines, to run it again") + commands(material);
  return {"environment", "Environment and command lines", "", content};
}

}  // namespace assay::page

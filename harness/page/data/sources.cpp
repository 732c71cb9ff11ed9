// Detects the kind of a record by its schema.
#include "harness/page/data/sources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "harness/page/markup/parts.hpp"

namespace assay::page {
namespace {

/// The value of `"schema"`; its first occurrence is at the beginning of the record.
std::string schema_in(std::string_view text) {
  constexpr std::string_view kMember = "\"schema\"";
  const auto at = text.find(kMember);
  if (at == std::string_view::npos) return {};
  const auto begin = text.find('"', at + kMember.size());
  if (begin == std::string_view::npos) return {};
  return std::string(text.substr(begin + 1, text.find('"', begin + 1) - begin - 1));
}

}  // namespace

void name_sources(Report& report) {
  const auto file_of = [](const std::string& path) { return path.substr(path.rfind('/') + 1); };
  for (Source& source : report.sources) {
    const auto has_its_name = [&](const Source& other) {
      return file_of(other.path) == file_of(source.path);
    };
    source.name = std::ranges::count_if(report.sources, has_its_name) > 1 ? source.path
                                                                          : file_of(source.path);
  }
}

Source source_from(std::string path, std::string bytes) {
  Source source{std::move(path), {}, std::move(bytes), {}, {}, {}};
  const std::string schema = schema_in(source.bytes);
  if (schema.starts_with("assay.run/")) {
    source.run = report::run_from_json(source.bytes);
  } else if (schema.starts_with("assay.bench/")) {
    source.bench = report::bench_from_json(source.bytes);
  } else if (schema.starts_with("assay.litmus/")) {
    source.litmus = report::litmus_from_json(source.bytes);
  } else if (schema.empty()) {
    throw std::runtime_error("it has no member \"schema\", which every record has");
  } else {
    throw std::runtime_error(
        fmt::format("its schema is '{}'; known are assay.run/1, assay.bench/1 and assay.litmus/1",
                    visible(cut(schema, 60))));
  }
  return source;
}

}  // namespace assay::page

// Assembles the page: head with its policy, list of sections, sections.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

#include "harness/page/markup/archive.hpp"
#include "harness/page/report.hpp"
#include "harness/page/sections/sections.hpp"

namespace assay::page {

std::string_view page_source(std::string_view name) {
  for (const EmbeddedFile& file : page_sources()) {
    if (file.name == name) return file.text;
  }
  throw std::logic_error("the program holds no " + std::string(name));
}

namespace {

/// The hash of a text in the policy's form: base64 of its SHA-256, which is given in hexadecimal.
std::string source_hash(std::string_view hex) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
  }
  return "'sha256-" + to_base64(bytes) + "'";
}

/// Loads nothing, and runs only the page's own script.
std::string policy() {
  return fmt::format(
      "default-src 'none'; style-src {}; script-src {}; base-uri 'none'; form-action 'none'",
      source_hash(ASSAY_STYLE_CSS), source_hash(ASSAY_SCRIPT_JS));
}

Markup meta(const std::vector<Attribute>& attributes) { return element("meta", attributes); }

Markup named_meta(const char* name, const char* content) {
  return meta({{"name", name}, {"content", content}});
}

Markup head_of(const std::string& title) {
  return element(
      "head", meta({{"charset", "utf-8"}}) +
                  meta({{"http-equiv", "Content-Security-Policy"}, {"content", policy()}}) +
                  named_meta("viewport", "width=device-width, initial-scale=1") +
                  named_meta("color-scheme", "light dark") + named_meta("referrer", "no-referrer") +
                  named_meta("generator", "assay report") + element("title", title) +
                  own_source("style", page_source("style.css")));
}

std::vector<Section> sections_of(const PageData& page_data) {
  constexpr std::array kSections{verdict_section, failures_section,      conformance_section,
                                 waivers_section, unsupported_section,   comparison_section,
                                 cost_section,    scaler_step_section,   bandwidth_section,
                                 litmus_section,  distributions_section, environment_section,
                                 cases_section,   clauses_section,       samples_section};
  std::vector<Section> sections;
  for (const auto& make : kSections) {
    sections.push_back(make(page_data));
    if (sections.back().content.empty()) sections.pop_back();
  }
  return sections;
}

Markup list_of(const std::vector<Section>& sections) {
  Markup items;
  for (const Section& section : sections) {
    const std::string count = section.count.empty() ? "" : fmt::format(" ({})", section.count);
    items += element("li", link_to(section.anchor, section.title) + count);
  }
  return element("nav", {{"aria-label", "Sections"}}, element("ul", items));
}

Markup body_of(const Section& section) {
  return element("section", {{"id", section.anchor}},
                 element("h2", section.title) + section.content);
}

/// Shown on every screen of a page with synthetic numbers.
Markup about_synthetic(const PageData& page_data) {
  const bool is_synthetic = std::ranges::any_of(
      page_data.benches, [](const Bench& bench) { return bench.record->synthetic; });
  if (!is_synthetic) return {};
  return element("p", {{"class", "warning synthetic"}},
                 element("strong", "! Synthetic: this page has numbers that no machine measured."));
}

std::string title_of(const Report& report) {
  if (report.sources.size() > 1) return fmt::format("Assay: {} records", report.sources.size());
  const Source& source = report.sources.front();
  if (source.run) return "Assay: " + source.run->line;
  return "Assay: " + (source.bench ? source.bench->meta.line : source.litmus->line);
}

Markup header_of(const PageData& page_data, const std::vector<Section>& sections) {
  return element("header", element("p", {{"class", "brand"}}, "Assay report") +
                               element("h1", headline(page_data)) +
                               element("p", {{"class", "under"}}, provenance(page_data.report)) +
                               answers(page_data) + list_of(sections));
}

/// The number of bytes left for records beside everything else in the page.
std::size_t room_beside(const Markup& header, const std::vector<Section>& sections) {
  constexpr std::size_t kFrame = 4096;  // the head, the title and the heading of the records
  std::size_t used = kFrame + header.html().size() + page_source("style.css").size() +
                     page_source("script.js").size();
  for (const Section& section : sections) used += body_of(section).html().size();
  return kMostPageBytes - std::min(used, kMostPageBytes);
}

}  // namespace

std::string to_html(Report report) {
  name_sources(report);
  ShortNames short_names = shorten_subjects(report);
  PageData page_data{report, subject_runs(report), {}, {},
                     {},     benches_of(report),   {}, std::move(short_names)};
  page_data.compared = comparisons_of(page_data.benches);
  page_data.failures = failures_of(page_data.runs);
  page_data.first_failures = FirstFailures(page_data.failures);
  page_data.broken = broken_clauses_of(page_data.failures);
  std::vector<Section> sections = sections_of(page_data);
  sections.push_back(
      records_section(report, room_beside(header_of(page_data, sections), sections)));
  Markup content = about_synthetic(page_data) + header_of(page_data, sections);
  for (const Section& section : sections) content += body_of(section);
  const Markup page =
      element("html", {{"lang", "en"}},
              head_of(title_of(report)) +
                  element("body", element("main", content) +
                                      own_source("script", page_source("script.js"))));
  return "<!DOCTYPE html>\n" + page.html() + "\n";
}

}  // namespace assay::page

// Helpers for cases of streams, events and guards.
#include "suites/runtime/support.hpp"

#include <algorithm>

namespace assay::suites {
namespace {

Value list_value(const Texts& texts) {
  List list;
  for (const std::string& text : texts) list.items.emplace_back(text);
  return list;
}

std::string text_of(const StreamValue& stream) {
  return std::to_string(stream.id) + " on " + (stream.device ? to_text(*stream.device) : "nothing");
}

Texts split(const std::string& text) {
  Texts parts;
  std::size_t from = 0;
  while (from < text.size()) {
    const std::size_t comma = std::min(text.find(',', from), text.size());
    std::string part = text.substr(from, comma - from);
    part.erase(0, part.find_first_not_of(' '));
    parts.push_back(std::move(part));
    from = comma + 1;
  }
  return parts;
}

DriverCall call_from(const std::string& text) {
  const std::size_t open = std::min(text.find('('), text.size());
  const std::size_t close = std::min(text.rfind(')'), text.size());
  DriverCall call{.name = text.substr(0, open), .arguments = {}, .failed = false};
  call.name = call.name.substr(0, call.name.find('!'));
  if (open < close) call.arguments = split(text.substr(open + 1, close - open - 1));
  call.failed = text.find('!') != std::string::npos;
  return call;
}

}  // namespace

bool is_old(const Session& subject) { return subject.contract().release == Release::k1_13; }
bool is_strict(const Session& subject) {
  return subject.contract().deviations == Deviations::kStrict;
}

void expect_list(const Texts& got, const Texts& wanted, Where where) {
  expect_equal(list_value(got), list_value(wanted), where);
}

void expect_at(const std::optional<Device>& got, const std::optional<Device>& wanted, Where where) {
  expect_equal(got ? Value(*got) : Value(), wanted ? Value(*wanted) : Value(), where);
}

void expect_value(const StreamValue& got, const Device& device, std::int64_t id, Where where) {
  expect_same(got, {device, id}, where);
}

void expect_same(const StreamValue& got, const StreamValue& wanted, Where where) {
  expect_equal(text_of(got), text_of(wanted), where);
}

void add_logging(Session& subject, const std::string& type) {
  subject.runtime().backend(type, "logging");
  subject.sim().log("backend");
}

Texts backend_calls(Session& subject, const std::string& prefix) {
  Texts calls = subject.sim().log("backend");
  for (std::string& call : calls) {
    if (call.starts_with(prefix + ".")) call.erase(0, prefix.size() + 1);
  }
  return calls;
}

void expect_calls(Session& subject, const Texts& wanted, Where where) {
  expect_list(backend_calls(subject), wanted, where);
}

StreamObject current_on(Session& subject, const Device& device, std::int64_t id) {
  StreamObject stream = subject.runtime().stream(device, id);
  subject.runtime().set_current_stream(stream);
  return stream;
}

std::int64_t current_id(Session& subject, const Device& device) {
  return subject.runtime().current_stream(device).id();
}

std::vector<DriverCall> driver_calls(Session& subject) {
  std::vector<DriverCall> calls;
  for (const std::string& text : subject.sim().log()) calls.push_back(call_from(text));
  return calls;
}

std::vector<DriverCall> calls_of(const std::vector<DriverCall>& calls, const std::string& name) {
  std::vector<DriverCall> found;
  for (const DriverCall& call : calls) {
    if (call.name == name) found.push_back(call);
  }
  return found;
}

std::int64_t count_calls(Session& subject, const std::string& name) {
  return static_cast<std::int64_t>(calls_of(driver_calls(subject), name).size());
}

Texts order_of(const std::vector<DriverCall>& calls, const Texts& kept) {
  Texts names;
  for (const DriverCall& call : calls) {
    if (std::find(kept.begin(), kept.end(), call.name) != kept.end()) names.push_back(call.name);
  }
  return names;
}

Ref word_on(Session& subject, const Device& device, double value) {
  TensorValue word = f32({value});
  word.device = device;
  return subject.core().tensor(word);
}

void expect_word(Session& subject, const Ref& word, double wanted, Where where) {
  subject.runtime().synchronize_device(subject.core().info(word).device);
  expect_bits(subject.core().read(word), f32({wanted}), where);
}

StreamObject pool_on(Session& subject, int device) {
  StreamObject stream = subject.runtime().pool_stream({.device = subject.device(device)});
  subject.runtime().kernel({.stream = stream});
  stream.synchronize();
  return stream;
}

}  // namespace assay::suites

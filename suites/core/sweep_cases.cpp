// Every conversion for every bit pattern: samples by default, all with --full.
#include "harness/suite/clients/core.hpp"
#include "harness/suite/reading.hpp"
#include "suites/formats/digests.hpp"
#include "suites/formats/formats.hpp"
#include "suites/formats/sweep.hpp"

namespace assay {
std::span<const EmbeddedFile> suite_core_digests();
}

namespace assay::suites {
namespace {

constexpr std::uint64_t kAllPatterns = std::uint64_t{1} << 32;

Sweep conversion(Session& subject, Dtype from, Dtype to) {
  return {.from = from,
          .to = to,
          .digest =
              [&subject, to](const TensorValue& input, std::uint64_t block) {
                return subject.core().convert_digest(input, to, block);
              },
          .values = [&subject,
                     to](const TensorValue& input) { return subject.core().convert(input, to); },
          .expected = [from, to](std::uint64_t bits) { return converted_bits(from, to, bits); }};
}

Sweep sampled(Session& subject, Dtype from, Dtype to) {
  Sweep sweep = conversion(subject, from, to);
  if (from == Dtype::kFloat32) sweep.step = 4099;
  if (from == Dtype::kFloat64) {
    sweep.start = 0x3e50000000000000;  // 2^-26, up to 2^17
    sweep.step = 0x2b00000001;
  }
  return sweep;
}

void expect_sample(Session& subject, Dtype from, Dtype to) {
  const std::string name = std::string(name_of(from)) + "_to_" + std::string(name_of(to));
  const auto digests = digests_in(suite_core_digests(), "digests/samples.txt", name);
  const Sweep sweep = sampled(subject, from, to);

  expect_blocks(sweep, digests, 0, digests.crc.size());
}

/// `core.to` on one block, with a named result.
Block converting(const Sweep& sweep, const TensorValue& input, const std::string& name) {
  Command command;
  command.verb = "core.to";
  command.with = {{"tensor", input}, {"dtype", sweep.to}};
  command.as = name;
  return {command};
}

Command digesting(const std::string& name, std::uint64_t block) {
  Command command;
  command.verb = "core.read";
  command.with = {{"tensor", Ref{name}}};
  command.digest = block;
  return command;
}

/// The digests observed in the only round of a `together`.
std::vector<std::uint32_t> observed_digests(const Reply& reply) {
  std::vector<std::uint32_t> digests;
  const auto* outcome = field_as<List>(reply, "outcomes").items.at(0).get_if<Dict>();
  const auto* seen = outcome->items.at(0).second.get_if<List>();
  for (const Value& fields : seen->items) {
    const TensorValue* tensor = held_in<Dict>(fields).items.at(0).second.tensor();
    if (tensor == nullptr || !tensor->digest) throw BadReply("expected an observed digest");
    digests.push_back(tensor->digest->crc.at(0));
  }
  return digests;
}

/// Converts two blocks on two threads of the subject simultaneously.
void expect_pair(Session& subject, const Sweep& sweep, const ExpectedDigests& digests,
                 std::uint64_t first, Where where = Where::current()) {
  const std::uint64_t block = digests.block;
  const auto got = observed_digests(subject.together(
      {{"left", converting(sweep, sweep.input(first * block, block), "low")},
       {"right", converting(sweep, sweep.input((first + 1) * block, block), "high")}},
      1, {digesting("low", block), digesting("high", block)}));
  for (std::uint64_t i = 0; i < 2; ++i) {
    if (got.at(i) == digests.crc.at(first + i)) continue;
    fail_at_element(sweep, (first + i) * block, block, where);
  }
}

void expect_everything(Session& subject, Dtype to, std::string_view file) {
  const std::string name = "float32_to_" + std::string(name_of(to));
  const auto digests = digests_in(suite_core_digests(), file, name);
  const Sweep sweep = conversion(subject, Dtype::kFloat32, to);
  expect_true(digests.block * digests.crc.size() == kAllPatterns,
              "the digests cover 2^32 patterns");

  for (std::uint64_t first = 0; first < digests.crc.size(); first += 2) {
    if (subject.info().threads) {
      expect_pair(subject, sweep, digests, first);
    } else {
      expect_blocks(sweep, digests, first, 2);
    }
  }
}

}  // namespace

CASES("core/sweep") {
  conformance("a_sample_of_float32_becomes_float16", {"CAST-901", "CAST-902", "CAST-907"},
              [](Session& s) { expect_sample(s, Dtype::kFloat32, Dtype::kFloat16); });
  conformance("a_sample_of_float32_becomes_bfloat16", {"CAST-903", "CAST-907", "CAST-910"},
              [](Session& s) { expect_sample(s, Dtype::kFloat32, Dtype::kBfloat16); });
  conformance("a_sample_of_float64_becomes_float16_by_way_of_float32", {"CAST-908"},
              [](Session& s) { expect_sample(s, Dtype::kFloat64, Dtype::kFloat16); });
  conformance("a_sample_of_float64_becomes_bfloat16_by_way_of_float32", {"CAST-908"},
              [](Session& s) { expect_sample(s, Dtype::kFloat64, Dtype::kBfloat16); });
  conformance("every_float16_becomes_float32", {"CAST-904", "CAST-907"},
              [](Session& s) { expect_sample(s, Dtype::kFloat16, Dtype::kFloat32); });
  conformance("every_bfloat16_becomes_float32", {"CAST-904", "CAST-907"},
              [](Session& s) { expect_sample(s, Dtype::kBfloat16, Dtype::kFloat32); });
  conformance("every_float16_becomes_bfloat16", {"CAST-908", "CAST-907"},
              [](Session& s) { expect_sample(s, Dtype::kFloat16, Dtype::kBfloat16); });
  conformance("every_bfloat16_becomes_float16", {"CAST-908", "CAST-907"},
              [](Session& s) { expect_sample(s, Dtype::kBfloat16, Dtype::kFloat16); });

  conformance(
      "every_float32_becomes_float16", {"CAST-901", "CAST-902", "CAST-907"},
      [](Session& s) { expect_everything(s, Dtype::kFloat16, "digests/narrow_float16.txt"); })
      .full();
  conformance(
      "every_float32_becomes_bfloat16", {"CAST-903", "CAST-907", "CAST-910"},
      [](Session& s) { expect_everything(s, Dtype::kBfloat16, "digests/narrow_bfloat16.txt"); })
      .full();
}

}  // namespace assay::suites

// Implements what the typed client of the area memory adds to the generated calls.
#include "harness/suite/clients/memory.hpp"

namespace assay {
namespace {

SegmentInfo segment_from(const Value& value) {
  SegmentInfo segment{.address = member_as<std::int64_t>(value, "address"),
                      .size_bytes = member_as<std::int64_t>(value, "size"),
                      .stream = member_as<std::int64_t>(value, "stream"),
                      .pool = member_as<std::string>(value, "pool"),
                      .blocks = {}};
  for (const Value& block : member_as<List>(value, "blocks").items) {
    segment.blocks.push_back({.offset = member_as<std::int64_t>(block, "offset"),
                              .size_bytes = member_as<std::int64_t>(block, "size"),
                              .state = member_as<std::string>(block, "state")});
  }
  return segment;
}

}  // namespace

MemoryClient Session::memory() { return MemoryClient(*this); }

BlockInfo BlockInfo::from(const Reply& reply) {
  return {.address = field_to<std::int64_t>(reply, "address"),
          .size_bytes = field_to<std::int64_t>(reply, "size"),
          .requested_bytes = field_to<std::int64_t>(reply, "requested"),
          .segment = field_to<std::int64_t>(reply, "segment"),
          .offset = field_to<std::int64_t>(reply, "offset")};
}

MemoryInfo MemoryInfo::from(const Reply& reply) {
  return {.free_bytes = field_to<std::int64_t>(reply, "free"),
          .total_bytes = field_to<std::int64_t>(reply, "total")};
}

std::string MemoryBlock::read(std::int64_t offset, std::optional<std::int64_t> count) const {
  Fields with{{"block", *this}};
  if (offset != 0) with.set("offset", offset);
  put(with, "count", count);
  return read_field<std::string>("memory.read", std::move(with));
}

bool MemoryStats::has(std::string_view key) const { return member_of(counters_, key) != nullptr; }

std::int64_t MemoryStats::operator[](std::string_view key) const {
  return member_as<std::int64_t>(counters_, key);
}

MemoryStats MemoryClient::stats(const std::optional<Device>& device) const {
  Fields with;
  put(with, "device", device);
  return MemoryStats(read_field<Dict>("memory.stats", std::move(with)));
}

std::vector<SegmentInfo> MemoryClient::segments(const std::optional<Device>& device) const {
  Fields with;
  put(with, "device", device);
  std::vector<SegmentInfo> segments;
  for (const Value& value : read_field<List>("memory.segments", std::move(with)).items) {
    segments.push_back(segment_from(value));
  }
  return segments;
}

}  // namespace assay

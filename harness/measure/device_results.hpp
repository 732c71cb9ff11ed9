// What the loops on devices must leave there: worked out here, not taken from any runtime.
#pragma once

#include <cstdint>

namespace assay::measure {

struct LoopCall;

/// How much of what is left the CRC-32 is of: everything, or the first 65536 elements of the first
/// tensor and the last 65536 of the last.
enum class Part : bool { kEnds, kWhole };

// The CRC-32 after so many iterations, by the loop's arguments (harness/protocol/areas/bench.md).

std::uint32_t counted_tracker(const LoopCall& call, std::int64_t times, Part part);
std::uint32_t counted_word(const LoopCall& call, std::int64_t times, Part part);
std::uint32_t turned_signs(const LoopCall& call, std::int64_t times, Part part);
std::uint32_t cast_from_f32(const LoopCall& call, std::int64_t times, Part part);
std::uint32_t cast_to_f32(const LoopCall& call, std::int64_t times, Part part);
std::uint32_t copied_f32(const LoopCall& call, std::int64_t times, Part part);
std::uint32_t set_bytes(const LoopCall& call, std::int64_t times, Part part);
std::uint32_t stepped_by_signs(const LoopCall& call, std::int64_t times, Part part);

}  // namespace assay::measure

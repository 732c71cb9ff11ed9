// The expected device data of the loops, computed here and not taken from any runtime.
#pragma once

#include <cstdint>

namespace assay::measure {

struct LoopCall;

/// The data that the CRC-32 covers: everything, or the first 65536 elements of the first tensor and
/// tensor and the last 65536 of the last.
enum class Part : bool { kEnds, kWhole };

// The CRC-32 after `times` iterations, by the loop's arguments (harness/protocol/areas/bench.md).

std::uint32_t counted_tracker(const LoopCall& call, std::int64_t times, Part part);
std::uint32_t counted_word(const LoopCall& call, std::int64_t times, Part part);
std::uint32_t turned_signs(const LoopCall& call, std::int64_t times, Part part);
std::uint32_t cast_from_f32(const LoopCall& call, std::int64_t times, Part part);
std::uint32_t cast_to_f32(const LoopCall& call, std::int64_t times, Part part);
std::uint32_t copied_f32(const LoopCall& call, std::int64_t times, Part part);
std::uint32_t set_bytes(const LoopCall& call, std::int64_t times, Part part);
std::uint32_t stepped_by_signs(const LoopCall& call, std::int64_t times, Part part);
/// By signs for Adam, by gradients for SGD.
std::uint32_t stepped_by_optimizer(const LoopCall& call, std::int64_t times, Part part);

}  // namespace assay::measure

// The list of sweeps, and the sum over one block of a sweep.
#include "scripts/digests/sweeps.hpp"

#include <zlib.h>

#include <cstdio>

namespace assay::digests {
namespace {

constexpr std::uint64_t kAllHalves = 1u << 16;
constexpr std::uint64_t kSample = 1u << 20;
/// Coprime to 2^32, so that a sample visits the whole range in steps.
constexpr std::uint64_t kStride = 4099;

std::vector<Sweep> samples() {
  // Doubles from 2^-26 to 2^17: subnormal, normal and overflowing halves.
  constexpr std::uint64_t kDoubleStart = 0x3e50000000000000;
  constexpr std::uint64_t kDoubleStep = 0x2b00000001;
  return {
      {"float32_to_float16", kFloat32, {kFloat16}, kSample, 1u << 16, 0, kStride},
      {"float32_to_bfloat16", kFloat32, {kBfloat16}, kSample, 1u << 16, 0, kStride},
      {"float64_to_float16",
       kFloat64,
       {kFloat32, kFloat16},
       kSample,
       1u << 16,
       kDoubleStart,
       kDoubleStep},
      {"float64_to_bfloat16",
       kFloat64,
       {kFloat32, kBfloat16},
       kSample,
       1u << 16,
       kDoubleStart,
       kDoubleStep},
      {"float16_to_float32", kFloat16, {kFloat32}, kAllHalves, 1u << 12},
      {"bfloat16_to_float32", kBfloat16, {kFloat32}, kAllHalves, 1u << 12},
      {"float16_to_bfloat16", kFloat16, {kFloat32, kBfloat16}, kAllHalves, 1u << 12},
      {"bfloat16_to_float16", kBfloat16, {kFloat32, kFloat16}, kAllHalves, 1u << 12},
  };
}

/// 1, 1/2, 1/3, 0.1, 1/65536, 2^-24, 2, 0.001, 2^-127, 0, inf, NaN, each as a float32.
constexpr std::uint32_t kInverses[] = {0x3f800000, 0x3f000000, 0x3eaaaaab, 0x3dcccccd,
                                       0x37800000, 0x33800000, 0x40000000, 0x3a83126f,
                                       0x00400000, 0x00000000, 0x7f800000, 0x7fc00000};

std::vector<Sweep> unscale() {
  std::vector<Sweep> sweeps;
  for (const std::uint32_t inverse : kInverses) {
    char text[9];
    std::snprintf(text, sizeof text, "%08x", inverse);
    Sweep half{
        std::string("float16_by_") + text, kFloat16, {kFloat32, kFloat16}, kAllHalves, 1u << 12};
    half.has_factor = true;
    half.factor = inverse;
    Sweep brain = half;
    brain.name = std::string("bfloat16_by_") + text;
    brain.from = kBfloat16;
    brain.through = {kFloat32, kBfloat16};
    sweeps.push_back(half);
    sweeps.push_back(brain);
  }
  return sweeps;
}

}  // namespace

std::vector<Sweep> sweeps_of(const std::string& file) {
  constexpr std::uint64_t kAll = 1ull << 32;
  constexpr std::uint64_t kBlock = 1u << 22;
  if (file == "narrow_float16") return {{"float32_to_float16", kFloat32, {kFloat16}, kAll, kBlock}};
  if (file == "narrow_bfloat16") {
    return {{"float32_to_bfloat16", kFloat32, {kBfloat16}, kAll, kBlock}};
  }
  if (file == "samples") return samples();
  if (file == "unscale") return unscale();
  return {};
}

std::uint32_t block_digest(const Sweep& sweep, std::uint64_t block) {
  const Format& stored = sweep.through.back();
  Number number;
  Number factor;
  if (sweep.has_factor) factor.decode(kFloat32, sweep.factor);
  std::vector<unsigned char> bytes;
  bytes.reserve(sweep.block * 4);
  for (std::uint64_t i = block * sweep.block; i < (block + 1) * sweep.block; ++i) {
    number.decode(sweep.from, sweep.start + i * sweep.step);
    if (sweep.has_factor) number.multiply_by(factor);
    for (const Format& format : sweep.through) number.round_to(format);
    const std::uint64_t bits = number.encode(stored);
    for (int at = 0; at < stored.width; at += 8) {
      bytes.push_back(static_cast<unsigned char>(bits >> at));
    }
  }
  return static_cast<std::uint32_t>(crc32_z(0, bytes.data(), bytes.size()));
}

}  // namespace assay::digests

// Counter-based random numbers: a function of seed and position, the same on every machine.
#pragma once

#include <cstddef>
#include <cstdint>

namespace assay::stats {

/// SplitMix64: word `i` of a seed does not depend on the earlier words. Two objects with the same
/// seed return the same words.
class CounterRandom {
 public:
  explicit CounterRandom(std::uint64_t seed) : seed_(seed) {}

  std::uint64_t word() { return at(position_++); }

  /// In [0, count), with a bias of at most `count` in 2^64.
  std::size_t below(std::size_t count) {
    const unsigned __int128 scaled = static_cast<unsigned __int128>(word()) * count;
    return static_cast<std::size_t>(scaled >> 64);
  }

  std::uint64_t at(std::uint64_t position) const {
    std::uint64_t word = seed_ + (position + 1) * 0x9e3779b97f4a7c15U;
    word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9U;
    word = (word ^ (word >> 27)) * 0x94d049bb133111ebU;
    return word ^ (word >> 31);
  }

 private:
  std::uint64_t seed_;
  std::uint64_t position_ = 0;
};

}  // namespace assay::stats

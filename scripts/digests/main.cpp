// Writes the expected digests of the sweeps, or checks a committed file of them by a sample.
//
//   assay_digests make narrow_float16 > suites/core/digests/narrow_float16.txt
//   assay_digests check narrow_float16 suites/core/digests/narrow_float16.txt
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "scripts/digests/sweeps.hpp"

namespace assay::digests {
namespace {

constexpr unsigned kThreads = 2;

std::vector<std::uint32_t> all_digests(const Sweep& sweep) {
  std::vector<std::uint32_t> digests(sweep.blocks());
  std::atomic<std::uint64_t> next = 0;
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      for (auto block = next++; block < digests.size(); block = next++) {
        digests[block] = block_digest(sweep, block);
      }
      mpfr_free_cache();
    });
  }
  for (auto& thread : threads) thread.join();
  return digests;
}

void make(const std::string& file) {
  std::printf("# Expected digests, computed with MPFR %s. Made by:\n", mpfr_get_version());
  std::printf("#   build/bin/assay_digests make %s\n", file.c_str());
  for (const Sweep& sweep : sweeps_of(file)) {
    std::printf("sweep %s block %llu\n", sweep.name.c_str(),
                static_cast<unsigned long long>(sweep.block));
    const auto digests = all_digests(sweep);
    for (std::size_t i = 0; i < digests.size(); ++i) {
      std::printf("%08x%c", digests[i], i % 8 == 7 || i + 1 == digests.size() ? '\n' : ' ');
    }
  }
}

/// Small sweeps whole; of a large one the blocks where formats change their behaviour, and a few.
std::vector<std::uint64_t> sample_of(const Sweep& sweep) {
  std::vector<std::uint64_t> blocks;
  if (sweep.elements <= 1u << 20) {
    for (std::uint64_t i = 0; i < sweep.blocks(); ++i) blocks.push_back(i);
    return blocks;
  }
  for (const std::uint64_t bits :
       {0x00000000ull, 0x33000000ull, 0x387fe000ull, 0x3f801000ull, 0x477ff000ull, 0x7f7f8000ull,
        0x7fc00000ull, 0xb3000000ull, 0xc77ff000ull, 0xff7fffffull}) {
    blocks.push_back(bits / sweep.block);
  }
  return blocks;
}

/// The digests of one sweep as a committed file has them.
std::vector<std::string> committed_digests(const std::string& path, const std::string& name) {
  std::ifstream input(path);
  std::string line;
  bool inside = false;
  std::vector<std::string> digests;
  while (std::getline(input, line)) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    if (word == "sweep") {
      words >> word;
      inside = word == name;
    } else if (inside && word != "#") {
      do digests.push_back(word);
      while (words >> word);
    }
  }
  return digests;
}

int check(const std::string& file, const std::string& path) {
  int wrong = 0;
  for (const Sweep& sweep : sweeps_of(file)) {
    const auto committed = committed_digests(path, sweep.name);
    if (committed.size() != sweep.blocks()) {
      std::printf("%s: %s has %zu digests, expected %llu\n", path.c_str(), sweep.name.c_str(),
                  committed.size(), static_cast<unsigned long long>(sweep.blocks()));
      return 1;
    }
    for (const std::uint64_t block : sample_of(sweep)) {
      char text[9];
      std::snprintf(text, sizeof text, "%08x", block_digest(sweep, block));
      if (committed[block] == text) continue;
      std::printf("%s: block %llu of %s is %s, MPFR says %s\n", path.c_str(),
                  static_cast<unsigned long long>(block), sweep.name.c_str(),
                  committed[block].c_str(), text);
      ++wrong;
    }
  }
  return wrong == 0 ? 0 : 1;
}

}  // namespace
}  // namespace assay::digests

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  const bool known = arguments.size() >= 2 && !assay::digests::sweeps_of(arguments[1]).empty();
  if (known && arguments.size() == 2 && arguments[0] == "make") {
    assay::digests::make(arguments[1]);
    return 0;
  }
  if (known && arguments.size() == 3 && arguments[0] == "check") {
    return assay::digests::check(arguments[1], arguments[2]);
  }
  std::cerr << "usage: assay_digests make FILE | check FILE PATH\n"
               "FILE: narrow_float16, narrow_bfloat16, samples or unscale\n";
  return 2;
}

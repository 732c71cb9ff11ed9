// Runs one process under Valgrind and reads the total from Callgrind's output file.
#include "harness/bench/count/callgrind.hpp"

#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "harness/console/folders.hpp"
#include "harness/measure/batch.hpp"
#include "harness/subject/link/closable_link.hpp"
#include "harness/subject/process/time_limit.hpp"
#include "harness/suite/runner/hello.hpp"

namespace assay::bench {
namespace {

std::string text_of(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

std::vector<std::string> command_line(const CallgrindOptions& options, const Contender& contender,
                                      const std::string& output) {
  std::vector<std::string> words{"env", "-i"};
  for (const char* kept : {"PATH", "LD_LIBRARY_PATH"}) {
    if (const char* value = std::getenv(kept)) words.push_back(std::string(kept) + "=" + value);
  }
  words.insert(words.end(),
               {options.valgrind, "--tool=callgrind", "--quiet", "--callgrind-out-file=" + output});
  words.insert(words.end(), contender.program.begin(), contender.program.end());
  return words;
}

std::int64_t counted(const CallgrindOptions& options, const Contender& contender,
                     const measure::LoopCall& loop, std::int64_t times) {
  const TemporaryFolder folder("count");
  const std::filesystem::path output = folder.path() / "callgrind.out";
  ProcessOptions process;
  process.argv = command_line(options, contender, output.string());
  process.timeout = options.timeout;
  const auto link = connect_process(process);
  end_early_on(*link, options.stop);
  say_hello(*link, Contract{});
  measure::Batches batches(*link, loop);
  if (contender.counts_without_kernels) {
    batches.run_without_kernels(times);
  } else {
    batches.run(times);
  }
  if (const auto bad_end = close_subject(*link, options.timeout)) throw WorkerError(*bad_end);
  return total_of(text_of(output));
}

}  // namespace

std::int64_t total_of(const std::string& callgrind_out) {
  for (const std::string_view key : {"\ntotals: ", "\nsummary: "}) {
    const std::size_t at = callgrind_out.find(key);
    if (at == std::string::npos) continue;
    std::int64_t total = 0;
    const char* begin = callgrind_out.data() + at + key.size();
    const auto [end, error] =
        std::from_chars(begin, callgrind_out.data() + callgrind_out.size(), total);
    if (error == std::errc() && end != begin) return total;
  }
  throw WorkerError("Callgrind wrote no total");
}

Counter callgrind(const CallgrindOptions& options) {
  return [options](const Contender& contender, const measure::LoopCall& loop, std::int64_t times) {
    return counted(options, contender, loop, times);
  };
}

}  // namespace assay::bench

// Transports that are not there yet answer so.
#include "harness/cli/errors.hpp"
#include "harness/subject/link.hpp"

namespace assay {

std::unique_ptr<Link> connect_plugin(const std::string& path) {
  throw cli::UsageError("no plugin transport yet: " + path);
}

std::unique_ptr<Link> connect_process(ProcessOptions options) {
  throw cli::UsageError("no process transport yet: " + options.argv.front());
}

}  // namespace assay

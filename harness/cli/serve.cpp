// assay serve: runs a subject of this machine on standard input and output.
#include "harness/subject/serve.hpp"

#include <unistd.h>

#include <memory>

#include "harness/cli/commands.hpp"
#include "harness/console/nearest.hpp"
#include "harness/console/usage_error.hpp"
#include "harness/subject/serve_link.hpp"
#include "harness/subjects/built_in.hpp"
#include "harness/subjects/connect.hpp"
#include "harness/subjects/cuda.hpp"
#include "harness/subjects/libtorch.hpp"
#include "harness/subjects/torch.hpp"
#include "harness/suite/faults.hpp"

namespace assay::cli {
namespace {

constexpr std::string_view kMutantPrefix = "mutant:";

/// Replaces this process with the program, which serves by itself. Throws if it cannot be started.
[[noreturn]] void become(const std::string& program, const char* argument = nullptr) {
  execl(program.c_str(), program.c_str(), argument, nullptr);
  throw UsageError("cannot start " + program);
}

std::unique_ptr<Link> plugin_named(const std::string& name) try {
  return connect_here(name);
} catch (const LinkBroken& broken) {
  throw UsageError(broken.what());
}

int serve_named(const std::string& name) {
  if (name == "reference") {
    const auto subject = make_reference();
    return assay::serve(*subject);
  }
  if (name.starts_with(kMutantPrefix)) {
    const std::string fault = name.substr(kMutantPrefix.size());
    if (find_fault(fault) != nullptr) become(mutant_program(), fault.c_str());
  }
  if (name == "cuda" || name == "cuda_on_cpu") become(cuda_program(name));
  if (name == "libtorch") become(libtorch_program());
  if (is_plugin(name)) {
    return assay::serve(*plugin_named(name));
  }
  if (is_torch(name)) {
    throw UsageError("'torch' is served by Python: --subject torch starts it, serve does not");
  }
  throw UsageError("unknown subject '" + name + "'" + suggestion(name, subject_names()));
}

}  // namespace

void add_serve(CliCommand app, Invocation& invocation) {
  CliCommand command = app.add_subcommand(
      "serve", "Answer commands on standard input with a subject of this machine");
  command.footer("Example: assay run --subject \"assay serve reference\"");
  auto name = std::make_shared<std::string>("reference");
  command.add_option("subject", *name,
                     "reference, cuda, cuda_on_cpu, libtorch, mutant:<fault> or a shared library");
  command.callback([name, &invocation] { invocation.exit_code = serve_named(*name); });
}

}  // namespace assay::cli

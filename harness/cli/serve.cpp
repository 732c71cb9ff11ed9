// assay serve: runs a built-in subject on standard input and output.
#include "harness/subject/serve.hpp"

#include <unistd.h>

#include <memory>

#include "harness/cli/commands.hpp"
#include "harness/console/nearest.hpp"
#include "harness/console/usage_error.hpp"
#include "harness/subject/serve_link.hpp"
#include "harness/subjects/built_in.hpp"
#include "harness/subjects/connect.hpp"
#include "harness/suite/faults.hpp"

namespace assay::cli {
namespace {

constexpr std::string_view kMutantPrefix = "mutant:";

/// Replaces this process with the mutant. Throws if the program cannot be started.
[[noreturn]] void become_mutant(const std::string& fault) {
  const std::string program = mutant_program();
  execl(program.c_str(), program.c_str(), fault.c_str(), nullptr);
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
    if (find_fault(fault) != nullptr) become_mutant(fault);
  }
  if (is_plugin(name)) {
    return assay::serve(*plugin_named(name));
  }
  throw UsageError("unknown built-in subject '" + name + "'" + suggestion(name, subject_names()));
}

}  // namespace

void add_serve(CliCommand app, Invocation& invocation) {
  CliCommand command = app.add_subcommand(
      "serve", "Answer commands on standard input with a subject of this machine");
  command.footer("Example: assay run --subject \"assay serve reference\"");
  auto name = std::make_shared<std::string>("reference");
  command.add_option("subject", *name, "reference, mutant:<fault> or a shared library");
  command.callback([name, &invocation] { invocation.exit_code = serve_named(*name); });
}

}  // namespace assay::cli

// The whole script: what it begins with, its commands, how it ends.
#include "harness/program/python/script.hpp"

#include <fmt/format.h>

#include "harness/program/python/prelude.hpp"
#include "harness/program/python/writer.hpp"

namespace assay::python {
namespace {

std::string opening(const std::string& title, const Contract& contract) {
  return fmt::format(
      "\"\"\"{}.\n\nExpected is what PyTorch {} does on {}. Needs nothing but "
      "PyTorch.\"\"\"\n\n{}\n",
      title, name_of(contract.release), contract.cuda() ? "CUDA" : "the CPU", prelude());
}

void one(Writer& writer, const Command& command, const Reply& reply) {
  try {
    writer.command(command, &reply);
  } catch (const NoForm& lack) {
    throw NoForm(fmt::format("{} has no form in Python: {}", command.verb, lack.what()));
  }
}

}  // namespace

std::string script(const std::string& title, const Contract& contract,
                   const std::vector<std::pair<Command, Reply>>& exchanges) {
  if (contract.cuda() && contract.release == Release::k1_13) {
    throw NoForm("PyTorch 1.13 cannot make CUDA the device of all tensors");
  }
  Writer writer(contract.cuda());
  if (contract.cuda()) writer.line("torch.set_default_device(\"cuda\")");
  for (const auto& [command, reply] : exchanges) {
    if (reply.status == Reply::Status::kUnsupported) continue;
    one(writer, command, reply);
  }
  writer.line("sys.exit(1 if differences else 0)");
  return opening(title, contract) + "\n" + writer.take();
}

}  // namespace assay::python

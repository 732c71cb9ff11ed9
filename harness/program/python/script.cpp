// Assembles a script: prelude, commands, exit status.
#include "harness/program/python/script.hpp"

#include <fmt/format.h>

#include <set>
#include <vector>

#include "harness/program/python/forms.hpp"
#include "harness/program/python/writer.hpp"

namespace assay::python {
namespace {

/// The parts of the prelude, each a function or a class; the first part is the text before them.
std::vector<std::string> parts_of(std::string_view text) {
  constexpr std::string_view kGap = "\n\n\n";
  std::vector<std::string> parts;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(kGap, at), text.size());
    parts.emplace_back(text.substr(at, end - at));
    at = end + kGap.size();
  }
  while (!parts.empty() && parts.back().ends_with('\n')) parts.back().pop_back();
  return parts;
}

/// `alike` for `def alike(got, wanted):`, `raises` for `class raises:`.
std::string name_defined_by(const std::string& part) {
  const std::size_t from = part.find(' ') + 1;
  return part.substr(from, part.find_first_of("(:", from) - from);
}

/// Removes imports that are not used below; the imported name is the last word of its line.
std::string without_idle_imports(const std::string& head, const std::string& below) {
  std::string kept;
  for (std::size_t at = 0; at < head.size();) {
    const std::size_t end = std::min(head.find('\n', at), head.size());
    const std::string line = head.substr(at, end - at);
    const bool imports = line.starts_with("import ") || line.starts_with("from ");
    const std::string name = line.substr(line.rfind(' ') + 1);
    const bool used =
        below.find(name + ".") != std::string::npos || below.find(name + "(") != std::string::npos;
    if (!imports || used) kept += line + "\n";
    at = end + 1;
  }
  return kept;
}

/// The parts of the prelude that `body` uses, to keep scripts short.
std::string prelude_for(const std::string& body) {
  const std::vector<std::string> parts = parts_of(prelude());
  std::string text = body;
  std::set<std::size_t> needed;
  // Parts may use each other, so this repeats until nothing is added.
  for (std::size_t before = parts.size(); before != needed.size();) {
    before = needed.size();
    for (std::size_t i = 1; i < parts.size(); ++i) {
      if (text.find(name_defined_by(parts[i])) == std::string::npos) continue;
      if (needed.insert(i).second) text += parts[i];
    }
  }
  std::string shown = without_idle_imports(parts.front(), text);
  for (const std::size_t i : needed) shown += "\n\n" + parts[i] + "\n";
  return shown;
}

std::string opening(const std::string& title, const std::string& whose, const std::string& body) {
  return fmt::format("\"\"\"{}.\n\nExpected is {}.\nNeeds nothing but PyTorch.\"\"\"\n\n{}\n",
                     escaped(title), escaped(whose), prelude_for(body));
}

void one(Writer& writer, const Command& command, const Reply& reply) {
  try {
    writer.command(command, &reply);
  } catch (const NoForm& lack) {
    throw NoForm(fmt::format("{} has no form in Python: {}", command.verb, lack.what()));
  }
}

}  // namespace

std::string brief(const Contract& contract, const std::vector<std::pair<Command, Reply>>& exchanges,
                  const Reply& got, const Difference& difference) {
  Writer writer(contract.cuda(), Writer::Style::kBrief);
  for (std::size_t i = 0; i + 1 < exchanges.size(); ++i) {
    one(writer, exchanges[i].first, exchanges[i].second);
  }
  const auto& [command, wanted] = exchanges.back();
  writer.differing(command, wanted, got, difference);
  return writer.take();
}

std::string script(const std::string& title, const std::string& whose, const Contract& contract,
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
  const std::string body = writer.take();
  return opening(title, whose, body) + "\n" + body;
}

}  // namespace assay::python

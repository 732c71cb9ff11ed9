// Shrinks a program: tries simpler programs and keeps each that still fails, until none does; and
// finds the unsupported command of a program, including inside blocks.
#include "harness/program/shrink.hpp"

#include <algorithm>
#include <cstddef>

#include "harness/protocol/json.hpp"
#include "harness/protocol/schema.hpp"

namespace assay {
namespace {

/// Tries a simpler program; returns false to stop the search.
using Try = std::function<bool(Block)>;

/// The members of a command that are blocks.
std::vector<Block Command::*> blocks() {
  return {&Command::enter, &Command::body, &Command::observe};
}

std::ptrdiff_t at(std::size_t index) { return static_cast<std::ptrdiff_t>(index); }

/// Tries the program without each range of `length` commands.
bool without_stretches(const Block& program, std::size_t length, const Try& attempt) {
  for (std::size_t end = program.size(); end >= length; --end) {
    Block shorter = program;
    shorter.erase(shorter.begin() + at(end - length), shorter.begin() + at(end));
    if (attempt(std::move(shorter))) return true;
  }
  return false;
}

/// Replaces a scope or thread by its body.
bool hoisted(const Block& program, std::size_t index, const Try& attempt) {
  const Command& command = program[index];
  if (command.body.empty() || command.verb == "callback") return false;
  Block flat = program;
  flat.erase(flat.begin() + at(index));
  flat.insert(flat.begin() + at(index), command.body.begin(), command.body.end());
  return attempt(std::move(flat));
}

/// Tries the first half of the elements of a contiguous one-dimensional tensor, then all but one.
std::vector<Value> smaller(const Value& value) {
  const TensorValue* tensor = value.tensor();
  if (tensor == nullptr || tensor->shape.size() != 1 || tensor->shape[0] < 2 ||
      tensor->data.empty() || !tensor->strides.empty()) {
    return {};
  }
  std::vector<Value> found;
  for (const std::int64_t numel : {tensor->shape[0] / 2, tensor->shape[0] - 1}) {
    TensorValue cut = *tensor;
    cut.shape = {numel};
    cut.data.resize(tensor->data.size() / static_cast<std::size_t>(tensor->shape[0]) *
                    static_cast<std::size_t>(numel));
    found.emplace_back(std::move(cut));
  }
  return found;
}

/// Whether the schema demands the argument, so that a program without it cannot be replayed.
bool lacks(const Command& command, const std::string& argument) {
  const std::string missing = "Missing required property '" + argument + "'";
  return std::ranges::any_of(validate_command(to_json(command)), [&](const auto& error) {
    return error.find(missing) != std::string::npos;
  });
}

bool with_simpler_arguments(const Block& program, std::size_t index, const Try& attempt) {
  const Fields& with = program[index].with;
  for (const auto& [left_out, ignored] : with) {
    Block simpler = program;
    Fields fewer;
    for (const auto& [name, value] : with) {
      if (name != left_out) fewer.set(name, value);
    }
    simpler[index].with = std::move(fewer);
    if (lacks(simpler[index], left_out)) continue;
    if (attempt(std::move(simpler))) return true;
  }
  for (const auto& [name, value] : with) {
    for (Value& cut : smaller(value)) {
      Block simpler = program;
      simpler[index].with.set(name, std::move(cut));
      if (attempt(std::move(simpler))) return true;
    }
  }
  return false;
}

bool try_all(const Block& program, const Try& attempt);

/// Tries a simpler block inside the command.
bool inside(const Block& program, std::size_t index, const Try& attempt) {
  const auto with_block = [&](Block Command::*member) {
    return try_all(program[index].*member, [&](Block simpler) {
      Block whole = program;
      whole[index].*member = std::move(simpler);
      return attempt(std::move(whole));
    });
  };
  return std::ranges::any_of(blocks(), with_block);
}

/// Tries everything that is one step simpler, large steps first; stops at the first success.
bool try_all(const Block& program, const Try& attempt) {
  for (std::size_t length = program.size(); length > 0; length /= 2) {
    if (without_stretches(program, length, attempt)) return true;
  }
  for (std::size_t index = 0; index < program.size(); ++index) {
    if (hoisted(program, index, attempt) || inside(program, index, attempt) ||
        with_simpler_arguments(program, index, attempt)) {
      return true;
    }
  }
  return false;
}

}  // namespace

Block shrink(Block program, const std::function<bool(const Block&)>& still_shows,
             std::size_t most_tries) {
  std::size_t tries = 0;
  const Try attempt = [&](Block simpler) {
    if (tries >= most_tries) return false;
    ++tries;
    if (!still_shows(simpler)) return false;
    program = std::move(simpler);
    return true;
  };
  // Walks a copy, because an accepted step replaces the program.
  while (tries < most_tries && try_all(Block(program), attempt)) {
  }
  return program;
}

// Without the unsupported command.

namespace {

void erase(Block& block, std::size_t index) {
  block.erase(block.begin() + static_cast<std::ptrdiff_t>(index));
}

/// Removes the command of `block` at `index`, or the command inside it at which `reply` ended.
void take_out(Block& block, std::size_t index, const Reply& reply) {
  Block& body = block[index].body;
  const std::size_t said = reply.replies.size();
  const bool inside =
      said > 0 && said <= body.size() && reply.replies.back().status == Reply::Status::kUnsupported;
  if (!inside) return erase(block, index);
  take_out(body, said - 1, reply.replies.back());
}

}  // namespace

Block without_lacking(Block program, const ProgramResult& result) {
  const std::size_t last = result.exchanges.size() - 1;
  const Reply& trusted = result.exchanges.back().second;
  const bool trusted_lacks = trusted.status == Reply::Status::kUnsupported;
  take_out(program, last, trusted_lacks || !result.got ? trusted : *result.got);
  return program;
}

}  // namespace assay

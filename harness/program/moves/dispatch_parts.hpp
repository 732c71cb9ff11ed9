// What random programs of the area dispatch are made of: keys, operators, kernels, arguments.
#pragma once

#include <span>
#include <string>

#include "harness/program/moves.hpp"

namespace assay {

// -- keys

/// A key that programs meet often: they use few, so that they meet themselves.
const char* some_key(Random& random);
/// Any key that has a slot in this release.
std::string any_key(Draft& draft);
std::string any_alias(Draft& draft);
/// Up to `most` of those that programs meet often.
/// One that a thread may include.
const char* key_for_threads(Random& random);
List some_set(Random& random, std::int64_t most = 3);
/// Up to three of any.
List any_keys(Draft& draft);
/// The same, or any bits at all: only for what nothing is called with.
Value any_set(Draft& draft);

// -- operators

/// What an operator takes and gives. The name is its overload, so that an operator's name says it.
struct OpShape {
  const char* name;
  const char* parameters;
  const char* returns;
  /// A letter an argument: see `argument_of`.
  const char* takes;
  /// `t` tensor, `i` int.
  const char* gives;
  /// In the menu of typed calls; empty where there is none.
  const char* signature;
};

const OpShape& some_shape(Random& random);
/// Of an operator as random programs name them, `fuzz::f.tt`.
const OpShape& shape_of(const std::string& op);
/// Any signature of the menu.
const char* any_signature(Random& random);

std::string schema_of(const std::string& op);
/// An operator that has a schema, mostly; defines one if there is none.
std::string some_op(Draft& draft);
/// The name of one that need not be there.
std::string some_name(Draft& draft);
bool define(Draft& draft);

// -- kernels

/// What goes down to other kernels stands at keys that it masks; elsewhere it would meet itself.
enum class Place : std::uint8_t { kAnywhere, kExact };
std::string new_kernel(Draft& draft, Place place, const OpShape& shape);

// -- tensors and arguments

/// A tensor for probing: it has keys and no data.
Ref some_probe(Draft& draft);
List arguments_of(Draft& draft, const OpShape& shape);

// -- moves by theme

std::span<const Move> dispatch_key_moves();
std::span<const Move> dispatch_tensor_moves();
std::span<const Move> dispatch_tls_moves();
std::span<const Move> dispatch_schema_moves();
std::span<const Move> dispatch_registration_moves();
std::span<const Move> dispatch_library_moves();
std::span<const Move> dispatch_call_moves();
std::span<const Move> dispatch_ask_moves();
std::span<const Move> dispatch_watch_moves();

}  // namespace assay

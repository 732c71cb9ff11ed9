// The parts of random dispatch programs: keys, operators, kernels, arguments.
#pragma once

#include <span>
#include <string>

#include "harness/program/moves.hpp"

namespace assay {

// -- keys

/// One of a few keys, so that the commands of a program affect each other.
const char* some_key(Random& random);
/// Any key that has a slot in this release.
std::string any_key(Draft& draft);
std::string any_alias(Draft& draft);
/// A key that a thread may include.
const char* key_for_threads(Random& random);
/// Up to `most` of these few keys.
List some_set(Random& random, std::int64_t most = 3);
/// Up to three keys of any kind.
List any_keys(Draft& draft);
/// The same, or arbitrary bits, which are never used for calls.
Value any_set(Draft& draft);

// -- operators

/// The arguments and results of an operator. The name is its overload, and so part of its name.
struct OpShape {
  const char* name;
  const char* parameters;
  const char* returns;
  /// One letter per argument: see `argument_of`.
  const char* takes;
  /// `t` tensor, `i` int.
  const char* gives;
  /// The signature in the menu of typed calls; empty if there is none.
  const char* signature;
};

const OpShape& some_shape(Random& random);
/// The shape of an operator that is named as in random programs, `fuzz::f.tt`.
const OpShape& shape_of(const std::string& op);
/// A random signature of the menu.
const char* any_signature(Random& random);

std::string schema_of(const std::string& op);
/// Usually an operator with a schema; defines one if there is none.
std::string some_op(Draft& draft);
/// The name of an operator that may not exist.
std::string some_name(Draft& draft);
bool define(Draft& draft);

// -- kernels

/// Kernels that redispatch are placed at keys that they mask, to avoid calling themselves.
enum class Place : std::uint8_t { kAnywhere, kExact };
std::string new_kernel(Draft& draft, Place place, const OpShape& shape);

// -- tensors and arguments

/// A probe tensor: it has keys and no data.
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

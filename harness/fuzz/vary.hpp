// Changes the program of a case at random.
#pragma once

#include "harness/program/random.hpp"
#include "harness/protocol/message.hpp"

namespace assay {

/// The program with one to three changes: a command left out, repeated, exchanged with the next, in
/// a scope that raises or on another thread; an argument left out or replaced by another object,
/// number, shape, dtype or device; or the whole program followed by `other` under names of its own.
/// Every command is valid by its schema.
Block varied(Block program, const Block& other, Random& random);

}  // namespace assay

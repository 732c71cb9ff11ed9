// Moves of the area core: dtypes, scalars, devices.
#include <array>

#include "harness/program/moves.hpp"
#include "harness/program/moves/values.hpp"

namespace assay {
namespace {

bool scalar(Draft& draft) {
  Random& random = draft.random();
  Fields with;
  if (!random.one_in(8)) with.set("value", random_scalar(random));
  draft.add("core.scalar", std::move(with));
  return true;
}

bool scalar_negate(Draft& draft) {
  draft.add("core.scalar_negate", {{"a", random_scalar(draft.random())}});
  return true;
}

const char* some_device_type(Random& random) {
  return random.of({"cpu", "cuda", "meta", "xpu", "mps", "hip", "fpga", "xla", "privateuseone"});
}

bool device_new(Draft& draft) {
  Random& random = draft.random();
  draft.add("core.device_new",
            {{"type", some_device_type(random)}, {"index", random.between(-2, 3)}});
  return true;
}

template <const char* const& verb>
bool of_type(Draft& draft) {
  draft.add(verb, {{"type", some_device_type(draft.random())}});
  return true;
}
constexpr const char* kDeviceType = "core.device_type";
constexpr const char* kDeviceKey = "core.device_key";

bool dtype(Draft& draft) {
  draft.add("core.dtype", {{"dtype", random_dtype(draft.random())}});
  return true;
}

bool promote_types(Draft& draft) {
  Random& random = draft.random();
  draft.add("core.promote_types", {{"a", random_dtype(random)}, {"b", random_dtype(random)}});
  return true;
}

bool can_cast(Draft& draft) {
  Random& random = draft.random();
  draft.add("core.can_cast", {{"from", random_dtype(random)}, {"to", random_dtype(random)}});
  return true;
}

bool result_type(Draft& draft) {
  Random& random = draft.random();
  List operands;
  for (std::int64_t left = random.between(1, 3); left > 0; --left) {
    operands.items.push_back(random.one_in(3) ? random_scalar(random) : some_tensor(draft));
  }
  draft.add("core.result_type", {{"operands", std::move(operands)}});
  return true;
}

bool scalar_to(Draft& draft) {
  Random& random = draft.random();
  draft.add("core.scalar_to", {{"value", random_scalar(random)}, {"dtype", random_dtype(random)}});
  return true;
}

bool scalar_equal(Draft& draft) {
  Random& random = draft.random();
  draft.add("core.scalar_equal", {{"a", random_scalar(random)}, {"b", random_scalar(random)}});
  return true;
}

bool device_text(Draft& draft) {
  draft.add("core.device", {{"text", draft.random().of({"cpu", "cuda", "cuda:1", "meta", "cuda:01",
                                                        "CUDA", "", "xpu:2", "cuda:-1"})}});
  return true;
}

bool current_device(Draft& draft) {
  draft.add("core.current_device", {});
  return true;
}

bool device_guard(Draft& draft) {
  if (!draft.contract().cuda()) return false;
  draft.add("core.device_guard",
            {{"device", Device{"cuda", static_cast<int>(draft.random().between(0, 1))}}});
  return true;
}

bool set_device(Draft& draft) {
  if (!draft.contract().cuda()) return false;
  draft.add("core.set_device",
            {{"device", Device{"cuda", static_cast<int>(draft.random().between(0, 1))}}});
  return true;
}

constexpr std::array kMoves = {
    Move{"core.scalar", 1, scalar},
    Move{"core.scalar_negate", 1, scalar_negate},
    Move{"core.device_new", 1, device_new},
    Move{"core.device_type", 1, of_type<kDeviceType>},
    Move{"core.device_key", 1, of_type<kDeviceKey>},
    Move{"core.dtype", 1, dtype},
    Move{"core.promote_types", 1, promote_types},
    Move{"core.can_cast", 1, can_cast},
    Move{"core.result_type", 2, result_type},
    Move{"core.scalar_to", 2, scalar_to},
    Move{"core.scalar_equal", 1, scalar_equal},
    Move{"core.device", 1, device_text},
    Move{"core.current_device", 1, current_device},
    Move{"core.set_device", 1, set_device},
    Move{"core.device_guard", 1, device_guard, true},
};

}  // namespace

std::span<const Move> core_value_moves() { return kMoves; }

}  // namespace assay

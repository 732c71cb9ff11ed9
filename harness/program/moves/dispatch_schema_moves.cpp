// Moves of the area dispatch: parsing, inference and comparison of schemas.
#include <array>

#include "harness/program/moves/dispatch_parts.hpp"
#include "harness/program/moves/schema_text.hpp"

namespace assay {
namespace {

bool parse(Draft& draft) {
  Random& random = draft.random();
  Fields with{{"text", random_schema(random)}};
  if (random.one_in(6)) with.set("as", random.of({"schema", "either", "name"}));
  draft.add("dispatch.parse", std::move(with));
  return true;
}

bool parse_name(Draft& draft) {
  Random& random = draft.random();
  std::string name =
      random.of({"f", "ns::f", "ns::f.ov", "f.default", "ns::f.__x", "a::b::c", "def"});
  draft.add("dispatch.parse", {{"text", name}, {"as", random.of({"name", "either"})}});
  return true;
}

bool infer(Draft& draft) {
  Random& random = draft.random();
  const char* odd = random.of({"void(int)", "void(vector<bool>)", "void(List<Scalar>)",
                               "void(Dict<string,Scalar>)", "void(Dict<Tensor,int64_t>)"});
  Fields with{{"signature", random.one_in(4) ? odd : any_signature(random)}};
  if (random.one_in(2)) with.set("name", "ns::f");
  draft.add("dispatch.infer", std::move(with));
  return true;
}

bool compare(Draft& draft) {
  SchemaPair pair = random_schema_pair(draft.random());
  draft.add("dispatch.schema_difference",
            {{"declared", std::move(pair.declared)}, {"inferred", std::move(pair.inferred)}});
  return true;
}

const std::array kMoves = {
    Move{"dispatch.parse", 8, parse},
    Move{"dispatch.parse", 1, parse_name},
    Move{"dispatch.infer", 2, infer},
    Move{"dispatch.schema_difference", 2, compare},
};

}  // namespace

std::span<const Move> dispatch_schema_moves() { return kMoves; }

}  // namespace assay

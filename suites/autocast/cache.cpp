// Helpers for cases of the weight cache.
#include "suites/autocast/cache.hpp"

namespace assay::suites {

void product_of(Session& inner, const Ref& left, const Ref& right, std::string as) {
  inner.send("dispatch.call", {{"op", "aten::mm"}, {"args", List{{left, right}}}}, std::move(as));
}

bool requires_grad(Session& subject, const Ref& tensor) {
  return field_as<bool>(subject.send("core.info", {{"tensor", tensor}}), "requires_grad");
}

std::int64_t twice(Session& subject, const Bench& bench, const Ref& tensor) {
  std::int64_t count = 0;
  subject.autocast().clear_cache();
  bench.inside([&] { count = bench.use(tensor) + bench.use(tensor); });
  return count;
}

std::int64_t conversions_elsewhere(Session& subject, const Bench& bench) {
  return conversions(subject, [&] {
    on_thread(subject, "other", [&](Session& inner) {
      const RegionHandle region = inner.autocast().construct({.device = bench.target().type});
      region.enter();
      product_of(inner, bench.low(), bench.weight());
      region.exit();
    });
  });
}

}  // namespace assay::suites

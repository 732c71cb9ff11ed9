// Lists of gradients: every tensor is processed once, however the list is split.
#include <limits>

#include "harness/protocol/recipe.hpp"
#include "suites/amp/support.hpp"

namespace assay::suites {
namespace {

TensorValue empty(Dtype dtype) { return filled(dtype, 0, 0); }

TensorValue one(double value) { return f32({value}); }

std::vector<TensorValue> repeated(std::size_t times, const TensorValue& tensor) {
  return std::vector<TensorValue>(times, tensor);
}

/// `count` different tensors of one element; the one at `bad` is infinite.
std::vector<TensorValue> singles(std::size_t count, std::size_t bad) {
  std::vector<TensorValue> grads;
  for (std::size_t i = 0; i < count; ++i) grads.push_back(one(i == bad ? kInf : double(i + 1)));
  return grads;
}

constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

}  // namespace

CASES("amp/lists") {
  kernel_case("do_nothing_when_empty", {"AMP-301"}, [](Session& session) {
    for (const float before : {0.0f, 0.5f, 1.0f, kNaN}) {
      auto result = session.amp().unscale({.grads = {}, .found_inf = before, .inv_scale = 0.5f});

      expect_bits(result.found_inf, before);
      expect_equal(static_cast<int>(result.grads.size()), 0);
    }
  });

  kernel_case("do_not_check_arguments_when_empty", {"AMP-301", "AMP-401"}, [](Session& session) {
    for (const TensorValue& flag :
         {i32({7}), f64({0.25}), f32({1, 2}), empty(Dtype::kFloat32), boolean({1})}) {
      auto result = session.amp().unscale({.grads = {}, .found_inf = flag, .inv_scale = i64({3})});

      expect_bits(result.found_inf, flag);
    }
  });

  kernel_case("find_a_bad_element_in_any_tensor", {"AMP-201", "AMP-206"}, [](Session& session) {
    for (std::size_t bad = 0; bad < 4; ++bad) {
      const ScopedTrace at("bad tensor " + std::to_string(bad));
      expect_unscales(session, {.grads = singles(4, bad)});
    }
  });

  kernel_case("unscale_each_tensor_once_whatever_their_number", {"AMP-311", "AMP-201"},
              [](Session& session) {
                for (const std::size_t count :
                     {1u, 2u, 109u, 110u, 111u, 219u, 220u, 221u, 770u, 771u, 1000u}) {
                  const ScopedTrace at(std::to_string(count) + " tensors");
                  expect_unscales(session, {.grads = singles(count, kNone)});
                }
              });

  kernel_case(
      "find_the_bad_tensor_at_each_launch_boundary", {"AMP-311", "AMP-206"}, [](Session& session) {
        for (const std::size_t count : {110u, 111u, 331u, 771u}) {
          for (const std::size_t bad : {0u, 1u, 108u, 109u, 110u, 319u, 320u, 769u, 770u}) {
            if (bad >= count) continue;
            const ScopedTrace at(std::to_string(count) + " tensors, bad " + std::to_string(bad));
            expect_unscales(session, {.grads = singles(count, bad)});
          }
          expect_unscales(session, {.grads = singles(count, count - 1)});
        }
      });

  kernel_case("may_hold_tensors_without_elements_anywhere", {"AMP-302"}, [](Session& session) {
    const TensorValue none = empty(Dtype::kFloat32);
    for (const double value : {4.0, double{kInf}}) {
      const TensorValue grad = one(value);
      expect_unscales(session, {.grads = {grad, none}});
      expect_unscales(session, {.grads = {none, grad}});
      expect_unscales(session, {.grads = {none, grad, none}});
      expect_unscales(session, {.grads = {grad, none, one(6)}});
      expect_unscales(session, {.grads = {none, none, one(6), none, grad, none, none}});
    }
  }).since(Release::k2_4);

  kernel_case("do_nothing_when_no_tensor_has_elements", {"AMP-302"}, [](Session& session) {
    for (const std::size_t count : {1u, 2u, 109u, 110u, 111u, 1000u}) {
      for (const float before : {0.0f, 0.5f}) {
        expect_unscales(session,
                        {.grads = repeated(count, empty(Dtype::kFloat32)), .flag_before = before});
      }
    }
  }).since(Release::k2_4);

  kernel_case("keep_shapes_of_tensors_without_elements", {"AMP-302", "AMP-201"},
              [](Session& session) {
                const TensorValue wide = shaped(empty(Dtype::kFloat32), {3, 0, 2});
                expect_unscales(session, {.grads = {wide, one(kInf), shaped(wide, {0, 1})}});
              })
      .since(Release::k2_4);

  kernel_case("visit_the_tensor_after_many_empty_ones", {"AMP-302", "AMP-303"},
              [](Session& session) {
                for (const std::size_t empties : {1u, 109u, 110u, 111u, 1000u}) {
                  const ScopedTrace at(std::to_string(empties) + " empty tensors");
                  auto grads = repeated(empties, empty(Dtype::kFloat32));
                  grads.push_back(one(kInf));
                  expect_unscales(session, {.grads = grads});
                  grads.back() = one(6);
                  expect_unscales(session, {.grads = grads});
                }
              })
      .since(Release::k2_4);

  kernel_case("visit_the_tensor_before_many_empty_ones", {"AMP-302", "AMP-303"},
              [](Session& session) {
                for (const std::size_t empties : {1u, 109u, 110u, 111u}) {
                  const ScopedTrace at(std::to_string(empties) + " empty tensors");
                  std::vector<TensorValue> grads = {one(kInf), one(6)};
                  grads.insert(grads.end(), empties, empty(Dtype::kFloat32));
                  expect_unscales(session, {.grads = grads});
                }
              })
      .since(Release::k2_4);

  kernel_case("lose_everything_before_an_empty_last_tensor_in_old_releases", {"AMP-303"},
              [](Session& session) {
                auto result = session.amp().unscale(
                    {.grads = {one(kInf), one(4), f32({})}, .inv_scale = 0.5f});

                expect_bits(result.found_inf, 0.0f);
                expect_bits(result.grads.at(0), one(kInf));
                expect_bits(result.grads.at(1), one(4));
              })
      .until(Release::k1_13)
      .only(DeviceRules::kCuda);

  kernel_case("find_a_bad_element_among_empty_tensors_of_all_dtypes", {"AMP-302", "AMP-304"},
              [](Session& session) {
                for (const Dtype first : gradient_dtypes(session.contract())) {
                  for (const Dtype dtype : gradient_dtypes(session.contract())) {
                    const TensorValue bad = tensor_of(dtype, {2, kNaN});
                    expect_unscales(session, {.grads = {empty(first), bad, empty(dtype)}});
                  }
                }
              })
      .since(Release::k2_4);

  kernel_case("may_mix_dtypes", {"AMP-308"}, [](Session& session) {
    auto result =
        session.amp().unscale({.grads = {f32({4}), f16({4}), f64({4})}, .inv_scale = 0.25f});

    expect_bits(result.grads.at(0), f32({1}));
    expect_bits(result.grads.at(1), f16({1}));
    expect_bits(result.grads.at(2), f64({1}));
    expect_bits(result.found_inf, 0.0f);
  });

  kernel_case("find_a_bad_element_of_any_dtype_in_a_mixture", {"AMP-308", "AMP-305"},
              [](Session& session) {
                const auto dtypes = gradient_dtypes(session.contract());
                for (std::size_t bad = 0; bad < dtypes.size(); ++bad) {
                  for (std::size_t turn = 0; turn < dtypes.size(); ++turn) {
                    std::vector<TensorValue> grads;
                    for (std::size_t i = 0; i < dtypes.size(); ++i) {
                      const Dtype dtype = dtypes[(i + turn) % dtypes.size()];
                      grads.push_back(tensor_of(dtype, {6, i == bad ? kInf : 3, 7}));
                      grads.push_back(ramp(dtype, 5));
                    }
                    expect_unscales(session, {.grads = grads, .inv_scale = 0x1.555556p-2f});
                  }
                }
              });

  kernel_case("keep_their_order", {"AMP-201", "AMP-305"}, [](Session& session) {
    std::vector<TensorValue> grads;
    for (int i = 0; i < 30; ++i) {
      grads.push_back(tensor_of(i % 3 == 1 ? Dtype::kFloat16 : Dtype::kFloat32, {double(i + 1)}));
      grads.push_back(filled(Dtype::kFloat64, i % 4 + 1, i));
    }
    expect_unscales(session, {.grads = grads});
  });

  kernel_case("of_many_shapes_keep_them", {"AMP-201"}, [](Session& session) {
    const TensorValue grad = ramp(Dtype::kFloat32, 24);
    expect_unscales(session,
                    {.grads = {shaped(grad, {2, 3, 4}), shaped(grad, {24, 1}), shaped(grad, {4, 6}),
                               scalar_of(Dtype::kFloat32, 6), shaped(one(8), {1, 1, 1, 1})}});
  });
}

CASES("amp/chunks") {
  kernel_case("of_any_length_are_unscaled_to_the_end", {"AMP-311"}, [](Session& session) {
    for (const Dtype dtype : gradient_dtypes(session.contract())) {
      for (const std::int64_t length :
           {1, 2, 3, 4, 5, 6, 7, 8, 9, 31, 32, 33, 511, 512, 513, 2047, 2048, 2049}) {
        const ScopedTrace at(std::string(name_of(dtype)) + ", " + std::to_string(length) +
                             " elements");
        expect_unscales(session, {.grads = {ramp(dtype, length)}});
      }
    }
  });

  kernel_case("find_the_bad_element_at_their_ends", {"AMP-311", "AMP-201"}, [](Session& session) {
    for (const std::int64_t length : {65535, 65536, 65537, 131073}) {
      const std::int64_t middle = length > 65536 ? 65536 : length / 2;
      for (const std::int64_t bad : {std::int64_t{0}, middle, length - 1}) {
        const ScopedTrace at(std::to_string(length) + " elements, bad " + std::to_string(bad));
        TensorValue grad = ramp(Dtype::kFloat32, length);
        grad.set_bits(static_cast<std::size_t>(bad), 0x7f800000);
        expect_unscales(session, {.grads = {grad}});
      }
    }
  });

  kernel_case("before_the_end_of_a_launch_are_carried_over", {"AMP-311", "AMP-312"},
              [](Session& session) {
                auto grads = repeated(109, one(3));
                grads.push_back(ramp(Dtype::kFloat16, 65537));
                grads.push_back(ramp(Dtype::kFloat32, 65537));
                grads.push_back(one(kInf));
                expect_unscales(session, {.grads = grads});
              });

  // Large enough that with a table of 4 KB each chunk has more than one tile for any block size.
  kernel_case(
      "of_large_tensors_beside_small_ones_are_all_done", {"AMP-311", "AMP-312"},
      [](Session& session) {
        constexpr std::uint64_t kBlock = 4096;
        const std::vector<std::int64_t> lengths = {2100001, 5, 70003};
        // Counts up from 2 and from 2 / 4, so that all elements of a tensor differ.
        const auto counting = [](std::int64_t length, std::uint64_t start) {
          return by_recipe(Dtype::kFloat32, length, {.start = start, .set = {}});
        };
        for (std::size_t bad = 0; bad <= lengths.size(); ++bad) {
          const ScopedTrace at("bad tensor " + std::to_string(bad));
          std::vector<TensorValue> grads;
          for (const auto length : lengths) grads.push_back(counting(length, 0x40000000));
          const bool has_bad = bad < lengths.size();
          if (has_bad) {
            const auto last = static_cast<std::uint64_t>(lengths[bad] - 1);
            grads[bad].recipe->set.emplace_back(last, 0x7f800000);
          }
          auto result = session.amp().unscale(
              {.grads = {grads.begin(), grads.end()}, .inv_scale = 0.25f, .digest = kBlock});

          expect_bits(result.found_inf, has_bad ? 1.0f : 0.0f);
          for (std::size_t i = 0; i < lengths.size(); ++i) {
            if (i == bad) continue;
            const ScopedTrace tensor("tensor " + std::to_string(i));
            expect_true(result.grads.at(i).digest ==
                            digest_of(materialize(counting(lengths[i], 0x3f000000)), kBlock),
                        "every element is a quarter of what it was");
          }
        }
      });

  // 320 blocks fill a launch; the rest of the tensor starts the next one.
  kernel_case("of_one_tensor_fill_several_launches", {"AMP-311", "AMP-312"}, [](Session& session) {
    constexpr std::int64_t kLength = 320 * 65536 + 1;
    for (const std::int64_t bad : {std::int64_t{0}, kLength - 2, kLength - 1}) {
      TensorValue grad = filled(Dtype::kFloat16, kLength, 3);
      grad.set_bits(static_cast<std::size_t>(bad), 0x7c00);
      expect_unscales(session, {.grads = {grad}});
    }
  }).full();
}

}  // namespace assay::suites

// A cross product that detects most kernel errors: position and kind of a non-finite element, and
// the elements around it.
#include <array>
#include <iterator>

#include "suites/amp/support.hpp"

namespace assay::suites {
namespace {

enum class Place { kAlone, kFirst, kMiddle, kLast, kBetweenEmpties };

constexpr std::array kPlaces = {Place::kAlone, Place::kFirst, Place::kMiddle, Place::kLast,
                                Place::kBetweenEmpties};
constexpr std::array kInverses = {1.0f, 0.5f, 0x1.555556p-2f, 2.0f, 0.0f, kInf, 0x1p-127f};
constexpr std::array kListSizes = {1, 109, 110, 111, 1000};

struct Point {
  Dtype dtype = Dtype::kFloat32;
  std::uint64_t bits = 0;   ///< the tested element
  std::int64_t length = 1;  ///< the length of its tensor
  std::int64_t position = 0;
  Place place = Place::kAlone;
  int list_size = 1;
  float flag_before = 0;
  float inv_scale = 0.5f;
};

std::vector<TensorValue> list_of(const Point& point) {
  TensorValue grad = ramp(point.dtype, point.length);
  grad.set_bits(static_cast<std::size_t>(point.position), point.bits);
  if (point.place == Place::kAlone) return {grad};
  const TensorValue none = filled(point.dtype, 0, 0);
  if (point.place == Place::kBetweenEmpties) return {none, none, grad, none};
  std::vector<TensorValue> grads;
  for (int i = 1; i < point.list_size; ++i) grads.push_back(ramp(point.dtype, i % 5 + 1));
  auto where = grads.begin();
  if (point.place == Place::kMiddle) where += point.list_size / 2;
  if (point.place == Place::kLast) where = grads.end();
  grads.insert(where, grad);
  return grads;
}

std::string label(const Point& point) {
  return std::string(name_of(point.dtype)) + " bits " + std::to_string(point.bits) + ", length " +
         std::to_string(point.length) + ", position " + std::to_string(point.position) +
         ", place " + std::to_string(static_cast<int>(point.place)) + " of " +
         std::to_string(point.list_size);
}

void expect_point(Session& session, const Point& point) {
  const ScopedTrace at(label(point));
  expect_unscales(
      session,
      {.grads = list_of(point), .inv_scale = point.inv_scale, .flag_before = point.flag_before});
}

std::vector<std::uint64_t> kinds_of(Dtype dtype) {
  auto kinds = non_finite_bits(dtype);
  const auto edges = edge_bits(dtype);
  kinds.insert(kinds.end(), edges.begin(), edges.end());
  return kinds;
}

std::vector<std::int64_t> positions_in(std::int64_t length) {
  std::vector<std::int64_t> positions;
  for (const std::int64_t position : {std::int64_t{0}, std::int64_t{1}, length / 2, length - 1}) {
    const bool is_new = positions.empty() || position > positions.back();
    if (is_new && position < length) positions.push_back(position);
  }
  return positions;
}

/// Every kind at every position of the short lengths; the other factors alternate, so that each of
/// their values is combined with each kind.
void short_product(Session& session, Dtype dtype) {
  std::size_t turn = 0;
  for (const std::uint64_t bits : kinds_of(dtype)) {
    for (const std::int64_t length : {1, 3, 4, 5}) {
      for (const std::int64_t position : positions_in(length)) {
        const Place place = kPlaces[turn % kPlaces.size()];
        const float inverse = kInverses[(turn / 2) % kInverses.size()];
        const float flag = turn % 3 == 0 ? 1.0f : 0.0f;
        expect_point(session, {.dtype = dtype,
                               .bits = bits,
                               .length = length,
                               .position = position,
                               .place = place,
                               .list_size = 5,
                               .flag_before = flag,
                               .inv_scale = inverse});
        ++turn;
      }
    }
  }
}

void full_product(Session& session, Dtype dtype, std::int64_t length) {
  for (const std::uint64_t bits : kinds_of(dtype)) {
    for (const std::int64_t position : positions_in(length)) {
      for (const Place place : kPlaces) {
        for (const float inverse : kInverses) {
          for (const float flag : {0.0f, 1.0f}) {
            expect_point(session, {.dtype = dtype,
                                   .bits = bits,
                                   .length = length,
                                   .position = position,
                                   .place = place,
                                   .list_size = 4,
                                   .flag_before = flag,
                                   .inv_scale = inverse});
          }
        }
      }
    }
  }
}

}  // namespace

CASES("amp/product") {
  kernel_case("of_kinds_positions_and_lengths", {"AMP-201", "AMP-205", "AMP-311"},
              [](Session& session) {
                for (const Dtype dtype : gradient_dtypes(session.contract()))
                  short_product(session, dtype);
              })
      .since(Release::k2_4);

  kernel_case("of_places_and_list_sizes", {"AMP-201", "AMP-311"}, [](Session& session) {
    for (const int size : kListSizes) {
      for (const Place place : {Place::kFirst, Place::kMiddle, Place::kLast}) {
        for (const Dtype dtype : {Dtype::kFloat32, Dtype::kFloat16}) {
          expect_point(session, {.dtype = dtype,
                                 .bits = non_finite_bits(dtype)[2],
                                 .length = 3,
                                 .position = 2,
                                 .place = place,
                                 .list_size = size});
        }
      }
    }
  });

  kernel_case("of_inverses_and_dtypes", {"AMP-202", "AMP-204", "AMP-208"}, [](Session& session) {
    for (const Dtype dtype : gradient_dtypes(session.contract())) {
      for (const float inverse : kInverses) {
        for (const std::uint64_t bits : kinds_of(dtype))
          expect_point(session, {.dtype = dtype, .bits = bits, .inv_scale = inverse});
      }
    }
  });

  kernel_case("of_everything_at_short_lengths", {"AMP-201", "AMP-311"},
              [](Session& session) {
                for (const Dtype dtype : gradient_dtypes(session.contract())) {
                  for (const std::int64_t length : {1, 3, 4, 5})
                    full_product(session, dtype, length);
                }
              })
      .since(Release::k2_4)
      .full();

  kernel_case("of_kinds_and_places_at_chunk_boundaries", {"AMP-201", "AMP-311"},
              [](Session& session) {
                for (const Dtype dtype : gradient_dtypes(session.contract())) {
                  for (const std::int64_t length : {65535, 65536, 65537, 131073}) {
                    for (const std::uint64_t bits : non_finite_bits(dtype)) {
                      for (const std::int64_t position : positions_in(length))
                        expect_point(
                            session,
                            {.dtype = dtype, .bits = bits, .length = length, .position = position});
                    }
                  }
                }
              })
      .full();
}

}  // namespace assay::suites

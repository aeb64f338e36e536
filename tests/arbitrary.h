// Random values of any described type, for tests of laws. Small numbers and short containers, so
// that equal values are frequent enough to matter.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "ordeal/value.h"

namespace ordeal::testing {

class Arbitrary {
 public:
  explicit Arbitrary(uint64_t seed) : state_(seed) {}

  uint64_t below(uint64_t n) {
    state_ += 0x9e3779b97f4a7c15ULL;
    return mix64(state_) % n;
  }

  template <class T>
  T make(int depth = 0) {
    using detail::Shape;
    constexpr Shape kS = detail::kShape<T>;
    T v = detail::make<T>();
    if constexpr (kS == Shape::kBoolean) {
      v = below(2) == 1;
    } else if constexpr (kS == Shape::kCharacter) {
      v = static_cast<char>(below(4) == 0 ? below(256) : 'a' + below(3));
    } else if constexpr (kS == Shape::kInteger) {
      using Limits = std::numeric_limits<T>;
      uint64_t pick = below(12);
      v = pick == 0 ? Limits::max() : pick == 1 ? Limits::min() : static_cast<T>(below(3));
    } else if constexpr (kS == Shape::kEnum) {
      v = static_cast<T>(below(4));
    } else if constexpr (kS == Shape::kReal) {
      static constexpr double kReals[] = {0.0, -0.0, 1.5, -2.25, 0.1, 1e30};
      uint64_t pick = below(11);
      v = pick < 6     ? static_cast<T>(kReals[pick])
          : pick == 6  ? std::numeric_limits<T>::quiet_NaN()
          : pick == 9  ? -std::numeric_limits<T>::quiet_NaN()
          : pick == 10 ? static_cast<T>(std::nan("77"))
          : pick == 7  ? std::numeric_limits<T>::infinity()
                       : -std::numeric_limits<T>::infinity();
    } else if constexpr (kS == Shape::kText) {
      static constexpr const char* kTexts[] = {"",      "a",        "A\"\\\n", "\xff\xfe",
                                               "$type", "\xc3\xa4", "-",       "\x01"};
      v = kTexts[below(8)];
    } else if constexpr (kS == Shape::kNode) {
      v = NodeId(static_cast<int>(below(4)));
    } else if constexpr (kS == Shape::kName) {
      v = T(static_cast<uint32_t>(below(4)));
    } else if constexpr (kS == Shape::kOptional) {
      if (below(2) == 1) v = make<typename T::value_type>(depth + 1);
    } else if constexpr (kS == Shape::kPointer) {
      if (depth < 4 && below(2) == 1) {
        using Target = std::remove_const_t<typename T::element_type>;
        v = detail::to_pointer(make<Target>(depth + 1), &v);
      }
    } else if constexpr (kS == Shape::kVariant) {
      detail::with_index<std::variant_size_v<T>>(
          below(std::variant_size_v<T>), [&]<size_t kI>(std::integral_constant<size_t, kI>) {
            v.template emplace<kI>(make<std::variant_alternative_t<kI, T>>(depth + 1));
          });
    } else if constexpr (kS == Shape::kTuple) {
      std::apply([&](auto&... part) { (fill(part, depth + 1), ...); }, v);
    } else if constexpr (kS == Shape::kArray) {
      for (auto& element : v) fill(element, depth + 1);
    } else if constexpr (kS == Shape::kRecord) {
      detail::with_fields(v, [&](auto&... field) { (fill(field, depth + 1), ...); });
    } else if constexpr (kS != Shape::kUnit) {
      uint64_t count = depth > 5 ? 0 : below(3);
      for (uint64_t i = 0; i < count; ++i) {
        if constexpr (kS == Shape::kMap) {
          auto key = make<typename T::key_type>(depth + 1);
          v.emplace(std::move(key), make<typename T::mapped_type>(depth + 1));
        } else {
          v.insert(v.end(), make<typename T::value_type>(depth + 1));
        }
      }
    }
    return v;
  }

 private:
  template <class T>
  void fill(T& v, int depth) {
    v = make<T>(depth);
  }

  uint64_t state_;
};

}  // namespace ordeal::testing

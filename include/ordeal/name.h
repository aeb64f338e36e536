// Name: one of a few values that differ in nothing but which is which: keys, request ids, colours.
//
//   struct Colour;                                   // any type; it need not be defined
//   struct Vertex { ordeal::Name<Colour> colour; };
//   system.interchangeable<ordeal::Name<Colour>>(3); // 0, 1 and 2 may be exchanged
//
// A type of its own, so that the value layer can find and rename every name inside states, messages
// and histories. Names can be compared; a system that makes more of them than equal or different
// (which comes first, which is odd) does not treat them alike.
#pragma once

#include <compare>
#include <cstdint>

namespace ordeal {

template <class Tag>
struct Name {
  uint32_t value = 0;

  constexpr Name() = default;
  constexpr explicit Name(uint32_t v) : value(v) {}
  friend constexpr auto operator<=>(const Name&, const Name&) = default;
};

}  // namespace ordeal

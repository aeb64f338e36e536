#include "value/real.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <limits>

#include "base/mutant.h"
#include "ordeal/detail/content.h"

namespace ordeal {

namespace detail {

uint64_t ordered_bits(double d) {
  if (mutant(Mutant::kZerosAreOne) && d == 0) d = 0.0;
  const uint64_t bits = std::bit_cast<uint64_t>(d);
  return bits >> 63 != 0 ? ~bits : bits | (uint64_t{1} << 63);
}

uint64_t ordered_bits(float f) {
  if (!std::isnan(f)) return ordered_bits(static_cast<double>(f));
  // Converting a NaN may change it: its bits are moved by hand.
  const uint64_t bits = std::bit_cast<uint32_t>(f);
  const uint64_t wide = (bits >> 31) << 63 | uint64_t{0x7ff} << 52 | (bits & 0x7fffff) << 29;
  return ordered_bits(std::bit_cast<double>(wide));
}

}  // namespace detail

namespace value {
namespace {

constexpr std::string_view kNan = "nan";
constexpr uint64_t kUsualNan = 0x7ff8000000000000ULL;
constexpr uint64_t kSign = uint64_t{1} << 63;

}  // namespace

std::string real_text(double d) {
  char buffer[32];
  if (std::isnan(d)) {
    const uint64_t bits = std::bit_cast<uint64_t>(d);
    if (bits == kUsualNan) return std::string(kNan);
    if (bits == (kUsualNan | kSign)) return "-" + std::string(kNan);
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, bits, 16).ptr;
    return std::string(kNan) + ":" + std::string(buffer, end);
  }
  if (std::isinf(d)) return d > 0 ? "inf" : "-inf";
  std::string text(buffer, std::to_chars(buffer, buffer + sizeof buffer, d).ptr);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

bool special_real(std::string_view text, double& out) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (text == "inf" || text == "-inf") {
    out = text == "inf" ? kInfinity : -kInfinity;
    return true;
  }
  const bool negative = text == "-nan";
  uint64_t bits = negative ? kUsualNan | kSign : kUsualNan;
  if (text != kNan && !negative) {
    if (!text.starts_with("nan:")) return false;
    const auto read = std::from_chars(text.data() + 4, text.data() + text.size(), bits, 16);
    if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return false;
  }
  out = std::bit_cast<double>(bits);
  return std::isnan(out);
}

}  // namespace value
}  // namespace ordeal

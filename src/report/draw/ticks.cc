#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "report/draw/plot.h"

namespace ordeal::report {
namespace {

std::vector<double> linear_ticks(double low, double high, size_t about) {
  const double rough = (high - low) / static_cast<double>(std::max<size_t>(1, about));
  const double power = std::pow(10, std::floor(std::log10(rough)));
  const double share = rough / power;
  const double step = (share < 1.5 ? 1 : share < 3.5 ? 2 : share < 7.5 ? 5 : 10) * power;
  std::vector<double> ticks;
  // By whole multiples, so that nothing adds up; a little slack for ends that are ticks themselves.
  const double first = std::ceil(low / step - 1e-9);
  const double last = std::floor(high / step + 1e-9);
  for (double i = first; i <= last; ++i) ticks.push_back(i == 0 ? 0 : i * step);
  return ticks;
}

std::vector<double> logarithmic_ticks(double low, double high, size_t about) {
  const int first = static_cast<int>(std::floor(std::log10(low) + 1e-9));
  const int last = static_cast<int>(std::ceil(std::log10(high) - 1e-9));
  const double decades = std::log10(high / low);
  const int every = std::max(
      1, static_cast<int>(std::ceil(decades / static_cast<double>(std::max<size_t>(1, about)))));
  std::vector<double> ticks;
  for (int power = first; power <= last; ++power) {
    if ((power - first) % every != 0) continue;
    for (const double share : {1.0, 2.0, 5.0}) {
      if (share != 1 && decades * 2 > static_cast<double>(about)) continue;
      const double tick = share * std::pow(10, power);
      if (tick >= low * (1 - 1e-9) && tick <= high * (1 + 1e-9)) ticks.push_back(tick);
    }
  }
  return ticks;
}

std::string tick_text(double tick, double unit, const char* suffix, int digits) {
  const double shown = std::abs(tick) / unit;
  const std::string sign = tick < 0 ? "−" : "";
  if (tick == 0) return "0";
  if (digits < 0) return sign + fmt::format("{:.3g}", std::abs(tick));
  if (digits == 0) return sign + grouped(static_cast<uint64_t>(std::llround(shown))) + suffix;
  return sign + fmt::format("{:.{}f}", shown, digits) + suffix;
}

}  // namespace

std::vector<double> round_ticks(double low, double high, size_t about, bool logarithmic) {
  return logarithmic ? logarithmic_ticks(low, high, about) : linear_ticks(low, high, about);
}

std::vector<std::string> tick_texts(const std::vector<double>& ticks) {
  double most = 0;
  double apart = 0;  // the least distance of two, and of one from 0
  for (size_t i = 0; i < ticks.size(); ++i) {
    most = std::max(most, std::abs(ticks[i]));
    for (const double one : {std::abs(ticks[i]), i > 0 ? ticks[i] - ticks[i - 1] : 0}) {
      if (one > 0 && (apart == 0 || one < apart)) apart = one;
    }
  }
  const bool huge = most >= 1e13 || (apart > 0 && apart < 1e-6);
  const bool wide = apart > 0 && most / apart >= 1e5;  // a logarithmic axis: each its own unit
  std::vector<std::string> out;
  for (const double tick : ticks) {
    const double size = wide ? std::abs(tick) : most;
    const double unit = size >= 1e9 ? 1e9 : size >= 1e6 ? 1e6 : 1;
    const char* suffix = unit == 1e9 ? "G" : unit == 1e6 ? "M" : "";
    const double step = (wide ? std::abs(tick) : apart) / unit;
    const int digits =
        huge ? -1
             : std::clamp(static_cast<int>(std::ceil(-std::log10(step > 0 ? step : 1) - 1e-9)), 0,
                          8);
    out.push_back(tick_text(tick, unit, suffix, digits));
  }
  return out;
}

}  // namespace ordeal::report

// The studentized range, by integrating twice: over the largest of the normal numbers, and over the
// deviation that divides their range. Both integrands are smooth, so that a few hundred points of
// Gauss and Legendre's rule are enough; the points are the same on every machine.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "experiment/distributions.h"

namespace ordeal::experiment {
namespace {

constexpr size_t kPoints = 16;        // of the rule
constexpr double kFar = 9;            // beyond this a normal number does not matter
constexpr double kWholeRange = 14;    // a range of normal numbers is smaller, as good as surely
constexpr double kManyDegrees = 1e5;  // from so many degrees on, the deviation is taken to be 1

struct Node {
  double at = 0;
  double weight = 0;
};

// On [-1, 1]: the roots of the Legendre polynomial, by Newton's method.
std::array<Node, kPoints> legendre_rule() {
  std::array<Node, kPoints> rule;
  for (size_t i = 0; i < kPoints; ++i) {
    double x = std::cos(std::numbers::pi * (static_cast<double>(i) + 0.75) / (kPoints + 0.5));
    double slope = 0;
    for (int round = 0; round < 50; ++round) {
      double before = 1;
      double value = x;
      for (size_t degree = 2; degree <= kPoints; ++degree) {
        const double d = static_cast<double>(degree);
        const double next = ((2 * d - 1) * x * value - (d - 1) * before) / d;
        before = value;
        value = next;
      }
      slope = kPoints * (x * value - before) / (x * x - 1);
      const double step = value / slope;
      x -= step;
      if (std::abs(step) < 1e-16) break;
    }
    rule[i] = {x, 2 / ((1 - x * x) * slope * slope)};
  }
  return rule;
}

void add_nodes(std::vector<Node>& nodes, double from, double to, int panels) {
  static const std::array<Node, kPoints> rule = legendre_rule();
  if (to <= from) return;
  const double half = (to - from) / panels / 2;
  for (int panel = 0; panel < panels; ++panel) {
    const double middle = from + half * (2 * panel + 1);
    for (const Node& node : rule) nodes.push_back({middle + half * node.at, half * node.weight});
  }
}

double normal_cdf(double x) { return std::erfc(-x / std::numbers::sqrt2) / 2; }

// Where the largest of the numbers lies, with the density there and what lies below.
struct Largest {
  double at = 0;
  double weight = 0;
  double below = 0;
};
const std::vector<Largest>& largest_ones() {
  static const std::vector<Largest> all = [] {
    std::vector<Node> nodes;
    add_nodes(nodes, -kFar, kFar, 12);
    std::vector<Largest> out;
    for (const Node& node : nodes) {
      const double density = std::exp(-node.at * node.at / 2) / std::sqrt(2 * std::numbers::pi);
      out.push_back({node.at, node.weight * density, normal_cdf(node.at)});
    }
    return out;
  }();
  return all;
}

// P(range <= width): one of the numbers is the largest, and all others are below it by at most
// `width`.
double range_cdf(double width, double groups) {
  if (width <= 0) return 0;
  double sum = 0;
  for (const Largest& one : largest_ones()) {
    const double inside = std::max(0.0, one.below - normal_cdf(one.at - width));
    sum += one.weight * std::pow(inside, groups - 1);
  }
  return std::min(1.0, groups * sum);
}

}  // namespace

double studentized_range_cdf(double q, double groups, double degrees) {
  if (std::isnan(q)) return q;
  if (q <= 0) return 0;
  if (std::isinf(q)) return 1;
  if (degrees > kManyDegrees) return range_cdf(q, groups);
  // The deviation is the root of a chi-square over its degrees: about 1. Beyond ten of its own
  // deviations there is nothing to be seen.
  const double spread = 10 / std::sqrt(2 * degrees);
  const double low = std::max(0.0, 1 - spread);
  const double high = 1 + spread;
  const double whole = std::clamp(kWholeRange / q, low, high);
  std::vector<Node> nodes;
  add_nodes(nodes, low, whole, 16);
  const size_t open = nodes.size();
  add_nodes(nodes, whole, high, 16);
  double sum = 0;
  double all = 0;  // the constant of the density cancels out
  for (size_t i = 0; i < nodes.size(); ++i) {
    const double s = nodes[i].at;
    const double density =
        nodes[i].weight * std::exp((degrees - 1) * std::log(s) - degrees * (s * s - 1) / 2);
    all += density;
    sum += density * (i < open ? range_cdf(q * s, groups) : 1);
  }
  return std::min(1.0, sum / all);
}

double studentized_range_upper(double q, double groups, double degrees) {
  return 1 - studentized_range_cdf(q, groups, degrees);
}

double studentized_range_quantile(double p, double groups, double degrees) {
  const auto excess = [&](double q) { return studentized_range_cdf(q, groups, degrees) - p; };
  double low = 0;
  double below = -p;
  double high = 4;
  double above = excess(high);
  while (above < 0 && high < 1e9) {
    low = high;
    below = above;
    high *= 2;
    above = excess(high);
  }
  // By the line between the two ends; an end that stays has its value halved (the Illinois rule).
  int stayed = 0;
  for (int round = 0; round < 200 && high - low > 1e-12 * high && above > 0; ++round) {
    const double q = std::clamp(low - below * (high - low) / (above - below), low, high);
    const double value = excess(q);
    if (std::abs(value) < 1e-14) return q;
    if (value < 0) {
      low = q;
      below = value;
      if (stayed > 0) above /= 2;
      stayed = 1;
    } else {
      high = q;
      above = value;
      if (stayed < 0) below /= 2;
      stayed = -1;
    }
  }
  return above > 0 ? (low + high) / 2 : high;
}

}  // namespace ordeal::experiment

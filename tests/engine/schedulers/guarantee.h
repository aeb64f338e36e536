// The guarantee of PCTCP, put to the test on all small partial orders: whether every list of d
// events that can come in that order is strongly hit (src/explore/schedule/pctcp.h) often enough.
#pragma once

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "base/rng.h"
#include "explore/schedule/pctcp.h"
#include "tests/engine/schedulers/posets.h"

namespace ordeal::oracle::schedulers {

// Makes a schedule of the poset, all of whose random choices it draws.
using Schedule = std::vector<int>;
using MakeSchedule = std::function<Schedule(const Poset&, int depth, const explore::Draw&)>;

// What is possible and has not happened, with what becomes possible by what happens.
class Unfolding {
 public:
  explicit Unfolding(const Poset& poset) : poset_(poset) {}

  // Those that are possible now and were not when this was asked before.
  std::vector<int> fresh() {
    std::vector<int> out;
    for (int e = 0; e < poset_.size; ++e) {
      if ((known_ >> e & 1) || (poset_.below[e] & ~done_) != 0) continue;
      known_ |= 1U << e;
      possible_.push_back(e);
      out.push_back(e);
    }
    return out;
  }
  const std::vector<int>& possible() const { return possible_; }
  void happen(int event) {
    done_ |= 1U << event;
    std::erase(possible_, event);
    schedule_.push_back(event);
  }
  bool is_over() const { return static_cast<int>(schedule_.size()) == poset_.size; }
  const Schedule& schedule() const { return schedule_; }

 private:
  const Poset& poset_;
  uint32_t known_ = 0;
  uint32_t done_ = 0;
  std::vector<int> possible_;
  Schedule schedule_;
};

// As src/explore does it.
inline Schedule schedule_by_pctcp(const Poset& poset, int depth, const explore::Draw& draw) {
  explore::Pctcp pctcp(static_cast<uint32_t>(depth), static_cast<uint64_t>(poset.size), draw);
  std::vector<uint32_t> number(poset.size, 0);
  Unfolding run(poset);
  while (!run.is_over()) {
    const std::vector<int> fresh = run.fresh();
    const uint32_t first = pctcp.size();
    std::vector<explore::Clock> pasts(fresh.size());
    for (size_t i = 0; i < fresh.size(); ++i) {
      number[fresh[i]] = first + static_cast<uint32_t>(i);
      for (int e = 0; e < poset.size; ++e) {
        if (poset.is_below(e, fresh[i])) explore::add_to(pasts[i], pctcp.place(number[e]));
      }
    }
    pctcp.add(static_cast<uint32_t>(fresh.size()),
              [&](uint32_t event) -> const explore::Clock& { return pasts[event - first]; });
    run.happen(*std::min_element(run.possible().begin(), run.possible().end(),
                                 [&](int a, int b) { return pctcp.before(number[a], number[b]); }));
  }
  return run.schedule();
}

class StrongHits {
 public:
  explicit StrongHits(const Poset& poset) : rest_(poset.size, 0) {
    for (int e = 0; e < poset.size; ++e) from_.push_back(poset.from(e));
  }

  void set(const Schedule& schedule) {
    uint32_t rest = 0;
    for (size_t at = schedule.size(); at-- > 0;) {
      rest |= 1U << schedule[at];
      rest_[schedule[at]] = rest;
    }
  }
  bool includes(const std::vector<int>& tuple) const {
    uint32_t allowed = 0;
    for (size_t i = tuple.size(); i-- > 0;) {
      allowed |= from_[tuple[i]];
      if ((rest_[tuple[i]] & ~allowed) != 0) return false;
    }
    return true;
  }

 private:
  std::vector<uint32_t> from_;  // by event: it and all that comes after it by its causes
  std::vector<uint32_t> rest_;  // … and all that the schedule has there and later
};

inline bool strongly_hits(const Poset& poset, const Schedule& schedule,
                          const std::vector<int>& tuple) {
  StrongHits hits(poset);
  hits.set(schedule);
  return hits.includes(tuple);
}

// The lists of `depth` different events that some schedule has in that order.
inline std::vector<std::vector<int>> tuples(const Poset& poset, int depth) {
  std::vector<std::vector<int>> out = {{}};
  for (int i = 0; i < depth; ++i) {
    std::vector<std::vector<int>> longer;
    for (const std::vector<int>& tuple : out) {
      for (int e = 0; e < poset.size; ++e) {
        const bool impossible = std::any_of(tuple.begin(), tuple.end(), [&](int earlier) {
          return earlier == e || poset.is_below(e, earlier);
        });
        if (impossible) continue;
        longer.push_back(tuple);
        longer.back().push_back(e);
      }
    }
    out = std::move(longer);
  }
  return out;
}

inline double promised(const Poset& poset, int depth) {
  return 1 / (std::pow(poset.width(), 2) * std::pow(poset.size, depth - 1));
}

// P[X <= hits] for X binomially distributed.
inline double binomial_tail(uint64_t samples, uint64_t hits, double probability) {
  const double n = static_cast<double>(samples);
  double sum = 0;
  for (uint64_t i = 0; i <= hits; ++i) {
    const double k = static_cast<double>(i);
    sum += std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) +
                    k * std::log(probability) + (n - k) * std::log1p(-probability));
  }
  return sum;
}

inline std::string told(const Poset& poset, const std::vector<int>& tuple,
                        const std::string& what) {
  std::string text = "events";
  for (int e = 0; e < poset.size; ++e) {
    text += " " + std::to_string(e) + "(after";
    for (int a = 0; a < poset.size; ++a)
      text += poset.is_below(a, e) ? " " + std::to_string(a) : "";
    text += ")";
  }
  text += ", list";
  for (const int e : tuple) text += " " + std::to_string(e);
  return text + ": " + what;
}

// One-sided binomial tests: every list must be hit so often that fewer hits than seen have a
// probability of at least 10⁻⁶ if the promise is kept. The first one that is not; "": all are.
inline std::string broken_promise(const MakeSchedule& make, int most_events, int depth) {
  constexpr double kLevel = 1e-6;
  for (int size = 1; size <= most_events; ++size) {
    uint64_t number = 0;
    for (const Poset& poset : posets(size)) {
      const double probability = promised(poset, depth);
      if (probability == 1) continue;  // a chain, and d = 1: there is one schedule
      // So many that a list that is never hit is noticed.
      const uint64_t samples = std::max<uint64_t>(1000, static_cast<uint64_t>(15 / probability));
      Rng rng(combine(combine(static_cast<uint64_t>(size), number++), 7));
      const explore::Draw draw = [&](uint64_t n) { return rng.below(n); };
      const auto lists = tuples(poset, depth);
      std::vector<uint64_t> hits(lists.size(), 0);
      StrongHits hit(poset);
      for (uint64_t i = 0; i < samples; ++i) {
        hit.set(make(poset, depth, draw));
        for (size_t t = 0; t < lists.size(); ++t) {
          if (hit.includes(lists[t])) ++hits[t];
        }
      }
      for (size_t t = 0; t < lists.size(); ++t) {
        if (static_cast<double>(hits[t]) >= probability * static_cast<double>(samples)) continue;
        if (binomial_tail(samples, hits[t], probability) >= kLevel) continue;
        return told(poset, lists[t],
                    "hit " + std::to_string(hits[t]) + " times of " + std::to_string(samples) +
                        ", promised a probability of " + std::to_string(probability));
      }
    }
  }
  return "";
}

// The same without sampling: all that can be drawn is drawn once, and probabilities added up.
inline std::string broken_promise_exactly(const MakeSchedule& make, int most_events, int depth) {
  for (int size = 1; size <= most_events; ++size) {
    for (const Poset& poset : posets(size)) {
      const auto lists = tuples(poset, depth);
      std::vector<double> sums(lists.size(), 0);
      StrongHits hit(poset);
      std::vector<std::pair<uint64_t, uint64_t>> drawn;  // what, and below what
      do {
        size_t next = 0;
        double probability = 1;
        hit.set(make(poset, depth, [&](uint64_t n) {
          if (next == drawn.size()) drawn.emplace_back(0, n);
          probability /= static_cast<double>(n);
          return drawn[next++].first;
        }));
        for (size_t t = 0; t < lists.size(); ++t) {
          if (hit.includes(lists[t])) sums[t] += probability;
        }
        while (!drawn.empty() && drawn.back().first + 1 == drawn.back().second) drawn.pop_back();
        if (!drawn.empty()) ++drawn.back().first;
      } while (!drawn.empty());
      for (size_t t = 0; t < lists.size(); ++t) {
        if (sums[t] > promised(poset, depth) - 1e-9) continue;
        return told(poset, lists[t],
                    "hit with probability " + std::to_string(sums[t]) + ", promised " +
                        std::to_string(promised(poset, depth)));
      }
    }
  }
  return "";
}

}  // namespace ordeal::oracle::schedulers

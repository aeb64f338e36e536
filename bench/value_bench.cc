// The value layer: what hashing a flat state and a structured one costs.
#include <benchmark/benchmark.h>

#include <array>
#include <map>
#include <string>

#include "ordeal/value.h"

namespace {

struct Flat {
  std::array<uint16_t, 11> words{};
  uint16_t last = 0;
};

struct Structured {
  std::map<int, std::string> table;
  std::vector<int> log;
};

void hash_flat(benchmark::State& state) {
  Flat flat;
  for (auto _ : state) {
    ++flat.last;
    benchmark::DoNotOptimize(ordeal::value::hash(flat));
  }
}

void hash_structured(benchmark::State& state) {
  Structured value{{{1, "one"}, {2, "two"}, {3, "three"}}, {1, 2, 3, 4, 5}};
  for (auto _ : state) {
    ++value.log[0];
    benchmark::DoNotOptimize(ordeal::value::hash(value));
  }
}

}  // namespace

BENCHMARK(hash_flat);
BENCHMARK(hash_structured);

BENCHMARK_MAIN();

// Learners that are led by machines and by distances, for tests.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "ordeal/check.h"
#include "protocols/cube_world/cube_world.h"
#include "tests/oracle/learning/machines.h"

namespace ordeal::oracle::learning::guided {

using protocols::cube_world::CubeWorld;

inline Model<CubeWorld> cubes() {
  CubeWorld world;
  world.cubes = 4;
  world.width = world.breadth = 5;
  world.depth = 3;
  return protocols::cube_world::model(world);
}

inline Options with(std::map<std::string, std::string> settings) {
  Options options;
  options.strategy = "waypoint";
  options.system = "yard";
  options.strategy_options = {{"episodes", "400"}, {"horizon", "40"}};
  for (auto& [name, value] : settings) options.strategy_options[name] = value;
  return options;
}

inline Learning learned(const Checkable& subject, const Options& options) {
  const Result<Report> report = check(subject, options);
  EXPECT_TRUE(report) << (report ? "" : report.error().message);
  return report && report->learning ? *report->learning : Learning{};
}

inline std::string refused(const Checkable& subject, const Options& options) {
  const auto report = check(subject, options);
  return report ? "accepted" : report.error().message;
}

}  // namespace ordeal::oracle::learning::guided

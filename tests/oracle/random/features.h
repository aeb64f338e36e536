// What random systems may contain, by name.
#pragma once

#include <string>
#include <vector>

namespace ordeal::oracle {

// What a suite of generated cases must have seen, all of it.
inline const std::vector<std::string>& all_features() {
  static const std::vector<std::string> features = {"nodes 1",
                                                    "nodes 2",
                                                    "nodes 3",
                                                    "nodes 4",
                                                    "two node types",
                                                    "messages of one name",
                                                    "decisions of one name",
                                                    "operations of one name",
                                                    "requests of one name",
                                                    "negative zero",
                                                    "partitions before nodes",
                                                    "faults before nodes",
                                                    "properties before nodes",
                                                    "ids from elsewhere",
                                                    "component",
                                                    "component that chooses",
                                                    "request",
                                                    "broadcast",
                                                    "post",
                                                    "choose",
                                                    "choose twice",
                                                    "start that chooses",
                                                    "persist",
                                                    "decide",
                                                    "history",
                                                    "timer",
                                                    "idle timer",
                                                    "timed",
                                                    "prompt",
                                                    "network bag",
                                                    "network set",
                                                    "network ordered",
                                                    "drops",
                                                    "duplicates",
                                                    "crash",
                                                    "recoveries",
                                                    "crash at persist",
                                                    "detector perfect",
                                                    "detector eventually perfect",
                                                    "partitions any",
                                                    "partitions given",
                                                    "skip no-ops",
                                                    "within",
                                                    "no deadlock",
                                                    "free rules",
                                                    "failing handler",
                                                    "always global",
                                                    "always each",
                                                    "always each correct",
                                                    "always pairs",
                                                    "always correct pairs",
                                                    "agreement",
                                                    "agreement correct",
                                                    "decides at most once",
                                                    "every decision",
                                                    "linearizable",
                                                    "sometimes",
                                                    "eventually global",
                                                    "eventually each",
                                                    "eventually decides"};
  return features;
}

}  // namespace ordeal::oracle

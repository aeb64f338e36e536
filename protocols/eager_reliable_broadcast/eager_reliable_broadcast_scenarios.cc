#include "ordeal/scenario.h"
#include "protocols/eager_reliable_broadcast/eager_reliable_broadcast.h"

namespace ordeal::protocols::eager_reliable_broadcast {
namespace {

// The source crashes in the middle of its broadcast: node 2 has the message, node 3 never gets it
// from the source.
Scenario source_crashes(const Arguments&) {
  Scenario scenario("source-crashes-in-the-middle");
  scenario.what("what one correct node delivers reaches all, though the source is gone")
      .faults(Scenario::Faults::kOnlyByFilters)
      .filter(when(is_send() && is_message<Data>() && from(1) && to(3)).then(drop()))
      .filter(when(is_receive() && is_message<Data>() && from(1) && to(2)).then(crash(1)))
      .machine(Machine("waiting").on("waiting", decides() && at(3), Machine::kSuccess));
  return scenario;
}

// Every message arrives three times, and is delivered once.
Scenario three_copies(const Arguments&) {
  Scenario scenario("three-copies-of-everything");
  scenario.what("a message that arrives three times is delivered once")
      .filter(when(is_send() && is_message<Data>()).then(duplicate(2)))
      .machine(Machine("waiting")
                   .on("waiting", decides() && at(2), "delivered")
                   .on("delivered", decides() && at(2), Machine::kFailure)
                   .on("delivered", ended(), Machine::kSuccess));
  return scenario;
}

// Node 3 only hears of the message from others, and must know whose it is.
Scenario hearsay(const Arguments&) {
  Scenario scenario("hearsay");
  scenario.what("who hears of a message only from others knows its source")
      .filter(when(is_send() && from(1) && to(3)).then(drop()))
      .machine(Machine("waiting")
                   .on("waiting",
                       at(3) && carries<Data>([](const Data& d) { return d.source != 1; }),
                       Machine::kFailure)
                   .on("waiting", decides() && at(3), Machine::kSuccess));
  return scenario;
}

}  // namespace

std::vector<SuiteScenario> scenarios() {
  const std::string subject = "eager-reliable-broadcast";
  return {
      {"source-crashes-in-the-middle", subject, {{"crash", "1"}}, "no-relay", source_crashes},
      {"three-copies-of-everything", subject, {}, "deliver-twice", three_copies},
      {"hearsay", subject, {}, "relay-as-own", hearsay},
  };
}

}  // namespace ordeal::protocols::eager_reliable_broadcast

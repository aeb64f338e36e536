// Address: a run, by what leads to it. The server keeps no runs; it goes there again.
#pragma once

#include <map>
#include <string>

#include "ordeal/trace.h"
#include "serve/ask.h"
#include "suite/choose.h"
#include "trace/json_read.h"

namespace ordeal::serve {

struct Address {
  std::string system = {};
  std::map<std::string, std::string> parameters = {};  // "bug" names the planted bug
  std::string scenario = {};
  bool free_faults = false;
  ShortForm way = {};
};

// What is wrong with it is told at the place.
Address read_address(const trace::Place& place);
// Names, and texts for values, as parameters are.
std::map<std::string, std::string> read_parameters(const trace::Place& place);

Json to_json(const Address& address);
// All of it but the way, as a text that no other subject has.
std::string subject_key(const Address& address);
Address address_of(const Trace& trace);

// The subject, under the scenario and with free faults where the address says so.
Result<Chosen> choose(const Suite& suite, const Address& address);

}  // namespace ordeal::serve

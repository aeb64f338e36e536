// Addresses as JSON. The server keeps no runs; it goes there again.
#pragma once

#include <map>
#include <string>

#include "serve/ask.h"
#include "suite/choose.h"
#include "trace/json_read.h"

namespace ordeal::serve {

// What is wrong with it is told at the place.
Address read_address(const trace::Place& place);
// Names, and texts for values, as parameters are.
std::map<std::string, std::string> read_parameters(const trace::Place& place);

Json address_json(const Address& address);
// All of it but the way, as a text that no other subject has.
std::string subject_key(const Address& address);

}  // namespace ordeal::serve

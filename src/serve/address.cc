#include "serve/address.h"

#include "trace/short_form.h"

namespace ordeal::serve {

std::map<std::string, std::string> read_parameters(const trace::Place& place) {
  std::map<std::string, std::string> parameters;
  place.each_field(
      [&](const std::string& name, const trace::Place& value) { parameters[name] = value.text(); });
  return parameters;
}

Address read_address(const trace::Place& place) {
  Address address;
  address.system = place["system"].text();
  address.parameters = read_parameters(place["parameters"]);
  address.scenario = place["scenario"].text_or_empty();
  if (const trace::Place free = place["free_faults"]; !free.absent()) {
    if (!free.json().is_boolean()) free.fail("true or false");
    address.free_faults = free.json() == true;
  }
  const Result<ShortForm> way = parse_short_form(place["short"].text_or_empty());
  if (!way) {
    place["short"].refuse(way.error().message);
    return address;
  }
  address.way = *way;
  return address;
}

Json address_json(const Address& address) {
  return {{"system", address.system},
          {"parameters", address.parameters},
          {"scenario", address.scenario},
          {"short", trace::short_form(address.way)},
          {"free_faults", address.free_faults}};
}

std::string subject_key(const Address& address) {
  return line({address.system, address.parameters, address.scenario, address.free_faults});
}

}  // namespace ordeal::serve

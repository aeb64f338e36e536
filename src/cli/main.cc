// The `ordeal` command: the command line over the protocols of this repository.
#include "ordeal/suite.h"
#include "protocols/suite.h"

int main(int argc, char** argv) { return ordeal::main(argc, argv, ordeal::protocols::suite()); }

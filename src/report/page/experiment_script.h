// Style and script of an experiment's page.
#pragma once

namespace ordeal::report {

extern const char* const kExperimentStyle;
// It finds the plots as JSON in the element with the id "plots", and draws each into an element of
// class "plot".
extern const char* const kExperimentScript;

}  // namespace ordeal::report

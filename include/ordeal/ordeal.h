// All of Ordeal's public API. Read first: system.h and node.h (writing a system of nodes),
// context.h (what a handler may do), predicate.h (what must be true), check.h (exploring it),
// suite.h (a command line for it). model.h is for raw models, history.h for client histories,
// trace.h for traces, value.h for describing types, dynamic.h and dynamic_node.h for types and
// nodes of run time, name.h and symmetry.h for what is alike, compare.h for comparing strategies,
// live.h for running a system in real time, tla.h for following a specification in TLA+, limits.h
// for code that does not return.
#pragma once

#include "ordeal/ablate.h"
#include "ordeal/action.h"
#include "ordeal/check.h"
#include "ordeal/compare.h"
#include "ordeal/condition.h"
#include "ordeal/context.h"
#include "ordeal/dynamic.h"
#include "ordeal/dynamic_node.h"
#include "ordeal/event.h"
#include "ordeal/filter.h"
#include "ordeal/history.h"
#include "ordeal/limits.h"
#include "ordeal/live.h"
#include "ordeal/machine.h"
#include "ordeal/model.h"
#include "ordeal/name.h"
#include "ordeal/node.h"
#include "ordeal/predicate.h"
#include "ordeal/property.h"
#include "ordeal/report.h"
#include "ordeal/result.h"
#include "ordeal/scenario.h"
#include "ordeal/scenario_context.h"
#include "ordeal/scenario_run.h"
#include "ordeal/steering.h"
#include "ordeal/suite.h"
#include "ordeal/symmetry.h"
#include "ordeal/system.h"
#include "ordeal/tla.h"
#include "ordeal/trace.h"
#include "ordeal/value.h"
#include "ordeal/view.h"
#include "ordeal/where.h"
#include "ordeal/world.h"

#pragma once
// A level in virtual time: the engine model driven by a plan, as fast as it can be computed. It keeps the
// contract of core/course.h and fills the records as the HTTP client would against http_server.h with
// no network between. Does not know the method: the course decides when to stop.

#include "core/course.h"
#include "core/plan.h"
#include "core/record.h"
#include "engine/parameters.h"

namespace loadline {

/// Runs `plan` from records.started on, on an engine that starts empty and with an empty cache; returns
/// when the course has finished or the plan and all in flight have. Requests without a due time are sent
/// when a user is free: as many users as the level's concurrency, of whom each sends the next planned request
/// at the moment its last one ended; in a level of a request rate each of them is sent at once. Turns that wait for
/// another (AfterTurn) are sent when core/releases.h says so, as over HTTP.
///
/// Tokens count as told by the server, every one in a chunk of its own. What the engine can never serve is
/// answered at once as http_4xx. What is in flight at the end is censored. In the end records.requests
/// holds the released requests only, state is "complete", `client` stays empty: there was none.
///
/// Throws Error where the plan does not say how long a prompt or an answer is: the model needs both.
void simulate_level(const Plan& plan, LevelCourse& course, const EngineParameters& parameters, LevelRecords& records);

}  // namespace loadline

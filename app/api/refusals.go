package api

import "foyer/app/assembly"

// Refusals lists, by operation, the reasons in the refusals of its verb. web.Options.Refusals takes it. Each domain
// declares its own reasons (Refuses of its declare.go). A test of this package fails on any other reason, since the
// document does not list it.
var Refusals = assembly.Refusals()

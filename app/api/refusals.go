package api

import "foyer/app/assembly"

// Refusals name, by operation, what its verb refuses with a reason; web.Options.Refusals wants them. Each domain declares its own
// (Refuses of its declare.go). A test of this package that sees another reason fails: the document does not list it.
var Refusals = assembly.Refusals()

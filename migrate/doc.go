// Package migrate brings a database to this build's schema.
//
// Package schema describes every table. The files in sql/ make them: those that package plan wrote from the schema ("make
// migration"), and beside them hand-written ones with the functions, triggers, exclusion constraints and look-ups that it
// cannot describe. A drift test holds schema and files together, both ways. atlas.sum guards applied files against edits.
// Several processes may start at once: a session lock lets one migrate and the others wait. River's own migrations run as
// step 2, so that there is one history.
package migrate

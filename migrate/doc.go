// Package migrate brings a database to this build's schema.
//
// The SQL files in sql/ are the truth of the schema; package schema mirrors them for ent, and a drift test holds the two
// together. atlas.sum guards applied files against edits. Several processes may start at once: a session lock lets one
// migrate and the others wait. River's own migrations run as step 2, so that there is one history.
package migrate

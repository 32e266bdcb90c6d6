// Package policy checks the permissions of actors.
//
// A feature is a permission by its public name, "catalog.manage"; the closed list is All. A role is a bundle of
// features, each with a reach: everything, everything at assigned locations, or the person's own rows. The built-in
// roles are roles.csv, one line per grant, decided by casbin under model.conf and compiled once to maps, while a
// server starts: a check is a map look-up. A wrong line stops the program at start. docs/roles.md publishes the same
// table.
//
// The assignments of roles to people and locations are tenant data. The loader of a person's assignments calls
// GrantsFor and puts the result in the Scope; every verb then begins with one of
//
//	Require     the act concerns the whole business: a setting, a key, a role
//	RequireAt   the act concerns one location or a record of it
//	RequireRow  the row names a person, and that person is permitted too: the instructor and their own session
//	Where       a list: the rows to show; leave the others out
//	RequireAny  the location is not known yet, or the data belongs to no location
//
// The location of an assignment decides, not the letter in the table. A role assigned to the whole business holds all
// its features at all locations, those made for locations too. A role assigned to one location holds every feature
// there and nowhere else, also those made for the whole business: an accountant of one location reads that location's
// payments, and a verb that calls Require refuses them. Features for own rows follow the person instead of the
// location: the instructor of a session may check its guests in, also as a substitute at another location. Several
// assignments add up; none reduces another.
//
// Some grants are limited: the front desk refunds, but up to a cap. RequireAt and Where let them through, and
// WhereFull returns the rows without a limit. All describes the limits.
//
// This package has no access to people, rows and requests, and never reads the database.
package policy

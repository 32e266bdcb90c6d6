// Package policy answers one question: may this actor do this?
//
// A feature is a permission by its public name, "catalog.manage"; the closed list is All. A role is a bundle of features,
// each with a reach: everything, everything at assigned locations, or the person's own rows. The built-in roles are
// roles.csv, one line per grant, decided by casbin under model.conf and compiled once to maps, while a server starts: a
// check is a map look-up. A wrong line stops the program at start. docs/roles.md publishes the same table.
//
// Who has which role, and where, is tenant data. Whoever loads a person's assignments calls GrantsFor and puts the
// result in the Scope; every verb then begins with one of
//
//	Require     the act concerns the whole business: a setting, a key, a role
//	RequireAt   the act concerns one location or what belongs to it
//	RequireRow  the row names a person, and that person may do it too: the instructor and their own session
//	Where       a list: which rows to show; leave the others out
//	RequireAny  the place is not known yet, or what is shown belongs to no place
//
// The place of an assignment decides, not the letter in the table. A role assigned to the whole business holds all its
// features at all locations, those made for locations too. A role assigned to one location holds every feature there and
// nowhere else, also those made for the whole business: an accountant of one location reads that location's payments,
// and a verb that asks Require refuses them. Features for own rows follow the person instead of the place: whoever is
// put on a session may check its guests in, also as a substitute elsewhere. Several assignments add up; none takes away.
//
// Some grants are limited: the front desk refunds, but up to a cap. RequireAt and Where let them through, and WhereFull says
// where there is no limit; the words of the limit are in All.
//
// What this package does not do: it knows no person, no row and no request, and it never reads the database.
package policy

// Package business is the house: a business with its locations, spaces, opening hours, tax rates, team, roles, API keys,
// and the addresses its pages live under.
//
// Words: a business is the tenant; all its rows are behind the tenant wall. A location is a place with a wall clock, a
// currency, an address, a look, and a stylesheet for its embeds, which package cssguard checks. A space is a room, or a
// part of one. A member is a person on the team: what everybody may see of them (name, whether they can be booked) is
// apart from their access (address, roles). A root slug is the first part of a public address; businesses and locations
// share one set of them, former ones included.
//
// How a caller comes in:
//
//	session token ─▶ QueueMember ─┐
//	                              ├─▶ Caller: Principal and Grants ─▶ Scope ─▶ any verb
//	bk_… ─▶ QueueKey ─────────────┘   one statement, at every request: a role taken away is gone at the next
//
// Who knows the principal already asks Admit.
//
// A person becomes part of a business by Create, with an invite, as its owner, or by AddMember. A member walks between two
// states, active and deactivated; a deactivated one keeps their roles and holds none of them.
//
// What always holds:
//
//   - A business has an active owner. Changes to the team take the business's row first, so two owners cannot leave at
//     the same time.
//   - Nobody gives or takes a role whose features they do not hold, and only an owner changes an owner.
//   - A root slug belongs to one record for ever. A record that moves keeps its old addresses as redirects, and may move
//     back. Whose an address is, is not told to others.
//   - A currency does not change after the first payment. A tax rate never changes its figure: a new figure is a new row.
//   - An API key is stored as a hash, shown once, and holds no more than its creator held.
//   - Spaces form trees inside one location.
//
// Errors about input name their fields as this package does: name, roles[0].role. Every change of a
// row that people edit carries the version that was read, and a stale one is fault.ErrStale.
//
// This package does not know what is sold or booked. Where it must ask, it has function-typed Options.
package business

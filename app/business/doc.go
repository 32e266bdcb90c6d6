// Package business holds a business with its locations, spaces, opening hours, tax rates, team, roles, API keys, and
// public addresses.
//
// Terms: a business is the tenant; row-level security isolates all its rows. A location has a time zone, a currency,
// an address, a branding, and a stylesheet for its embeds, checked by package cssguard. A space is a room, or a part
// of one. A member is a person on the team. Their public part (name, bookable or not) is separate from their access
// (address, roles). A root slug is the first part of a public address; businesses and locations share one set of
// them, former ones included.
//
// Authentication of a caller:
//
//	session token ─▶ QueueMember ─┐
//	                              ├─▶ Caller: Principal and Grants ─▶ Scope ─▶ any verb
//	bk_… ─▶ QueueKey ─────────────┘   one statement, at every request: a revoked role is refused at the next
//
// A caller with a known principal uses Admit.
//
// A person joins a business by Create, with an invite, as its owner, or by AddMember. A member has two states, active
// and deactivated; a deactivated one keeps their roles without effect.
//
// Invariants:
//
//   - A business has an active owner. Changes to the team lock the business's row first, so two owners cannot leave
//     at the same time.
//   - A caller grants and revokes only roles with features of their own, and only an owner changes an owner.
//   - A root slug belongs to one record for ever. After a change of address the old ones redirect, and the record may
//     return to them. The owner of an address is not revealed to others.
//   - The currency does not change after the first payment. The figure of a tax rate never changes: a new figure is a
//     new row.
//   - An API key is stored as a hash, shown once, and limited to the features of its creator.
//   - Spaces form trees inside one location.
//
// Input errors name their fields as this package does: name, roles[0].role. Every change of a row that people edit
// carries the version that was read; a stale one is fault.ErrStale.
//
// This package has no dependency on sales or bookings. Its needs there are function-typed Options.
package business

// Package api is the REST surface: it declares every operation of the contract's three audiences (operators, the
// storefront, customers' own) and translates between JSON and the verbs of the domains. It decides nothing.
//
// An operation is one op.Declare call: the Spec says who may call it, which statuses it answers and how it is described; the
// input struct says what it takes; the function below it calls one verb and shows the result. From that one declaration
// come the route, the permission check, the rate limit, the document (docs/openapi.json) and the MCP tool.
//
// Its parts:
//
//	me/           signing in and out, and a signed-in person's own
//	operator/     a business, seen by those who run it: a file for each resource
//	storefront/   a business, seen by its visitors
//	wire/         what they share: services, statuses, how days, ids and pages are written
//	gate.go       how credentials, roles and records are looked up
//	webhooks.go   what the payment processor tells us: no part of the document
//
// What always holds:
//
//   - Every record is a named struct of its own, with all members always there: absent text is "", anything else that is
//     absent is null, and an empty list is []. No domain type is sent, so a domain may grow without changing the contract.
//   - Times are UTC to the millisecond. Days and times of day are the location's wall clock: "2026-03-08" and "09:30".
//   - Money is an integer in minor units, with the currency beside it or in the record around it.
//   - Limits stand in the schemas, so that a client sees them; the domains check them again.
//   - A PATCH changes the members that are there. It carries the version that was read, and a stale one is 409.
package api

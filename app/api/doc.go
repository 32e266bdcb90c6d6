// Package api is the REST surface. It declares every operation of the contract's three audiences (operators, the
// storefront, customers) and translates between JSON and the verbs of the domains. It decides nothing.
//
// An operation is one op.Declare call. Its Spec states the callers, the statuses and the description; the input
// struct states the parameters; the function below it calls one verb and renders the result. The route, the
// permission check, the rate limit, the document (docs/openapi.json) and the MCP tool follow from that declaration.
//
// Its parts:
//
//	me/           sign-in, sign-out and the signed-in person's own records
//	operator/     a business for its team: a file for each resource
//	storefront/   a business for its visitors
//	wire/         shared by the three: services, statuses, formats of days, ids and pages
//	gate.go       lookups of credentials, roles and records
//	webhooks.go   webhooks of the payment processor, not in the document
//
// Invariants:
//
//   - Every record is a named struct with all members always present. Absent text is "", any other absent value is
//     null, and an empty list is []. No domain type is sent, so a domain can grow without a change of the contract.
//   - Times are UTC to the millisecond. Days and times of day are on the location's wall clock: "2026-03-08" and
//     "09:30".
//   - Money is an integer in minor units, with the currency beside it or in the enclosing record.
//   - Limits are in the schemas, visible to clients; the domains check them again.
//   - A PATCH changes the members present. It carries the version that was read; a stale version is 409.
package api

// Package op implements the operations of the REST API. It declares operations, admits calls, reads their input,
// writes their answers and generates the API document. Every surface for programs that calls the verbs by the same
// rules uses it.
//
//	request → routes → admit → input checks → huma → Declare's handler → envelope
//
// A REST operation is declared once, with Declare and a Spec. The route, the OpenAPI document, the permission check,
// the rate limit, the replay of repeated requests and the MCP tool all come from that declaration. A Spec without an
// access stops the program at start: deny by default.
//
// An operation is refused in a fixed order (A57): rate limit, 401, 404 for an unknown business, 403, then everything
// about the input. huma reads the input before it calls a handler, so admission runs as an operation middleware in
// front of it and reads the path itself.
//
// # Invariants
//
//   - A success is exactly {data, v}; a 204 has no body; a refusal is exactly {error: {code, message, details}}.
//   - Only statuses that an operation declares leave the server, and 500; 429 where there is a rate limit (A78).
//   - A handler never sees fiber or fasthttp, and every string passed to it is its own copy. Both reuse their
//     buffers, and a retained string would show another visitor's request.
//   - Only the text of a fault is shown to a caller. Any other error is logged and returned as internal_error.
//   - Identity, business and location come from the credential and the path, never from a body.
//
// Its tests with whole requests are in package web, beside the server; web.New creates a server.
package op

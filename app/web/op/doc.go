// Package op is the operations of the REST API: what declares one, admits a call to it, reads its input, writes its answer and
// describes it. Surfaces for programs are made of it: the API today, and whatever else calls the same verbs by the same rules.
//
//	request → routes → admit → input checks → huma → Declare's handler → envelope
//
// A REST operation is declared once, with Declare and a Spec. The route, the OpenAPI document, the permission check, the rate
// limit, the replay of repeated requests and the MCP tool all come from that declaration. A Spec that does not say who
// may call it stops the program at start: deny by default.
//
// An operation is refused in a fixed order (A57): rate limit, 401, 404 for an unknown business, 403, then everything
// about the input. huma reads the input before it calls a handler, so admission runs as an operation middleware in front
// of it and reads the path itself.
//
// # What always holds
//
//   - A success is exactly {data, v}; a 204 has no body; a refusal is exactly {error: {code, message, details}}.
//   - Only statuses that an operation declares leave the server, and 500; 429 where there is a rate limit (A78).
//   - A handler never sees fiber or fasthttp, and every string it is given is its own copy. Both reuse their buffers, and
//     a kept string would show another visitor's request.
//   - Nothing but a fault's own words is shown to a caller. Any other error is logged and answered as internal_error.
//   - Identity, business and location come from the credential and the path, never from a body.
//
// Its tests on whole requests stand in package web, where the server is; a server is web.New.
package op

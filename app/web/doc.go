// Package web is the product's HTTP plumbing: everything between a connection and a domain's verb, shared by the
// surfaces, and nothing that knows a domain.
//
//	connection → fasthttp → around (request id, recover, access log, headers)
//	                          ├─ operations  /businesses /offerings /locations /assets /products /storefront /me /auth
//	                          │    routes → admit → input checks → huma → Op handler → envelope
//	                          └─ pages and files: plain fiber handlers of the other surfaces
//
// # Operations
//
// A REST operation is declared once, with Op and a Spec. The route, the OpenAPI document, the permission check, the rate
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
// Pages use the other half: cookies and forms, tickets in place of cookies inside a frame (Frames), the page cache, the files handler, the same rate limits.
package web

// Package web is the product's HTTP plumbing: everything between a connection and a surface's handler, and nothing that
// knows a domain.
//
//	connection → fasthttp → around (request id, recover, access log, headers)
//	                          ├─ operations: what package op has declared; /businesses /offerings /locations /assets
//	                          │    /products /storefront /me /auth
//	                          └─ pages and files: plain fiber handlers of the other surfaces
//
// Pages have here cookies and forms, tickets in place of cookies inside a frame (Frames), the page cache, the files handler,
// and the rate limits of the operations.
//
// # What always holds
//
//   - Every answer has a request id, and every error is one of fault's words: anything else is logged and answered as
//     internal_error.
//   - Who is refused while sending still reads the answer.
//   - A request head that two servers could read differently is refused.
package web

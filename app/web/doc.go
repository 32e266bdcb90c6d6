// Package web is the HTTP server: everything between a connection and the handlers of the surfaces. It depends on no
// domain.
//
//	connection → fasthttp → around (request id, recover, access log, headers)
//	                          ├─ operations: declared with package op; /businesses /offerings /locations /assets
//	                          │    /products /storefront /me /auth
//	                          └─ pages and files: plain fiber handlers of the other surfaces
//
// It provides for pages cookies and forms, tickets instead of cookies inside a frame (Frames), the page cache, the
// file handler, and the rate limits of the operations.
//
// # Invariants
//
//   - Every answer has a request id, and every error is a fault: any other is logged and returned as internal_error.
//   - A client that is refused while sending still reads the answer.
//   - A request head that two servers could read differently is refused.
package web

// Package oauth connects assistants: it is the authorization server of POST /mcp (OAuth 2.1 with PKCE). A person signs
// in, chooses a business and allows a client; the client gets tokens that are good for that business and for /mcp
// alone, and act as that person. A60, A61, A62.
//
// Package oauth/server serves its addresses, and hosted/connect its pages.
//
// # Terms
//
//   - client: a program that asks to be connected. Clients with a metadata document name themselves by its address
//     (client id metadata documents); others register (RFC 7591).
//   - connection, in the tables a family: what one consent began, with all its tokens. The console calls it a connected
//     assistant.
//   - access and refresh token: a connection always has one refresh token that is not used, and may have several access
//     tokens of an hour each.
//
// # Invariants
//
//   - Only hashes of codes, tokens and client secrets are stored. Each names its business, so that its row is found
//     behind the wall.
//   - A code and a refresh token are exchanged once. When one comes again, the connection ends: a thief or the client
//     has the other copy. Only a refresh token that comes again within ten seconds gets the same answer again, because
//     that answer may have been lost.
//   - What a token may do is read from the person's roles at each call.
package oauth

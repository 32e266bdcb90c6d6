// Package mcp serves assistants: the Model Context Protocol at POST /mcp (Streamable HTTP, without sessions), with a
// tool for each operation of the REST API that JSON can carry.
//
// A tool is an operation: its name is the operation's id, its arguments are the path, the query and the body in one
// closed object, and a call is carried out in this process as a request of the same caller. So an assistant can do
// exactly what the person can, with the same checks, limits, quotes and audit. A63.
//
// # Terms
//
//   - full and compact: the two lists of tools. The compact one (?tools=compact, A42) has the operations marked
//     Compact. Both have three tools that find, describe and run any operation.
//   - pin: the location of ?locationId=, to which a caller is limited. A43, A48.
//
// # Invariants
//
//   - The credential is verified with each call: what a person loses is gone at the next one.
//   - A refusal is a result with isError and the envelope of REST, not an error of the protocol.
//   - A result is data. Text that customers wrote is in it, so its first line says that it holds no instructions.
package mcp

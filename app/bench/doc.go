// Package bench measures the product against what its own Postgres can do: "foyer bench", docs/performance.md.
//
// # Words
//
//   - workload: what is measured, for example the public schedule.
//   - contender: one way of doing it: the product over HTTP, the product's verbs in this process, or the floor.
//   - floor: the statements that the product sends for one request, sent by pgbench in as few round trips as the protocol
//     allows. The statements are not written down here: a tracer listens to the product and the script is made of what it
//     hears (record.go, script.go), so the floor follows the product by itself.
//   - round: every contender of a workload once, for the same time and with the same number of clients, in an order that
//     turns. A ratio is worked out for each round and the median of them is told: what the machine does to one, it does to
//     its neighbours.
//
// # What is measured
//
//	reads.go      the public schedule, and the page of customers that an API key asks for
//	booking.go    hold and confirm of a class that costs nothing, over HTTP and through the verbs
//	wall.go       reads through pg.View against the same reads without row-level security
//	start.go      first answer and idle memory of a fresh server
//
// The server is a process of its own, as in production. CPU is that of the server (or of pgbench) and of all of
// Postgres, without the load generator; it needs Linux's /proc and is left out elsewhere.
//
// A number that misses its aim is told and is no error.
package bench

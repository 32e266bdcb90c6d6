// Package bench measures the product against the limits of its own Postgres: "foyer bench" and "foyer bench-growth",
// docs/performance.md.
//
// # Terms
//
//   - workload: the measured work, for example the public schedule.
//   - contender: one way of doing it: the product over HTTP, the product's verbs in this process, another binary of
//     the product over HTTP, or a floor.
//   - recorded floor, or just floor: the statements that the product sends for one request, sent by pgbench in as few
//     round trips as the protocol allows. The statements are not written down here: a tracer records them and the
//     script is made from the recording (record.go), so the floor follows the product by itself, and hides
//     unnecessary statements.
//   - least floor: the statements that a booking or a sale needs, written by hand once (least.sql, credit.sql,
//     settle.sql, sale.sql). It does not follow.
//   - round: every contender of a workload once, for the same time and with the same number of clients, in rotating
//     order. A ratio is computed for each round and their median is reported: effects of the machine on one affect
//     its neighbors too.
//
// # Workloads
//
//	reads.go      the public schedule, the page of customers for an API key, and the starts of an appointment
//	console.go    the first screen of the console, and its calendar with a week of 300 events
//	hosted.go     the booking pages of a location and of a class, from the cache and made anew
//	booking.go    hold and confirm of a class that costs nothing, over HTTP and through the verbs, against both floors
//	credit.go     a class that a pack of credits pays for, by the verbs, against the least floor of credit.sql
//	plans.go      what pays for ten seats among 200 grants, and a customer's list of their plans
//	renewals.go   the memberships that renew on one day, by two workers
//	agreed.go     confirming with five documents against confirming with none
//	settle.go     from the event of a card payment to the books, against the least floor of settle.sql
//	paid.go       a class paid by card, from its hold until its fees are in the books, against one that costs nothing
//	tap.go        the trips and statements of such a booking, counted on the way from a server to its Postgres
//	race.go       the last seat of a class for 200 customers at once; one person, or one room, for many at the same time
//	goods.go      a page of a stock ledger of a million moves, and one variant for 200 buyers at once
//	sale.go       a sale of ten lines of goods at the desk through the verbs, against the least floor of sale.sql
//	wall.go       reads through pg.View against the same reads without row-level security
//	fragment.go   a cached fragment of an embed against nginx with the same bytes
//	accounting.go closed days in batches, a batch opened to its entries, and documents posted beside a silent company
//	photos.go     a photo from its upload until its sizes are made, and a size against nginx with the same bytes
//	mcp.go        a call of an assistant's tool against the same call over REST, the list of tools, and idle assistants
//	server.go     first answer and idle memory of a fresh server
//	growth.go     "foyer bench-growth": schedule, search and hold among 1, 100, 1,000 and 10,000 businesses
//
// names.sql, seed*.sql and indexes.sql fill the database of the first, names.sql, growth.sql and indexes.sql those of
// the second; seed_accounting.sql, seed_goods.sql and seed_renewals.sql are run by their workloads. They run without
// triggers: without checks and without audit events; and without most indexes, which are created again at the end.
//
// The server is a process of its own, as in production. CPU is that of the server (or of pgbench) and of all of
// Postgres, without the load generator; it needs Linux's /proc and is left out on other systems. Memory is PSS, of a
// server with a binary of its own.
//
// Another binary (Options.Against) has a database of its own on the same Postgres, migrated by itself and filled by
// the same seeds, which therefore write only columns that both have. It is measured over HTTP only, in turns with
// ours: its statements and its verbs cannot be replayed here.
//
// A missed aim is reported and is no error.
package bench

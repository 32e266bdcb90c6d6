// Package dispute follows payments that a customer's bank disputes: their state as it was last read at the processor,
// notices to the owners, and the studio's evidence. What a dispute does to the books comes from its balance
// transactions (package balance).
//
//	opened ─▶ evidence drafted ─▶ submitted ─▶ under review ─┬─▶ won
//	   │                              └─ refused: a draft again └─▶ lost: the platform fee is refunded
//	   └─ 7, 3 and 1 days before its deadline the owners are reminded
//
// An inquiry is a dispute without a withdrawal. It can become one, and evidence that was submitted for it is a draft
// again.
package dispute

// Package report adds up the books for reports: the tax payable by a studio, and its fees for payments. It only
// reads.
//
// Words: a report covers a range of days of the books (package ledger): the day at the location, or the first open
// one for a late entry. So a report of closed days never changes. A row is a day, a month or a payment, at one
// location, in one currency.
//
// Invariants: the rows of a report add up to its totals, and these to the turnover of the accounts in the range. A
// caller sees the locations with report.finance.
package report

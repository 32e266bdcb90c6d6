// Package report is what the books say, added up for people: the tax that a studio owes, and what it pays for being paid. It decides
// nothing and writes nothing.
//
// Words: a report is of a range of days, which are those of the books (package ledger): the day at the location, or the first that was
// open when something came late. So a report of days that are closed never changes. A row is of a day, a month or a payment, at one
// location, in one currency.
//
// What always holds: the rows of a report add up to its totals, and these to what the accounts of the books moved by in the range. Whoever
// holds report.finance sees the locations for which they do.
package report

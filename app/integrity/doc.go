// Package integrity recomputes the stored totals of the product: seats, busy time, holds, waitlists, money, the seals
// of the audit log. Every compared value is written in one transaction with its cause, so a healthy database has no
// difference at any moment. A difference is a mistake of the program, or a manual change of the database.
//
// Each check is one statement over rows of one business, so it sees one snapshot, and reads other domains' tables
// without changing anything. A check returns the sum of the rows (expected) and the stored value (found). Tests run
// the same checks on every database that they used (apptest.CheckBooks).
package integrity

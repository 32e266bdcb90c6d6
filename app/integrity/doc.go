// Package integrity counts again what the product keeps counted: seats, busy time, holds, waitlists, money, the seals of
// the audit log. Everything it compares is written in one transaction with its cause, so a healthy database has no
// difference at any moment. What it finds is a mistake of the program, or somebody's hand in the database.
//
// Each check is one statement over rows of one business, so it sees one state of the world, and reads other domains'
// tables without changing anything. A check says what the rows add up to (expected) and what is written down (found).
// Tests hold every database that they used against the same checks (apptest.CheckBooks).
package integrity

// Package rules has the rules of plans that are pure functions: billing periods, proration, the value of credits, and
// which of a customer's plans pays for a seat (design/money.md 6.3, 6.4, 6.7 to 6.9). Days are days of the location,
// amounts are minor units of its currency. Nothing here reads a clock or a database.
package rules

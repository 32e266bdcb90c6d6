// Package stripe is the adapter of package processor on stripe-go, whose only home it is. Charges are direct charges
// on the studio's account, with the platform's share as the application fee.
//
// Package stripesim replaces Stripe in development and tests, through this adapter and in the same wire format.
// suite_test.go is passed by both.
package stripe

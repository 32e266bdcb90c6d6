// Package stripemock holds what the product sends to Stripe against Stripe's own description of its API: each method of the adapter is
// called once at stripe-mock, which refuses what the description does not have; what is inside
// other parameters, which it lets pass, Names knows. It runs in the test's process, without a port. What
// Stripe does with a request, stripe-mock does not know: that is the simulator's part (billing/stripesim), and the suites of package billing.
//
// The description is of 2024-09-30, the nearest to the product's version 2024-06-20 that can be had.
package stripemock

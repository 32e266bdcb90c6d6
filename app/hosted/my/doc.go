// Package my has a person's own pages in all studios: their bookings, with the effects of cancelling and
// rescheduling, their payments, their agreements, and their profile.
package my

// Package my is a person's own pages in all studios: their bookings, each with what cancelling and moving it brings, their payments, what they
// agreed to, and their profile.
package my

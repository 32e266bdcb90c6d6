// Package agree presents agreements to a customer and records their acceptance: in a cart, and for their existing
// bookings. It shows the text of a copy to every visitor with its address.
package agree

// Package agree puts agreements before a customer and takes what they agree to: in a cart, and beside their own bookings. It shows the words of
// a copy to everybody who has its address.
package agree

// Package studio is what a studio shows to everybody: its schedule, its locations, the page of what can be booked, and the walk-ins bar. Booking
// from there puts into a cart and goes on in package cart.
package studio

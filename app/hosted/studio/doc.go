// Package studio has the public pages of a studio: its schedule, its locations, the pages of its listings, and the
// walk-ins bar. Booking there fills a cart and goes on in package cart.
package studio

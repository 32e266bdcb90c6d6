// Package cart is the way from what is chosen to what is booked: the cart, who is coming, what has to be agreed to, paying, and the receipt
// with what is still to pay for it. It knows how a cart is filled; the pages of things to choose call it (Fill).
package cart

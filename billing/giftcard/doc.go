// Package giftcard stores gift cards: amounts that whoever has the code of one can pay with at the studio that sold it.
// A gift card is sold by an order (package app/giftcard), untaxed: what it pays for is taxed then. It has no owner.
//
// The code is 16 characters, the last of which is a check digit (Code). The database has a keyed hash of it and its
// last four characters; until it was sent, it is sealed there, too.
//
// The row of a card is the lock of every change, and its balance is never negative. Every transaction is stored.
// Payments with it and refunds to it are booked by package billing, as those of account credit are; a card that pays
// for a part of an order is reserved during the card payment of the rest.
package giftcard

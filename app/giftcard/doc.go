// Package giftcard sells gift cards and pays with them: it is the seller of their kind of line, puts them into carts,
// checks the codes that customers type, and mails the codes of cards that were sold. The cards themselves, with their
// balances, are package billing/giftcard's.
package giftcard

package owed

// Split returns the amount of each tender of a payment.
var Split = PaymentInput.split

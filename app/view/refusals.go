package view

import (
	"errors"

	"foyer/app/availability"
	"foyer/app/fault"
	"foyer/app/words"
)

// Refusal is why something cannot be had or done, in the language of who asked for it. The domains refuse in English, which the
// API shows as it is; what a page can show of it stands in refusals. A message that was written for this reader stays as it is.
func (w Words) Refusal(f *fault.Error) string {
	if errors.Is(f, availability.ErrPartySize) {
		return w.T("It is for {min} to {max} people.", "min", f.Details["min"], "max", f.Details["max"])
	}
	return w.Told(f.Message)
}

// Told is a message of a domain in the language: a refusal's own, or what it says of a field.
func (w Words) Told(message string) string {
	if text := words.Text(message); refusals[text] {
		return w.T(text)
	}
	return message
}

// Tells reports whether Told has words for a message.
func Tells(message string) bool { return refusals[words.Text(message)] }

// refusals are what the domains say when they refuse what customers do on pages, word for word. A test of the API compares
// them with what its operations of customers refuse.
var refusals = map[words.Text]bool{
	// Codes of discounts.
	"We do not know this code.":                            true,
	"This code cannot be used yet.":                        true,
	"This code is over.":                                   true,
	"This code has been used as often as it can be.":       true,
	"You have used this code already.":                     true,
	"This code is for a first booking.":                    true,
	"This code is not for what is in your cart.":           true,
	"What is in your cart costs too little for this code.": true,
	"Your price is as low without this code.":              true,
	// Agreements.
	"Agree to what this booking asks for first.":                               true,
	"The words have changed. Read them again, and agree to what they say now.": true,
	// Means of payment.
	"This card is not kept any more. Use another one.":          true,
	"There is not that much account credit.":                    true,
	"The payment processor does not lead back to this address.": true,
	// Seats and times.
	"This time is full.":                                              true,
	"This has already begun.":                                         true,
	"This cannot be booked online.":                                   true,
	"The studio has cancelled this time.":                             true,
	"This person is already booked at this time.":                     true,
	"It is too late for this.":                                        true,
	"It is too early for this.":                                       true,
	"This has to be booked earlier.":                                  true,
	"This cannot be booked yet.":                                      true,
	"This is a date of a course, which is booked with all its dates.": true,
	"This is a date of a course: put the whole course into the cart.": true,
	"This is no course any more.":                                     true,
	"All dates of this course have begun.":                            true,
	"There is no room for everybody on the other dates.":              true,
	"The studio does not take bookings right now.":                    true,
	"This is archived.":                                               true,
	"This business is closed.":                                        true,
	"No start is offered at this time.":                               true,
	"The studio takes no bookings right now.":                         true,
	"It cannot be booked that long ahead.":                            true,
	"It is too late to book this time.":                               true,
	"There is no room left at this time.":                             true,
	"The person is busy at this time.":                                true,
	"The space is in use at this time.":                               true,
	"It is not sold for this length.":                                 true,
	"This person does not give it.":                                   true,
	"It does not take place there.":                                   true,

	// What is booked.
	"This booking cannot be changed like that any more.":                       true,
	"The studio's rules do not allow this. Ask the studio.":                    true,
	"The studio's rules do not let you cancel this yourself. Ask the studio.":  true,
	"The studio's rules do not let you move this yourself. Ask the studio.":    true,
	"This booking cannot be moved again. Ask the studio.":                      true,
	"The new time costs more. Ask the studio to move the booking.":             true,
	"A course is not moved: its dates are booked together.":                    true,
	"A class is moved to another of its dates, anything else to another time.": true,
	"This is a date of something else. Cancel the booking and make another.":   true,
	"The booking is at this time already.":                                     true,

	"The course has begun.":                                    true,
	"The booking is of this course already.":                   true,
	"A course is moved to another course, with all its dates.": true,
	"A course is changed as a whole.":                          true,
	"The studio cannot take payments for this yet.":            true,
	"This cannot be paid at the studio.":                       true,
	"More people cost more than what was sold.":                true,

	// The cart and paying for it.
	"You are holding other times already. Finish or release one of them first.":            true,
	"Your time is up: the seats are no longer kept for you.":                               true,
	"This is being paid for right now.":                                                    true,
	"This cart is booked already.":                                                         true,
	"Somebody else is booking with this cart. Start a new one.":                            true,
	"There is nothing in the cart.":                                                        true,
	"There is no more room in this cart.":                                                  true,
	"This is in the cart already.":                                                         true,
	"The price has changed.":                                                               true,
	"The seats are not kept for you yet.":                                                  true,
	"There is nothing to pay.":                                                             true,
	"This has not been paid yet.":                                                          true,
	"The payment is being processed. This takes a moment.":                                 true,
	"The payment came too late: the seats are gone, and all of it goes back to your card.": true,
	"The payment processor does not answer. Nothing was lost; try again in a moment.":      true,
	"The payment processor refused the request.":                                           true,
	"The studio's payment account is not connected.":                                       true,
	"A card cannot pay so little.":                                                         true,
	"This amount cannot be paid by card.":                                                  true,
	"Card payments are not set up on this system.":                                         true,
	"The studio does not take cards here at the moment.":                                   true,
	"This payment was given up. Try again.":                                                true,

	// The waitlist.
	"There is room: book it instead.":                                                       true,
	"There is no waitlist for this.":                                                        true,
	"The waitlist is closed.":                                                               true,
	"Nothing is on offer to you here.":                                                      true,
	"The time for answering is over: the place went to the next in line.":                   true,
	"This place is kept for somebody else. Sign in with the address that the mail came to.": true,
	"You have got a seat already. Cancel the booking instead.":                              true,
	"This is not possible any more.":                                                        true,
	"There are fewer seats than that.":                                                      true,

	// Signing in, opening a business, and forms.
	"This form has expired or was opened on another site. Go back, reload the page and try again.":                           true,
	"A new business needs an invite link. Sign in with the address the link was sent to; a link works once and for 14 days.": true,
	"This address is taken. Choose another one.":                                                                             true,
	"A valid credential is needed: sign in, or send an API key where one is accepted.":                                       true,
	"Sign in first.":                                       true,
	"The session has ended. Sign in again.":                true,
	"This code is not valid. Ask for a new one.":           true,
	"Too many codes were asked for. Try again later.":      true,
	"Too many requests. Try again later.":                  true,
	"This was changed in the meantime. Load it again.":     true,
	"The request is not valid.":                            true,
	"Write an e-mail address, like name@example.com.":      true,
	"Write a name of at most 120 characters, on one line.": true,
	"Write a phone number, like +1 555 010 9999.":          true,
	"Use at most 120 characters.":                          true,
	"It is too long.":                                      true,
	"There is a character in it that cannot be printed.":   true,
	"API keys are not accepted here. Sign in.":             true,
}

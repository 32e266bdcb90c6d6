// Package hosted is the surface that customers and invited owners see: the booking pages. It translates forms and
// addresses into verbs of the domains and what they answer into pages of package view; it decides nothing itself.
//
//	/{slug}                      a location's schedule, what is booked by the time there, and whether one can walk in; a
//	                             business with several locations lists them
//	/{slug}/{listing}            a class: ?time= chooses a date, ?from= and ?after= page through them; an appointment or a
//	                             rental: ?minutes=, ?with=, ?in= and ?party= choose, and every free time is a button
//	     │ POST
//	     ▼
//	/cart/{token}                what is chosen, who is coming, the total
//	/cart/{token}/sign-in        e-mail, then code, then name (once); skipped when signed in
//	     │ seats are held for ten minutes; an appointment or a rental gets its person and its room
//	     ▼
//	/cart/{token}/pay            card, or one button when there is nothing to pay
//	/cart/{token}/done           asks what became of the payment, and nothing that the address says
//	     ▼
//	/receipt/{token}
//
//	/{slug}/{listing}/waitlist/{date}   joins the waitlist of a date that is full
//	/my/waitlist/{token}                a place on a waitlist, as the mails link it: take it, say no, leave; opening it does
//	                                    nothing
//
//	/my                          a person's bookings and waitlists in all studios; /my/sign-in, /my/sign-out
//	/my/bookings/{id}            one of them; /cancel and /move say exactly what that brings before it is done
//	/invite/{token}              opens a business: sign in, the studio, its first location, what to call next
//
// What always holds:
//
//   - Every step works without script, as a link or as a form: POST, 303, GET. A form that comes back with a problem is
//     the answer to its POST and changes nothing. The one exception is the live card form, which belongs to the payment
//     processor; that page says so.
//   - Every POST is counted in the rate limits of the storefront, then refused unless a page of ours made the form for this
//     very browser (web.Forms). Repeating one has one effect: the verbs that could do something twice run under the form's
//     one-time key (Forms.Once), those of one handler in the same order each time, and the others are idempotent by
//     themselves.
//   - What a page promises about a change is what happens: the verb is rehearsed for the page, and carried out only if it
//     would do the very same (pg.Rehearse, pg.Redeem). Otherwise the page comes back with what it would do now.
//   - The cart belongs to whoever has its token, until a person holds it. The browser keeps the token of each location's
//     cart in a cookie so that the schedule can show it; the pages of the cart take it from their own address.
//   - Where the customer came from (ref) is judged by wayBack whenever a page is printed, and only what it answers is
//     carried on.
//   - Pages about one customer are kept by nobody. No page can be framed, except those whose address says embed=1.
package hosted

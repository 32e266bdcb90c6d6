// Package hosted is the surface that customers and invited owners see: the booking pages. It translates forms and
// addresses into verbs of the domains and what they answer into pages of package view; it decides nothing itself.
//
//	/{slug}                      a location's schedule, what is booked by the time there, and whether one can walk in; a
//	                             business with several locations lists them
//	                             ?day= begins the schedule at another day; ?class=, ?with= and ?in= narrow it
//	/{slug}/{listing}            a class: ?time= chooses a date, ?from= and ?after= page through them; an appointment or a
//	                             rental: ?minutes=, ?with=, ?in= and ?party= choose, and every free time is a button
//	     │ POST
//	     ▼
//	/cart/{token}                what is chosen, who is coming, the total; what cannot be booked is set aside
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
//	/{slug}?embed=live           the walk-ins bar, for a frame on the studio's website
//
//	/my                          a person's bookings and waitlists in all studios; /my/sign-in, /my/sign-out
//	/my/bookings/{id}            one of them; /cancel and /move say exactly what that brings before it is done
//	/invite/{token}              opens a business: sign in, the studio, its first location; the console goes on from there
//
// Each part has its area: package studio has the pages of a studio, cart those under /cart and /receipt, agree the words of agreements, my what
// is under /my, waiting the waitlists and invite the invites. They stand on package kit; this package puts them together.
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
//     would do the very same (pg.DryRun, pg.Redeem). Otherwise the page comes back with what it would do now.
//   - The cart belongs to whoever has its token, until a person holds it. The browser keeps the token of each location's
//     cart in a cookie so that the schedule can show it; the pages of the cart take it from their own address.
//   - Where the customer came from (ref, or else the browser's referrer) is judged whenever a page is printed, and
//     only what it answers is carried on: in links, in forms and with the cart, so that the receipt in a mail knows the way.
//   - Pages about one customer are kept by nobody. No page can be framed, except those whose address says embed=1 (of which
//     the pages of invited owners are none) and the walk-ins bar.
//
// # The frame
//
// With embed=1 every page works inside a frame on somebody else's site, in a browser that keeps no cookies there. What cookies
// hold elsewhere (the visitor, the session, a code on its way, the carts) travels as a ticket in the links, forms and
// redirects of the page: web.Frames, entered (kit.Framed) before anything else looks at the request. All code below asks
// Cookies, as outside.
//
// What a ticket is: the same small values, encrypted and authenticated under a key of the deployment, good for two hours
// after the page that carries it and twelve after the first one. The session in it is an ordinary one: listed, ended by its
// owner, looked up at every request.
//
// What can go wrong, and what stands against it:
//
//   - The website around the frame is anybody's. It cannot read the page or its address; it can lay it under something else
//     and steal a click. In the frame no cookie is read, so a stolen click has the authority of the frame's own visit only,
//     and that begins as nobody's.
//   - An address is copied, shared, planted, or read in the log of a proxy. A browser says which page started a request
//     (Sec-Fetch-Site), and unless it was one of ours the ticket is not looked at: opened from a mail or from another site,
//     the address shows a page of nobody, and cannot put somebody into another's visit either. A browser from before spring
//     2023, which says nothing, is asked to sign in at every step: it books outside the frame. Our own log holds routes, no addresses. Against who can write requests by hand and has read the address there is the two hours' end, and the
//     session's.
//   - Other sites learn the address from the browser. Pages in the frame tell others no more than the origin
//     (Referrer-Policy: strict-origin), and are kept by nobody. No policy at all would be quieter, but a browser then posts
//     as if from nowhere, and the check of where a form comes from would have nothing left to check.
//   - The processor's script runs on the payment page and reports where it runs. The ticket is taken out of the address
//     before it is loaded (modules/ticket.ts), and is not in what the page says about the one before.
//   - The processor and the customer's bank keep the address to come back to. It carries a pass in place of the ticket: good
//     for /cart/{token}/done alone, for an hour, once. Opened again it still settles the payment and leads to the receipt,
//     and signs nobody in. A browser that comes from the bank says so of all redirects that follow, so each of those carries
//     a pass for its own path, good for a minute, once.
//   - The API takes no ticket, and no page outside the frame does.
//
// Going back in the frame shows a page with an older ticket. Where the browser allows it the newest is kept for as long as the
// tab is open, and a page that is behind is asked for again with it; elsewhere, and without script, the customer goes on from
// the older one: at worst they sign in once more.
package hosted

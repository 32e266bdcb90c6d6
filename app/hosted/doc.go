// Package hosted serves the pages of customers and invited owners: the booking pages. It translates forms and
// addresses into verbs of the domains and their results into pages of package view; it makes no decisions itself.
//
//	/{slug}                      a location's schedule, its appointments and rentals, and its walk-in status; a
//	                             business with several locations lists them
//	                             ?day= begins the schedule at another day; ?class=, ?with= and ?in= narrow it
//	/{slug}/{listing}            a class: ?time= chooses a date, ?from= and ?after= page through them; an appointment or
//	                             a rental: ?minutes=, ?with=, ?in= and ?party= choose, and every free time is a button
//	     │ POST
//	     ▼
//	/cart/{token}                the items, the attendees, the total; unavailable items are set aside
//	/cart/{token}/sign-in        e-mail, then code, then name (once); skipped when signed in
//	     │ seats are held for ten minutes; an appointment or a rental gets its instructor and its room
//	     ▼
//	/cart/{token}/pay            card, or one button for a total of zero
//	/cart/{token}/done           reads the payment's outcome from the processor, never from the address
//	     ▼
//	/receipt/{token}
//
//	/{slug}/{listing}/waitlist/{date}   joins the waitlist of a full date
//	/my/waitlist/{token}                a waitlist entry, as the mails link it: accept, decline, leave; opening it
//	                                    changes nothing
//
//	/{slug}?embed=live           the walk-ins bar, for a frame on the studio's website
//
//	/my                          a person's bookings and waitlists in all studios; /my/sign-in, /my/sign-out
//	/my/bookings/{id}            one of them; /cancel and /move show the exact effects before they act
//	/invite/{token}              opens a business: sign in, the studio, its first location; then the console
//
// Each part has its area: package studio has the pages of a studio, cart those under /cart and /receipt, agree the
// texts of agreements, my the pages under /my, waiting the waitlists and invite the invites. They build on package
// kit; this package puts them together.
//
// Invariants:
//
//   - Every step works without script, as a link or as a form: POST, 303, GET. A form with an error is shown again in
//     the answer to its POST and changes nothing. The one exception is the live card form of the payment processor;
//     its page has a note about it.
//   - Every POST is counted in the rate limits of the storefront, then refused unless a page of ours made the form
//     for this very browser (web.Forms). Repeating one has one effect: verbs that are not idempotent run under the
//     form's one-time key (Forms.Once), those of one handler in the same order each time.
//   - A page that quotes a change is exact: the verb is run dry for the page, and carried out only with the very same
//     effects (pg.DryRun, pg.Redeem). Otherwise the page is shown again with the new effects.
//   - The cart belongs to the bearer of its token, until a person holds it. The browser keeps the token of each
//     location's cart in a cookie so that the schedule can show it; the pages of the cart read it from their own
//     address.
//   - The customer's source (ref, or else the browser's referrer) is checked whenever a page is rendered. Only the
//     validated address is carried on: in links, in forms and with the cart, so that the receipt in a mail can link
//     back.
//   - Schedules, the pages of classes and the first page of a shop come from a web.PageCache (kit.ShowPublic): a write
//     of the studio and the end of the minute drop them. What is particular to a visitor is not in them: the bar of the
//     cart is inserted, and a page with a form, a ticket or a filter is made anew. So is every page for a browser that
//     has posted a form in the last minute (web.Cookies.Fresh): it sees its own change on every server at once.
//   - Pages about one customer are never cached. No page can be framed, except those with embed=1 (never the pages of
//     invited owners) and the walk-ins bar.
//
// # The frame
//
// With embed=1 every page works inside a frame on another website, in a browser that keeps no cookies there. The
// values that are cookies outside the frame (the visitor, the session, a code on its way, the carts) travel as a
// ticket in the links, forms and redirects of the page: web.Frames, entered (kit.Framed) before any other use of the
// request. All code below uses Cookies, as outside.
//
// A ticket holds the same small values, encrypted and authenticated under a key of the deployment. It is good for two
// hours after its page and twelve after the first one. Its session is an ordinary one: listed, ended by its owner,
// checked at every request.
//
// Threats and their defences:
//
//   - The website around the frame is untrusted. It cannot read the page or its address; it can lay it under
//     something else and steal a click. In the frame no cookie is read, so a stolen click has the authority of the
//     frame's own visit only, and that begins anonymous.
//   - An address is copied, shared, planted, or read in the log of a proxy. A browser sends the site that started a
//     request (Sec-Fetch-Site), and unless it was ours the ticket is ignored: opened from a mail or from another
//     site, the address shows an anonymous page, and cannot put a person into another's visit either. A browser from
//     before spring 2023 sends nothing, and so signs in at every step: it books outside the frame. Our own log holds
//     routes, no addresses. Against an attacker with the address and hand-made requests there is the two hours' end,
//     and the session's.
//   - Other sites learn the address from the browser. Pages in the frame send others only the origin
//     (Referrer-Policy: strict-origin), and are never cached. No referrer at all would be safer, but a browser then
//     posts with a null origin, and the check of a form's origin would have nothing to check.
//   - The processor's script runs on the payment page and reports the page's address. The ticket is removed from the
//     address before the script is loaded (modules/ticket.ts), and is not in the referrer of the page.
//   - The processor and the customer's bank keep the return address. It carries a pass in place of the ticket: good
//     for /cart/{token}/done alone, for an hour, once. Opened again it still completes the payment and leads to the
//     receipt, and signs no one in. A browser that comes from the bank sends that site with all redirects that
//     follow, so each of those carries a pass for its own path, good for a minute, once.
//   - The API accepts no ticket, and no page outside the frame does.
//
// The back button in the frame shows a page with an older ticket. If the browser allows it, the newest ticket is kept
// while the tab is open, and an outdated page is loaded again with it. Otherwise, and without script, the customer
// goes on from the older one: at worst they sign in once more.
package hosted

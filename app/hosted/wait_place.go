package hosted

import (
	"errors"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/fault"
	"foyer/app/tenancy"
	"foyer/app/view"
	"foyer/app/web"
)

// waiter is a place on a waitlist, from the address that mails carry: whoever has it may see, decline and leave; to accept,
// somebody signs in.
type waiter struct {
	*site
	booking.Wait
	Token  string
	Scope  tenancy.Scope
	Studio *studio
	Shell  view.Shell
}

// placePages mounts the page of a place on a waitlist. Opening it does nothing.
func (h *site) placePages() {
	d := &door{site: h, base: func(c *fiber.Ctx) string { return waitlistPath + c.Params("token") + "/sign-in" }}
	d.first = func(c *fiber.Ctx, v view.SignIn) error {
		return h.waiter(func(c *fiber.Ctx, w *waiter) error {
			v.Why = "To take the place, tell us who you are: use the address that the mail came to. We send a code, there is no password."
			return show(c, w.Shell, view.SignInPage(w.Shell, v))
		})(c)
	}
	d.code = func(c *fiber.Ctx, v view.Code) error {
		return h.waiter(func(c *fiber.Ctx, w *waiter) error { return show(c, w.Shell, view.CodePage(w.Shell, v)) })(c)
	}
	d.next = h.waiter(h.accept)
	const path = waitlistPath + ":token"
	h.get(path, h.waiter(func(c *fiber.Ctx, w *waiter) error { return w.show(c, nil) }))
	h.get(path+"/sign-in", h.waiter(func(c *fiber.Ctx, w *waiter) error {
		if w.Scope.Person() != uuid.Nil || !w.Acceptable {
			return w.see(c)
		}
		return d.show(c, "", nil)
	}))
	d.hang(path + "/sign-in")
	h.post(path+"/accept", web.RateStorefrontWrite, h.waiter(h.accept))
	h.post(path+"/decline", web.RateStorefrontWrite, h.waiter(h.decline))
	h.post(path+"/leave", web.RateStorefrontWrite, h.waiter(h.leave))
	h.post(path+"/switch", web.RateStorefrontWrite, h.waiter(func(c *fiber.Ctx, w *waiter) error {
		if err := h.signOut(c); err != nil {
			return err
		}
		return see(c, w.Shell, w.path("/sign-in"))
	}))
}

// waiter reads the place that the path names.
func (h *site) waiter(run func(c *fiber.Ctx, w *waiter) error) fiber.Handler {
	return func(c *fiber.Ctx) error {
		w := &waiter{site: h, Token: c.Params("token")}
		tenant, found, err := h.Booking.FindWaitlistOffer(c.UserContext(), w.Token)
		if err == nil && !found {
			err = fault.Missing()
		}
		if err != nil {
			return err
		}
		if w.Scope, err = h.scope(c, tenant); err != nil {
			return err
		}
		if w.Wait, err = h.Booking.WaitlistOffer(c.UserContext(), w.Scope, w.Token); err != nil {
			return err
		}
		if w.Studio, err = h.studioOf(c, place{tenant, w.LocationID}); err != nil {
			return err
		}
		w.Shell = h.shell(c, w.Studio, carried(c, view.FieldRef))
		w.Shell.CSRF = h.token(c)
		return run(c, w)
	}
}

// path is an address of this place.
func (w *waiter) path(step string) string { return waitlistPath + w.Token + step }

func (w *waiter) see(c *fiber.Ctx) error { return see(c, w.Shell, w.path("")) }

// accept takes the place: what is to be paid for goes on to pay, what costs nothing is booked.
func (h *site) accept(c *fiber.Ctx, w *waiter) error {
	if w.Scope.Person() == uuid.Nil {
		return see(c, w.Shell, w.path("/sign-in"))
	}
	got, err := h.Booking.AcceptOffer(c.UserContext(), w.Scope, w.Token)
	if tr, ok := troubleOf(err, nil); ok {
		return w.again(c, tr, err)
	}
	if err != nil {
		return err
	}
	if got.OrderID != nil {
		return see(c, w.Shell, "/receipt/"+h.Checkout.ReceiptToken(*got.OrderID))
	}
	token := h.Checkout.CartToken(got.CartID)
	h.Cookies.Set(c, cartCookie(w.LocationID), token, cartAge)
	return see(c, w.Shell, "/cart/"+token+"/pay")
}

// decline says no to an offer.
func (h *site) decline(c *fiber.Ctx, w *waiter) error {
	_, err := h.Booking.DeclineOffer(c.UserContext(), w.Scope, w.Token)
	return w.answered(c, err)
}

// leave takes the place off its list.
func (h *site) leave(c *fiber.Ctx, w *waiter) error {
	_, err := h.Booking.LeaveWaitlistBy(c.UserContext(), w.Scope, w.Token)
	return w.answered(c, err)
}

func (w *waiter) answered(c *fiber.Ctx, err error) error {
	if tr, ok := troubleOf(err, nil); ok {
		return w.again(c, tr, err)
	}
	if err != nil {
		return err
	}
	return w.see(c)
}

// again shows the place as it is by now with why something could not be done.
func (w *waiter) again(c *fiber.Ctx, tr *view.Trouble, why error) error {
	fresh, err := w.site.Booking.WaitlistOffer(c.UserContext(), w.Scope, w.Token)
	if err != nil {
		return err
	}
	w.Wait = fresh
	if errors.Is(why, booking.ErrOfferTo) {
		return w.show(c, w.notTheirs())
	}
	tr.Title = "This did not work"
	return w.show(c, tr)
}

func (w *waiter) notTheirs() *view.Trouble {
	return &view.Trouble{Title: "This place is kept for somebody else",
		Text: "You are signed in as " + w.Scope.Email + ". Sign in with the address that the mail came to."}
}

// stranger tells whether somebody is signed in who is not the one that waits.
func (w *waiter) stranger() bool {
	p := w.Scope.Person()
	return p != uuid.Nil && w.PersonID != nil && *w.PersonID != p
}

// show renders the page of the place.
func (w *waiter) show(c *fiber.Ctx, tr *view.Trouble) error {
	v := w.page()
	v.Trouble = tr
	v.Name, v.Start, v.Minutes = w.OfferingName, w.StartsAt, minutes(w.StartsAt, w.EndsAt)
	v.Detail = view.OrderLine{Where: whereWith(w.Space, w.Instructor), Party: w.Party, Who: w.Attendee}.Detail()
	if v.Accept.Action != "" && w.stranger() {
		other := formTo(w.path("/switch"))
		v.Accept, v.Decline, v.Leave, v.Other = view.Form{}, view.Form{}, view.Form{}, &other
		v.Trouble = w.notTheirs()
	}
	return show(troubled(c, tr), w.Shell, view.WaitPlacePage(w.Shell, v))
}

// page is what the place has become, in words, with what can be said to it.
func (w *waiter) page() view.WaitPlace {
	class := view.Link{Text: "Other times", Href: "/" + w.LocationSlug + "/" + w.OfferingSlug}
	mine := view.Link{Text: "My bookings", Href: "/my"}
	v := view.WaitPlace{Stands: view.StandsOver, Links: []view.Link{class, mine}}
	switch now := w.Shell.Now; {
	case w.Cancelled:
		v.Title, v.State = "This class is cancelled", "Cancelled by the studio"
		v.Lines = []string{"The waitlist is closed. You do not have to do anything."}
	case w.State == booking.Promoted:
		w.promoted(&v)
	case !now.Before(w.StartsAt):
		v.Title, v.State = "This has begun", "Over"
		v.Lines = []string{"The waitlist is closed."}
	case w.Acceptable:
		w.offered(&v)
	case w.State == booking.Waiting:
		v.Title, v.Stands, v.State = "You’re on the waitlist", view.StandsAsked, "Waiting"
		if w.Position != nil {
			v.State = ordinal(*w.Position) + " in line"
		}
		v.Lines = []string{waitingWords[w.Mode], "Nobody is asked after " + w.Shell.ShortWhen(w.AsksUntil) + "."}
		v.Leave = formTo(w.path("/leave"))
	case w.State.OnList():
		v.Title, v.State = "The time for answering is over", "Missed"
		v.Lines = []string{"The place went to the next in line. You are asked again when everybody else was, and a place is free then."}
		v.Leave = formTo(w.path("/leave"))
	default:
		w.over(&v)
	}
	return v
}

// waitingWords say what happens next.
var waitingWords = map[catalog.WaitlistMode]string{
	catalog.WaitlistAuto:  "When a place is free and you are next, we book it for you and mail you.",
	catalog.WaitlistOffer: "When a place is free and you are next, we keep it for you for a while and mail you.",
	catalog.WaitlistRace:  "When a place is free, everybody on the list gets a mail. The first to take it has it.",
}

// offered is a place that can be taken now.
func (w *waiter) offered(v *view.WaitPlace) {
	v.Accept, v.Take, v.Links = formTo(w.path("/accept")), "Take the place", v.Links[:1]
	if w.PriceAmount > 0 {
		v.Price = &view.Price{Minor: w.PriceAmount, Currency: w.Currency}
		v.Take = "Take the place and pay"
	}
	if w.State == booking.Offered {
		v.Title, v.Until = "A place is free for you", w.OfferUntil
		v.Lines = []string{"Take it in time, or the next in line is asked."}
		v.Decline = formTo(w.path("/decline"))
		return
	}
	v.Title = "There is a free place"
	v.Lines = []string{"Everybody on the waitlist was told. The first to take it has it."}
	v.Leave = formTo(w.path("/leave"))
}

// promoted is a place that became a booking.
func (w *waiter) promoted(v *view.WaitPlace) {
	own := view.Link{Text: "My bookings", Href: "/my"}
	if w.BookingID != nil {
		own = view.Link{Text: "See the booking", Href: "/my/bookings/" + w.BookingID.String()}
	}
	switch w.BookingState {
	case booking.Held:
		v.Title, v.Stands, v.State = "The place is yours", view.StandsAsked, "Not booked yet"
		v.Lines = []string{"We keep it for ten minutes. Go on to book it."}
		v.Accept, v.Take = formTo(w.path("/accept")), "Go on"
	case booking.Expired:
		v.Title, v.State = "The place is gone", "Not booked"
		v.Lines = []string{"You took it and did not finish in time, so we let it go. Nothing was charged."}
	case booking.Confirmed, booking.Requested, booking.CheckedIn, booking.Completed:
		v.Title, v.Stands, v.State, v.Links = "You’re booked", view.StandsWell, "Booked", []view.Link{own}
		if w.GraceUntil != nil && w.Shell.Now.Before(*w.GraceUntil) {
			v.Lines = []string{"If it does not suit you any more, cancel free of charge until " + soon(w.Shell.Words, *w.GraceUntil) + "."}
		}
	default:
		v.Title, v.State, v.Links = "You had a place", stateOf(w.BookingState), []view.Link{own}
	}
}

// over is a place that nothing can become of any more.
func (w *waiter) over(v *view.WaitPlace) {
	switch w.State {
	case booking.PutOff:
		v.Title, v.State = "You said no", "Declined"
		v.Lines = []string{"The place went to the next in line, and you are off the list."}
	case booking.WentAway:
		v.Title, v.State = "You’ve left the waitlist", "Left"
		v.Lines = []string{"Nobody will ask you about this class any more."}
	default:
		v.Title, v.State = "The waitlist is closed", "Closed"
		v.Lines = []string{"No place became free in time."}
	}
}

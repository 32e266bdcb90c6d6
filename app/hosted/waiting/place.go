package waiting

import (
	"errors"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/fault"
	"foyer/app/hosted/kit"
	"foyer/app/tenancy"
	"foyer/app/view"
	"foyer/app/waitlist"
	"foyer/app/web/op"
)

// entry is a place on a waitlist, from the address that mails carry: whoever has it may see, decline and leave; to accept,
// somebody signs in.
type entry struct {
	kit.StudioPage
	waitlist.CustomerEntry
	Token string
}

// placePages mounts the page of a place on a waitlist. Opening it does nothing.
func (h *site) placePages() {
	d := &kit.SignInFlow{Site: h.Site, Base: func(c *fiber.Ctx) string { return kit.WaitlistPath + c.Params("token") + "/sign-in" }}
	d.Reason = "To take the place, tell us who you are: use the address that the mail came to. We send a code, there is no password."
	d.Shell = func(c *fiber.Ctx, page func(sh view.Shell, o *view.Order) error) error {
		return h.entry(func(_ *fiber.Ctx, w *entry) error { return page(w.Shell, nil) })(c)
	}
	d.Next = h.entry(h.accept)
	const path = kit.WaitlistPath + ":token"
	h.Get(path, h.entry(func(c *fiber.Ctx, w *entry) error { return w.show(c, nil) }))
	h.Get(path+"/sign-in", h.entry(func(c *fiber.Ctx, w *entry) error {
		if w.Scope.Person() != uuid.Nil || !w.Acceptable {
			return w.see(c)
		}
		return d.Show(c, "", nil)
	}))
	d.Hang(path+"/sign-in", kit.Always)
	h.Post(path+"/accept", op.RateStorefrontWrite, h.entry(h.accept))
	h.Post(path+"/decline", op.RateStorefrontWrite, h.entry(h.decline))
	h.Post(path+"/leave", op.RateStorefrontWrite, h.entry(h.leave))
	h.Post(path+"/switch", op.RateStorefrontWrite, h.entry(func(c *fiber.Ctx, w *entry) error {
		if err := h.SignOut(c); err != nil {
			return err
		}
		return kit.See(c, w.Shell, w.path("/sign-in"))
	}))
}

// entry reads the place that the path names.
func (h *site) entry(run func(c *fiber.Ctx, w *entry) error) fiber.Handler {
	return func(c *fiber.Ctx) error {
		w := &entry{Token: c.Params("token")}
		at, found, err := h.Waitlist.Locate(c.UserContext(), w.Token)
		if err == nil && !found {
			err = fault.Missing()
		}
		if err != nil {
			return err
		}
		sc := tenancy.Visitor(tenancy.Principal{}, at.BusinessID, tenancy.SurfaceHosted)
		if w.CustomerEntry, err = h.Waitlist.Find(c.UserContext(), sc, w.Token); err != nil {
			return err
		}
		if w.StudioPage, err = h.PageIn(c, kit.Location{Tenant: at.BusinessID, Location: w.LocationID}); err != nil {
			return err
		}
		return run(c, w)
	}
}

// path is an address of this place.
func (w *entry) path(step string) string { return kit.WaitlistPath + w.Token + step }

func (w *entry) see(c *fiber.Ctx) error { return kit.See(c, w.Shell, w.path("")) }

// accept takes the place: what is to be paid for goes on to pay, what costs nothing is booked.
func (h *site) accept(c *fiber.Ctx, w *entry) error {
	if w.Scope.Person() == uuid.Nil {
		return kit.See(c, w.Shell, w.path("/sign-in"))
	}
	got, err := h.Waitlist.Accept(c.UserContext(), w.Scope, w.Token)
	if err != nil {
		return w.again(c, err)
	}
	if got.OrderID != nil {
		return kit.See(c, w.Shell, "/receipt/"+h.Checkout.ReceiptToken(*got.OrderID))
	}
	token := h.Checkout.CartToken(got.CartID)
	h.Cookies.Set(c, kit.CartCookie(w.LocationID), token, kit.CartAge)
	return kit.See(c, w.Shell, "/cart/"+token+"/pay")
}

// decline says no to an offer.
func (h *site) decline(c *fiber.Ctx, w *entry) error {
	_, err := h.Waitlist.Decline(c.UserContext(), w.Scope, w.Token)
	return w.answered(c, err)
}

// leave takes the place off its list.
func (h *site) leave(c *fiber.Ctx, w *entry) error {
	_, err := h.Waitlist.LeaveBy(c.UserContext(), w.Scope, w.Token)
	return w.answered(c, err)
}

func (w *entry) answered(c *fiber.Ctx, err error) error {
	if err != nil {
		return w.again(c, err)
	}
	return w.see(c)
}

// again shows the place as it is by now with why something could not be done. What is no refusal is passed on.
func (w *entry) again(c *fiber.Ctx, why error) error {
	tr, ok := kit.TroubleOf(w.Shell.Words, why)
	if !ok {
		return why
	}
	fresh, err := w.Site.Waitlist.Find(c.UserContext(), w.Scope, w.Token)
	if err != nil {
		return err
	}
	w.CustomerEntry = fresh
	if errors.Is(why, waitlist.ErrOfferTo) {
		return w.show(c, w.notTheirs())
	}
	tr.Title = w.Shell.T("This did not work")
	return w.show(c, tr)
}

func (w *entry) notTheirs() *view.Trouble {
	return &view.Trouble{Title: w.Shell.T("This place is kept for somebody else"),
		Text: w.Shell.T("You are signed in as {email}. Sign in with the address that the mail came to.", "email", w.Scope.Email)}
}

// stranger tells whether somebody is signed in who is not the one that waits.
func (w *entry) stranger() bool {
	return w.Scope.Person() != uuid.Nil && w.Others(w.Scope.Person())
}

// show renders the page of the place.
func (w *entry) show(c *fiber.Ctx, tr *view.Trouble) error {
	v := w.page()
	if v.Stands == view.StandsWell && w.BookingID != nil {
		var err error
		if v.Lines, err = w.terms(c); err != nil {
			return err
		}
	}
	v.Trouble = tr
	if v.Accept.Action != "" && w.stranger() {
		other := kit.FormTo(w.path("/switch"))
		v.Accept, v.Decline, v.Leave, v.Other = view.Form{}, view.Form{}, view.Form{}, &other
		v.Trouble = w.notTheirs()
	}
	return kit.Show(kit.Troubled(c, tr), w.Shell, EntryPage(w.Shell, v))
}

// terms are what is still to be paid for the booking that the place became, and what it costs to cancel it.
func (w *entry) terms(c *fiber.Ctx) ([]string, error) {
	b, err := booking.CustomerBookingOf(c.UserContext(), w.Site.DB.View(w.BusinessID), *w.BookingID)
	if err != nil {
		return nil, err
	}
	stakes, err := w.Site.CostBases(c, []booking.CustomerBooking{b})
	if err != nil {
		return nil, err
	}
	return view.NonEmpty(view.DueAtStudio(w.Shell.Words, stakes[b.ID].DueAmount, b.Currency), view.CancelTerms(w.Shell.Words, b.Booking, stakes[b.ID])), nil
}

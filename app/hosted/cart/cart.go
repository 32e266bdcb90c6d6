package cart

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/checkout"
	"foyer/app/fault"
	"foyer/app/hosted/kit"
	"foyer/app/names"
	"foyer/app/order"
	"foyer/app/view"
	"foyer/app/web/op"
)

// receiptPages mounts the receipts.
func (h *site) receiptPages() {
	h.Get("/receipt/:token", h.receipt)
	h.Get("/receipt/:token/calendar.ics", h.calendar)
}

// cartPages mounts the cart and its steps.
func (h *site) cartPages() {
	h.Get("/cart/:token", h.with(h.showCart))
	h.Post("/cart/:token", op.RateStorefrontWrite, h.with(h.goOn))
	h.Post("/cart/:token/again", op.RateStorefrontWrite, h.with(h.again))
	h.Post("/cart/:token/extend", op.RateStorefrontWrite, h.with(h.extend))
	h.Post("/cart/:token/items/:item/remove", op.RateStorefrontWrite, h.with(h.remove))
	h.Post("/cart/:token/items/:item/keep", op.RateStorefrontWrite, h.with(h.keep))
	h.Post("/cart/:token/items/:item/move", op.RateStorefrontWrite, h.with(h.move))
	h.Post("/cart/:token/code", op.RateStorefrontWrite, h.with(h.applyCode))
	h.Post("/cart/:token/code/remove", op.RateStorefrontWrite, h.with(h.removeCode))
	h.planPages()
	h.cartDoor()
	h.Get("/cart/:token/details", h.with(h.askDetails))
	h.Post("/cart/:token/details", op.RateStorefrontWrite, h.with(h.saveDetails))
	h.Get("/cart/:token/pay", h.with(h.showPay))
	h.Post("/cart/:token/pay", op.RateStorefrontWrite, h.with(h.pay))
	h.Post("/cart/:token/pay/card", op.RateStorefrontWrite, h.with(h.payTyped))
	h.Post("/cart/:token/pay/deposit", op.RateStorefrontWrite, h.with(h.chooseDeposit))
	h.Post("/cart/:token/pay/gift-card", op.RateStorefrontWrite, h.with(h.useGiftCard))
	h.Post("/cart/:token/pay/gift-card/remove", op.RateStorefrontWrite, h.with(h.removeGiftCard))
	h.Post("/cart/:token/pay/credit", op.RateStorefrontWrite, h.with(h.chooseCredit))
	h.Post("/cart/:token/pay/kept", op.RateStorefrontWrite, h.with(h.paySaved))
	h.Post("/cart/:token/at-studio", op.RateStorefrontWrite, h.with(h.payThere))
	h.Get("/cart/:token/done", h.with(h.done))
}

// showCart shows the cart. ?why= is the reason that a step was refused, and ?at= its date.
func (h *site) showCart(c *fiber.Ctx, b *Basket) error {
	v, err := b.page(c, c.Query("why"))
	if err != nil {
		return err
	}
	return kit.Show(c, b.Shell, CartPage(b.Shell, v))
}

// page is the cart's page; why is the reason that a step was refused, or empty.
func (b *Basket) page(c *fiber.Ctx, why string) (Cart, error) {
	if err := b.know(c); err != nil {
		return Cart{}, err
	}
	v := Cart{
		Bill: view.BillOf(b.Shell.Words, b.Cart.Totals, kit.Counted(b.Shell.Words, b.Cart.Lines)), Hold: b.kept(""), More: b.Studio.Home(), Trouble: b.reason(why),
		Form: kit.FormTo(b.path(""), b.quoted()), Code: b.code(),
	}
	var chosen []checkout.Line
	plans, _, err := b.seatPlans(c)
	if err != nil {
		return Cart{}, err
	}
	v.Note = b.plansLater()
	stakes := b.Cart.CostBases()
	for i, l := range b.Cart.Lines {
		line, err := b.lineOf(c, l, stakes[i], why)
		if err != nil {
			return Cart{}, err
		}
		line.Pays = plans[l.ItemID]
		if why == booking.ErrDuplicate.Reason && kit.IsOn(l, c.Query("at")) {
			v.Trouble = kit.FieldTrouble("who."+line.ID, b.Shell.T(
				"You are already booked for {name} at this time. Enter who else is coming, or remove it.", "name", l.Name))
		}
		if line.Gone != "" {
			v.Aside = append(v.Aside, line)
			continue
		}
		line.Same = len(chosen) > 0 && kit.Thing(l) == kit.Thing(chosen[len(chosen)-1])
		v.Lines, chosen = append(v.Lines, line), append(chosen, l)
	}
	over := why == reasonOver && b.Cart.Hold == nil
	switch {
	case len(v.Aside) > 0:
		if over {
			v.Trouble = b.says(overAndGone)
			if !b.Cart.HasSeats() {
				v.Trouble = b.says(itemsGone)
			}
		}
		if err := b.without(c, &v, chosen); err != nil {
			return Cart{}, err
		}
	case over && len(v.Lines) > 0:
		v.Ended, v.Again = true, kit.FormTo(b.path("/again"))
	}
	return v, nil
}

// without limits the page to the items that can be booked: the others are named in the form, and submitting it drops
// them.
func (b *Basket) without(c *fiber.Ctx, v *Cart, chosen []checkout.Line) error {
	if len(chosen) == 0 {
		v.Form = view.Form{}
		return nil
	}
	var aside []uuid.UUID
	var dropped []string
	for _, l := range b.Cart.Lines {
		if !slices.ContainsFunc(chosen, func(o checkout.Line) bool { return o.ItemID == l.ItemID }) {
			aside, dropped = append(aside, l.ItemID), append(dropped, l.ItemID.String())
		}
	}
	totals, err := b.Checkout.TotalsWithout(c.UserContext(), b.Scope, b.Token, aside)
	for i, s := range (checkout.Cart{Lines: chosen, Totals: totals}).CostBases() { // sharing the service fee
		v.Lines[i].Terms = b.costs(chosen[i], s)
	}
	v.Bill = view.BillOf(b.Shell.Words, totals, kit.Counted(b.Shell.Words, chosen))
	v.Form = kit.FormTo(b.path(""), quotedTotal(totals.TotalAmount), view.Param{Name: fieldAside, Value: strings.Join(dropped, " ")})
	return err
}

// fieldAside names the items that are set aside, in the form that goes on without them.
const fieldAside = "aside"

// kept is the hold of the cart with its button; from is the step that the button returns to.
func (b *Basket) kept(from string) *view.Hold {
	return kit.HoldOf(b.Cart, kit.FormTo(b.path("/extend"), view.Param{Name: "from", Value: from}))
}

// goOn saves the attendees' names and goes on with the total that the customer saw, without the items set aside on
// the page.
func (h *site) goOn(c *fiber.Ctx, b *Basket) error {
	if err := b.dropAside(c); err != nil {
		return b.refused(c, err)
	}
	if err := b.rename(c); err != nil {
		return b.refused(c, err)
	}
	var quoted *int64
	if n, err := strconv.ParseInt(c.FormValue("total"), 10, 64); err == nil {
		quoted = &n
	}
	return b.Proceed(c, quoted)
}

// dropAside removes the items that the form names as set aside, unless their seat is held after all.
func (b *Basket) dropAside(c *fiber.Ctx) error {
	named := strings.Fields(c.FormValue(fieldAside))
	for _, l := range b.Cart.Lines {
		if l.BookingID != nil || !slices.Contains(named, l.ItemID.String()) {
			continue
		}
		if err := b.thaw(c); err != nil {
			return err
		}
		rest, err := b.Checkout.RemoveItem(c.UserContext(), b.Scope, b.Token, l.ItemID)
		if err != nil {
			return err
		}
		b.Cart = rest
	}
	return nil
}

// rename sets the attendee of each seat.
func (b *Basket) rename(c *fiber.Ctx) error {
	for _, l := range b.Cart.Lines {
		sent := c.Request().PostArgs().Has("who." + l.ItemID.String())
		who := names.Clean(c.FormValue("who." + l.ItemID.String()))
		if !sent || who == l.Attendee || who == "" && (l.Unnamed() || b.comesAlready(l)) {
			continue
		}
		if err := b.thaw(c); err != nil {
			return err
		}
		_, err := b.Checkout.UpdateItem(c.UserContext(), b.Scope, b.Token, l.ItemID, checkout.UpdateItemInput{Attendee: who})
		if err != nil {
			return err
		}
	}
	return nil
}

// comesAlready reports whether the customer has another seat for a line's item: then an empty name leaves the
// attendee as it is.
func (b *Basket) comesAlready(l checkout.Line) bool {
	return slices.ContainsFunc(b.Cart.Lines, func(o checkout.Line) bool {
		return o.ItemID != l.ItemID && kit.Thing(o) == kit.Thing(l) && o.Attendee == ""
	})
}

// swap replaces a line with another date or time.
func (b *Basket) swap(c *fiber.Ctx, l checkout.Line, in checkout.AddItemInput) error {
	if err := b.thaw(c); err != nil {
		return err
	}
	_, err := b.Checkout.AddItem(c.UserContext(), b.Scope, b.Token, in)
	if err != nil && !errors.Is(err, booking.ErrDuplicate) {
		return err
	}
	_, err = b.Checkout.RemoveItem(c.UserContext(), b.Scope, b.Token, l.ItemID)
	return err
}

// thaw abandons the payment of a cart, so that its items can be changed: the customer left the payment step to do so.
// A payment in progress is not abandoned.
func (b *Basket) thaw(c *fiber.Ctx) error {
	if b.Cart.Order == nil || b.Cart.Order.State != order.Open {
		return nil
	}
	err := b.Checkout.Release(c.UserContext(), b.Scope, b.Token)
	if err == nil {
		b.Cart.Order = nil
	}
	return err
}

// item is the line in the path; nil when it no longer exists.
func (b *Basket) item(c *fiber.Ctx) *checkout.Line {
	for i, l := range b.Cart.Lines {
		if l.ItemID.String() == c.Params("item") {
			return &b.Cart.Lines[i]
		}
	}
	return nil
}

// remove removes a line from the cart. If it is already gone, nothing happens.
func (h *site) remove(c *fiber.Ctx, b *Basket) error {
	if l := b.item(c); l != nil {
		err := b.thaw(c)
		if err == nil {
			_, err = h.Checkout.RemoveItem(c.UserContext(), b.Scope, b.Token, l.ItemID)
		}
		if err != nil && !fault.IsKind(err, fault.NotFound) {
			return b.refused(c, err)
		}
	}
	return b.see(c, "")
}

// keep accepts a line that has become dearer at its current price.
func (h *site) keep(c *fiber.Ctx, b *Basket) error {
	if l := b.item(c); l != nil {
		err := b.thaw(c)
		if err == nil {
			_, err = h.Checkout.AcceptPrice(c.UserContext(), b.Scope, b.Token, l.ItemID)
		}
		if err != nil && !fault.IsKind(err, fault.NotFound) {
			return b.refused(c, err)
		}
	}
	return b.see(c, "")
}

// move changes a line to another date of the same class, or another time of the same appointment or rental.
func (h *site) move(c *fiber.Ctx, b *Basket) error {
	l := b.item(c)
	if l == nil {
		return b.see(c, "")
	}
	in := checkout.AddItemInput{Attendee: l.Attendee}
	if l.Slot != nil {
		slot := *l.Slot
		slot.StartsAt, in.Slot = kit.Instant(c.FormValue(kit.FieldStart)), &slot
	} else if in.OccurrenceID, _ = uuid.Parse(c.FormValue(kit.FieldDate)); in.OccurrenceID == uuid.Nil {
		return b.see(c, "")
	}
	err := b.swap(c, *l, in)
	switch f := fault.From(err); {
	case err == nil, fault.IsKind(err, fault.NotFound), fault.IsKind(err, fault.Validation):
		return b.see(c, "")
	case l.Slot != nil && f != nil && goneTimes[f.Reason] != "":
		return b.back(c, f.Reason, l.ItemID.String())
	}
	return b.refused(c, err)
}

// again holds the seats of an expired hold once more.
func (h *site) again(c *fiber.Ctx, b *Basket) error { return b.Proceed(c, nil) }

// extend extends the hold by ten minutes and returns to the step of the button.
func (h *site) extend(c *fiber.Ctx, b *Basket) error {
	if !b.signedIn() {
		return b.see(c, "/sign-in")
	}
	if _, err := h.Checkout.Extend(c.UserContext(), b.Scope, b.Token); err != nil {
		return b.refused(c, err)
	}
	if from := c.FormValue("from"); from == "/pay" || from == "/agreements" {
		return b.see(c, from)
	}
	return b.see(c, "")
}

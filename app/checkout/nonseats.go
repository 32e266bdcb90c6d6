package checkout

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/fault"
	"foyer/app/order"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// Items of kinds without seats are priced, reserved and handed out by their sellers (order.Seller). They hang on the
// hold of the cart: a cart of them alone has a hold without seats. Their reservation ends with the hold, and is
// released by whoever needs it, or by the sweep.

// QuantityMax is the largest quantity of an item.
const QuantityMax = 999

// AddNonSeat adds an item of a kind without a seat to a cart. It reserves nothing: Hold does. It returns:
//
//   - a validation error on quantity
//   - a not found error for an unknown cart
//   - the seller's reason that it cannot be bought
//   - booking.ErrPaymentStarted
//   - ErrOther, ErrOrdered, ErrCartFull
func (s *Service) AddNonSeat(ctx context.Context, sc tenancy.Scope, token string, it order.CartItem) (Cart, error) {
	return s.AddMade(ctx, sc, token, it, nil)
}

// AddMade is AddNonSeat of a subject that is made for the cart, by the domain of its kind: the transaction begins with
// that, once the cart is locked.
func (s *Service) AddMade(
	ctx context.Context, sc tenancy.Scope, token string, it order.CartItem,
	made func(ctx context.Context, tx *pg.Tx, c Cart) error,
) (Cart, error) {
	if it.Quantity < 1 || it.Quantity > QuantityMax {
		return Cart{}, fault.Invalid("quantity", "Use 1 to 999.")
	}
	return s.fill(ctx, sc, token, func(tx *pg.Tx, l loaded) error {
		if err := l.room(); err != nil {
			return err
		}
		if made != nil {
			if err := made(ctx, tx, l.Cart); err != nil {
				return err
			}
		}
		it.ID, it.LocationID = pg.NewID(), l.LocationID
		b := tx.Batch()
		quoted := s.quote(b, tx, []*order.CartItem{&it})
		if err := b.Send(ctx); err != nil {
			return err
		}
		if quoted(); it.Problem != nil {
			return it.Problem.Without("itemId") // it is no item yet
		}
		return insertNonSeat(ctx, tx, &l, it)
	})
}

// hasNonSeats reports whether a line has no seat.
func (l *loaded) hasNonSeats() bool {
	return slices.ContainsFunc(l.Lines, func(line Line) bool { return !line.Kind.Seat() })
}

// pricedLater reports whether the statement that read the cart has not read all that its price needs: there is an item
// without a seat, or a source that pays.
func (l *loaded) pricedLater() bool { return l.hasNonSeats() || len(l.sources()) > 0 }

// whole reports whether that statement has read all of it: there is no course either.
func (l *loaded) whole() bool { return !l.pricedLater() && !l.hasCourses() }

// complete reads what the statement of carts has not, of all of them in one trip: the dates of courses, the offers of
// items without seats, and what sources have that pay.
func (s *Service) complete(ctx context.Context, r pg.Reader, carts []*loaded) error {
	var dates []courseRow
	var items []*order.CartItem
	carts = slices.DeleteFunc(slices.Clone(carts), (*loaded).whole)
	courses := slices.DeleteFunc(slices.Clone(carts), func(l *loaded) bool { return !l.hasCourses() })
	for _, l := range carts {
		items = append(items, l.nonSeats()...)
	}
	if len(carts) == 0 {
		return nil
	}
	b := r.Batch()
	if len(courses) > 0 {
		readCourses(b, r, courses, &dates)
	}
	quoted, free := s.quote(b, r, items), s.readFree(b, r, carts)
	if err := b.Send(ctx); err != nil {
		return err
	}
	quoted()
	free()
	for _, l := range courses {
		l.fillCourses(dates, r.Now())
	}
	for _, l := range carts {
		if l.pricedLater() {
			l.offered(items)
		}
	}
	return nil
}

// other returns an item without a seat, before its seller has made its offer.
func (f cartRow) other(h *booking.Hold) (Line, order.Item) {
	l := f.Line
	l.Reserved = h != nil && f.ReservedBy != nil && *f.ReservedBy == h.ID
	return l, order.Item{}
}

// nonSeats returns the items without seats, for their sellers.
func (l *loaded) nonSeats() (out []*order.CartItem) {
	for _, line := range l.Lines {
		if !line.Kind.Seat() {
			out = append(out, &order.CartItem{
				ID: line.ItemID, LocationID: l.LocationID, Kind: line.Kind, Subject: line.Subject, Quantity: line.Quantity,
			})
		}
	}
	return out
}

// quote queues the reading of offers.
func (s *Service) quote(b *pg.Batch, r pg.Reader, items []*order.CartItem) func() {
	var each []func()
	s.bySeller(items, func(by order.Seller, of []*order.CartItem) { each = append(each, by.Quote(b, r, of)) })
	return func() {
		for _, done := range each {
			done()
		}
	}
}

// bySeller groups items by their seller.
func (s *Service) bySeller(items []*order.CartItem, do func(order.Seller, []*order.CartItem)) {
	order.ByKind(s.order.Sellers(), items, func(it *order.CartItem) order.Kind { return it.Kind }, do)
}

// offered takes over the offers of the cart's items without seats, if there are any, and prices the cart. A reserved
// item keeps the price of its reservation, and one of an order its tax.
func (l *loaded) offered(items []*order.CartItem) {
	for _, it := range items {
		i := slices.IndexFunc(l.Lines, func(line Line) bool { return line.ItemID == it.ID })
		if i < 0 {
			continue
		}
		line, f := &l.Lines[i], l.rows[i]
		line.Name, l.items[i] = it.Name, it.Item
		switch {
		case line.Reserved:
			l.items[i].ListedAmount = *f.ReservedAmount
		case it.Problem != nil:
			line.Problem = it.Problem.Reason
		}
		l.items[i].DiscountedAmount = f.SoldDiscount
		if f.Sold {
			l.items[i].Tax = f.soldTax()
		}
	}
	l.price()
}

// reserve has the sellers keep the items without seats for a hold that is written. It returns the refusal of a seller,
// which ends the caller's transaction.
func (s *Service) reserve(ctx context.Context, tx *pg.Tx, l *loaded, h booking.Hold) error {
	items := l.nonSeats()
	items = slices.DeleteFunc(items, func(it *order.CartItem) bool { return l.at(it.ID).Reserved })
	if len(items) == 0 {
		return nil
	}
	amounts := make([]int64, len(items))
	for i, it := range items {
		amounts[i] = l.at(it.ID).ListedAmount
	}
	b := tx.Batch()
	taken := s.take(b, tx, items)
	setReserved(b, tx, h.ID, items, amounts)
	if err := b.Send(ctx); err != nil {
		return err
	}
	return taken()
}

// at returns the line of an item.
func (l *loaded) at(item uuid.UUID) *Line {
	return &l.Lines[slices.IndexFunc(l.Lines, func(line Line) bool { return line.ItemID == item })]
}

// take queues that sellers reserve items: all of them, or the function returns the first refusal.
func (s *Service) take(b *pg.Batch, tx *pg.Tx, items []*order.CartItem) func() error {
	var each []func() error
	s.bySeller(items, func(by order.Seller, of []*order.CartItem) { each = append(each, by.Reserve(b, tx, of)) })
	return func() error {
		for _, taken := range each {
			if err := taken(); err != nil {
				return err
			}
		}
		return nil
	}
}

// kept returns the items that sellers keep for a hold of the cart, even for one that has ended.
func (l *loaded) kept() []*order.CartItem {
	return slices.DeleteFunc(l.nonSeats(), func(it *order.CartItem) bool {
		return !slices.ContainsFunc(l.rows, func(r cartRow) bool { return r.ItemID == it.ID && r.ReservedBy != nil })
	})
}

// releaseItems has the sellers release items that they keep.
func (s *Service) releaseItems(ctx context.Context, tx *pg.Tx, items []*order.CartItem) error {
	if len(items) == 0 {
		return nil
	}
	b := tx.Batch()
	s.bySeller(items, func(by order.Seller, of []*order.CartItem) { by.Release(b, tx, idsOf(of)) })
	setFree(b, tx, idsOf(items))
	return b.Send(ctx)
}

func idsOf(items []*order.CartItem) []uuid.UUID {
	ids := make([]uuid.UUID, len(items))
	for i, it := range items {
		ids[i] = it.ID
	}
	return ids
}

// handOut queues that sellers hand out the lines of an order that is fulfilled.
func (s *Service) handOut(b *pg.Batch, tx *pg.Tx, o lockedOrder, lines []order.SoldItem) {
	if len(lines) == 0 {
		return
	}
	items := make([]uuid.UUID, len(lines))
	for i, l := range lines {
		items[i] = l.CartItemID
	}
	kind := func(l order.SoldItem) order.Kind { return l.Kind }
	order.ByKind(s.order.Sellers(), lines, kind, func(by order.Seller, of []order.SoldItem) {
		by.Fulfil(b, tx, order.Sale{Order: o.ID, Customer: o.CustomerID, Location: o.LocationID, Lines: of})
	})
	setFree(b, tx, items)
}

// handOutTx has sellers hand out the lines of an order that is fulfilled.
func (s *Service) handOutTx(ctx context.Context, tx *pg.Tx, o lockedOrder, items []soldItem) error {
	if len(items) == 0 {
		return nil
	}
	lines := make([]order.SoldItem, len(items))
	for i, x := range items {
		lines[i] = x.SoldItem
	}
	b := tx.Batch()
	s.handOut(b, tx, o, lines)
	return b.Send(ctx)
}

func itemsOf(lines []soldItem) []*order.CartItem {
	out := make([]*order.CartItem, len(lines))
	for i, l := range lines {
		out[i] = &order.CartItem{ID: l.CartItemID, Kind: l.Kind, Subject: l.Subject, Quantity: l.Quantity}
	}
	return out
}

// takeAgain reserves the items of an order whose hold has expired once more: those that were released meanwhile. ok
// is false, and nothing is done, if one of them is gone.
func (s *Service) takeAgain(ctx context.Context, tx *pg.Tx, o lockedOrder, lines []soldItem) (ok bool, err error) {
	var items []*order.CartItem
	for _, l := range lines {
		if !l.Reserved {
			items = append(items, &order.CartItem{
				ID: l.CartItemID, LocationID: o.LocationID, Kind: l.Kind, Subject: l.Subject, Quantity: l.Quantity,
			})
		}
	}
	if len(items) == 0 {
		return true, nil
	}
	var taken []*order.CartItem
	refused := false
	s.bySeller(items, func(by order.Seller, of []*order.CartItem) {
		if refused || err != nil {
			return
		}
		b := tx.Batch()
		done := by.Reserve(b, tx, of)
		if err = b.Send(ctx); err != nil {
			return
		}
		if refusal := done(); fault.From(refusal) != nil {
			refused = true
		} else if err = refusal; err == nil {
			taken = append(taken, of...)
		}
	})
	if err != nil || !refused {
		return err == nil, err
	}
	return false, s.releaseItems(ctx, tx, taken)
}

// endedEvery is the interval of the sweep of items that are reserved for holds that have ended, in real time.
const endedEvery = time.Minute

// ReleaseEnded is the sweep checkout.release: sellers get back what they keep for holds that have ended. It can run in
// several processes at once.
func (s *Service) ReleaseEnded(ctx context.Context) error {
	return s.db.EachOf(ctx, "select business_id from app.ended_items($3, $1, $2)",
		func(ctx context.Context, business uuid.UUID) error {
			_, err := s.releaseEndedOf(ctx, business)
			return err
		}, s.db.Clock().Now())
}

// releaseEndedOf is ReleaseEnded for one business, and reports whether there was anything.
func (s *Service) releaseEndedOf(ctx context.Context, business uuid.UUID) (bool, error) {
	carts, err := cartsEnded(ctx, s.db.View(business))
	var overdue []uuid.UUID
	for _, c := range carts {
		if c.Live {
			overdue = append(overdue, c.HoldID)
		}
	}
	if err == nil {
		err = s.booking.ExpireHolds(ctx, business, overdue)
	}
	for _, c := range carts {
		bad := pg.Do(ctx, s.db, business, func(tx *pg.Tx) error {
			items, err := lockEnded(ctx, tx, c.CartID)
			if err != nil {
				return err
			}
			return s.releaseItems(ctx, tx, items)
		})
		err = errors.Join(err, bad)
	}
	return len(carts) > 0, err
}

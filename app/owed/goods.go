package owed

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"foyer/app/checkout"
	"foyer/app/crm"
	"foyer/app/fault"
	"foyer/app/order"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// Goods are so many of a variant of a product, to be sold at the desk.
type Goods struct {
	VariantID uuid.UUID
	Quantity  int // 1 to 999
}

// SoldGoods is a line of goods of a sale at the desk, in minor units of its currency.
type SoldGoods struct {
	VariantID    uuid.UUID
	Label        string
	Quantity     int
	ListedAmount int64 // of all of them
	TaxAmount    int64 // inside that, or added to it
	Amount       int64 // to pay
}

// SoldPlan is a line of a plan of a sale at the desk, in minor units of its currency.
type SoldPlan struct {
	PlanID       uuid.UUID
	Label        string
	ListedAmount int64
	TaxAmount    int64 // inside that, or added to it
	Amount       int64 // to pay
}

// checkGoods checks the goods of a sale. Alone they need a location.
func (in *PaymentInput) checkGoods(c *fault.Checks) {
	c.That(len(in.Goods) <= takeMost, "goods", "Pass at most 50.")
	seen := map[uuid.UUID]bool{}
	for i, g := range in.Goods {
		field := fmt.Sprintf("goods[%d].", i)
		c.That(g.Quantity >= 1 && g.Quantity <= checkout.QuantityMax, field+"quantity", "Use 1 to 999.")
		c.That(!seen[g.VariantID], field+"variantId", "Pass each once.")
		seen[g.VariantID] = true
	}
	c.That(len(in.Plans) <= 10, "plans", "Pass at most 10.")
	c.That(!twice(in.Plans), "plans", "Pass each once.")
	c.That(len(in.Plans) == 0 || in.CustomerID != uuid.Nil || len(in.BookingIDs)+len(in.FeeIDs) > 0, "customerId",
		"Select the customer who gets the plan.")
	alone := len(in.BookingIDs)+len(in.FeeIDs) == 0
	c.That(!alone || in.sells() == 0 || in.LocationID != uuid.Nil || in.PeriodID != uuid.Nil, "locationId",
		"Select a location.")
}

// addGoods adds goods to what is paid, with their offers, and their customer. It returns a not found error for an
// unknown variant or customer, and ErrOneCustomer for another customer or location than those of the bookings and
// fees.
func (s *Service) addGoods(
	ctx context.Context, tx *pg.Tx, sc tenancy.Scope, in PaymentInput, d *deskDue,
) error {
	if err := in.customer(ctx, tx, sc, d); err != nil || in.sells() == 0 {
		return err
	}
	for _, g := range in.Goods {
		d.goods = append(d.goods, &order.CartItem{
			ID: g.VariantID, LocationID: d.place.LocationID, Kind: order.Product, Subject: g.VariantID, Quantity: g.Quantity,
		})
	}
	for _, id := range in.GiftCards {
		d.goods = append(d.goods, &order.CartItem{
			ID: id, LocationID: d.place.LocationID, Kind: order.GiftCard, Subject: id, Quantity: 1,
		})
	}
	for _, id := range in.Plans {
		d.goods = append(d.goods, &order.CartItem{
			ID: id, LocationID: d.place.LocationID, Kind: order.Plan, Subject: id, Quantity: 1, AtDesk: true,
		})
	}
	if err := s.order.QuoteTx(ctx, tx, d.goods); err != nil {
		return err
	}
	if d.period != nil { // its price is that of the membership
		d.goods = append(d.goods, d.period.Item())
	}
	for _, it := range d.goods {
		if it.Name == "" { // the seller does not know it; other problems are those of Sell, under its locks
			return it.Problem
		}
	}
	return nil
}

// customer decides who pays: the customer of the bookings and fees, the selected one, or a walk-in. A selected one has
// credit and cards to pay with, and must be a customer of the caller's, by crm.AddReach.
func (in PaymentInput) customer(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, d *deskDue) error {
	at := &d.place
	if in.LocationID != uuid.Nil && in.LocationID != at.LocationID {
		return ErrOneCustomer
	}
	switch {
	case at.CustomerID != uuid.Nil:
		if in.CustomerID != uuid.Nil && in.CustomerID != at.CustomerID {
			return ErrOneCustomer
		}
		return nil
	case in.CustomerID != uuid.Nil:
		at.CustomerID = in.CustomerID
		_, err := crm.Seen(ctx, tx, sc, policy.PaymentTake, in.CustomerID)
		return err
	}
	who, err := crm.GuestTx(ctx, tx, "")
	at.CustomerID, d.walkin = who.ID, true
	return err
}

// handOut has the sellers of goods hand them out. It returns the refusal of a seller.
func (s *Service) handOut(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, d deskDue) error {
	sale := order.Sale{Order: d.made.ID, Customer: d.place.CustomerID, Location: d.place.LocationID, By: sc.Actor}
	for _, l := range d.made.Lines {
		if l.Subject != uuid.Nil {
			sale.Lines = append(sale.Lines, order.SoldItem{
				LineID: l.ID, Kind: l.Kind, Subject: l.Subject, Quantity: l.Quantity,
			})
		}
	}
	if len(sale.Lines) == 0 {
		return nil
	}
	return s.order.SellTx(ctx, tx, sale)
}

// soldGoods returns the lines of goods of an order, in the order of the input.
func soldGoods(o order.Draft) (out []SoldGoods) {
	for _, l := range o.Lines {
		if l.Kind == order.Product {
			out = append(out, SoldGoods{
				VariantID: l.Subject, Label: l.Label, Quantity: l.Quantity, ListedAmount: l.ListedAmount, TaxAmount: l.TaxAmount,
				Amount: order.LineDue(o.Totals.TaxMode, l.Net(), l.TaxAmount),
			})
		}
	}
	return out
}

// soldPlans returns the lines of plans of an order, in the order of the input.
func soldPlans(o order.Draft) (out []SoldPlan) {
	for _, l := range o.Lines {
		if l.Kind == order.Plan {
			out = append(out, SoldPlan{
				PlanID: l.Subject, Label: l.Label, ListedAmount: l.ListedAmount, TaxAmount: l.TaxAmount,
				Amount: order.LineDue(o.Totals.TaxMode, l.Net(), l.TaxAmount),
			})
		}
	}
	return out
}

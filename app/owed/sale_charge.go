package owed

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"foyer/app/checkout"
	"foyer/app/fault"
	"foyer/app/fees"
	"foyer/app/order"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/billing"
	"foyer/policy"
)

// SaleCharge is the charge of a saved card for a sale at the desk. It is in progress when the sale is answered.
type SaleCharge struct {
	PaymentID uuid.UUID
	Card      billing.SavedCard
}

// bySavedCard reports whether a saved card pays.
func (in PaymentInput) bySavedCard() bool {
	return slices.ContainsFunc(in.Tenders, func(t Tender) bool { return t.Method == SavedCard })
}

// checkCard checks the tender of a saved card.
func (in *PaymentInput) checkCard(c *fault.Checks, t Tender, field string) {
	c.That(len(in.Tenders) == 1, field+"method", "A saved card pays the whole sale. Use no other payment method.")
	c.That(t.Amount == 0, field+"amount", "A saved card pays the whole sale. Leave out the amount.")
	c.That(t.Received == 0, field+"receivedAmount", "Only cash has an amount received.")
	c.That(t.Note == "", field+"note", "A payment by saved card has no note.")
	c.That(len(in.GiftCards) == 0, field+"method", "A gift card is not sold to a saved card at the desk.")
	known := len(in.BookingIDs)+len(in.FeeIDs) > 0 || in.PeriodID != uuid.Nil
	alone := in.sells() == 1 && len(in.BookingIDs)+len(in.FeeIDs) == 0
	c.That(in.PeriodID == uuid.Nil || alone, field+"method",
		"Charge a saved card for a billing period alone. Pay for the rest separately.")
	c.That(known || in.CustomerID != uuid.Nil, "customerId", "Select the customer whose card is charged.")
}

// chargeSale is takeTx by a saved card: an open order of everything, whose goods are reserved, is charged by a job.
func (s *Service) chargeSale(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, in PaymentInput) (Sale, error) {
	if in.PeriodID != uuid.Nil {
		return s.chargePeriod(ctx, tx, sc, in)
	}
	locked, err := lockCharging(ctx, tx, in.BookingIDs, in.FeeIDs)
	if err != nil {
		return Sale{}, err
	}
	d, err := lockDesk(ctx, tx, in)
	if err != nil {
		return Sale{}, err
	}
	if err := policy.RequireAt(sc, policy.PaymentTake, d.place.LocationID); err != nil {
		return Sale{}, err
	}
	if err := s.addGoods(ctx, tx, sc, in, &d); err != nil {
		return Sale{}, err
	}
	due, err := allOf(ctx, tx, d)
	if err = fault.When(due.order.Totals.TotalAmount == 0, checkout.ErrNothingToPay, err); err != nil {
		return Sale{}, err
	}
	card, why, err := s.chargeable(ctx, tx, d.place.CustomerID, in.Tenders[0].Source)
	if err != nil {
		return Sale{}, err
	}
	if why != nil {
		return Sale{}, why
	}
	if err := fees.ChargingTx(ctx, tx, in.FeeIDs); err != nil {
		return Sale{}, err
	}
	p, err := s.charge(ctx, tx, due, locked, card)
	if err != nil {
		return Sale{}, err
	}
	total := due.order.Totals.TotalAmount
	return Sale{
		OrderID: p.OrderID, LocationID: d.place.LocationID, CustomerID: d.place.CustomerID, Currency: d.place.Currency,
		Tenders: []Tender{{Method: SavedCard, Amount: total}}, Amount: total, Lines: due.lines(),
		Goods: soldGoods(due.order), Plans: soldPlans(due.order), Charge: &SaleCharge{p.ID, card},
	}, nil
}

// chargePeriod is chargeSale of a billing period: the order that is open for it, or a new one, is charged.
func (s *Service) chargePeriod(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, in PaymentInput) (Sale, error) {
	p, err := s.periodOf(ctx, tx, &in)
	if err != nil {
		return Sale{}, err
	}
	if err := policy.RequireAt(sc, policy.PaymentTake, p.LocationID); err != nil {
		return Sale{}, err
	}
	d, err := deskOfPeriod(ctx, tx, *p)
	if err != nil {
		return Sale{}, err
	}
	if err := in.customer(ctx, tx, sc, &deskDue{place: deskPlace{LocationID: p.LocationID}}); err != nil {
		return Sale{}, err
	}
	card, why, err := s.chargeable(ctx, tx, p.CustomerID, in.Tenders[0].Source)
	if err != nil {
		return Sale{}, err
	}
	if why != nil {
		return Sale{}, why
	}
	if p.Amount == 0 {
		return Sale{}, checkout.ErrNothingToPay
	}
	id, err := s.orderOf(ctx, tx, p)
	if err != nil {
		return Sale{}, err
	}
	if err := s.chargeOrder(ctx, tx, id, card); err != nil {
		return Sale{}, err
	}
	pay, err := billing.PaymentOfOrder(ctx, tx, id)
	made := d.sale()
	return Sale{
		OrderID: id, LocationID: p.LocationID, CustomerID: p.CustomerID, Currency: p.Currency,
		Tenders: []Tender{{Method: SavedCard, Amount: pay.Amount}}, Amount: pay.Amount, Plans: soldPlans(made),
		Charge: &SaleCharge{pay.ID, card},
	}, err
}

// reserve has the sellers of goods reserve the lines of an order that is written.
func (s *Service) reserve(ctx context.Context, tx *pg.Tx, o order.Draft) error {
	goods := slices.DeleteFunc(slices.Clone(o.Lines), func(l order.DraftLine) bool { return l.Subject == uuid.Nil })
	if len(goods) == 0 {
		return nil
	}
	return s.order.ReserveTx(ctx, tx, o.LocationID, goods)
}

package demo

import (
	"context"

	"foyer/app/civil"
	"foyer/app/giftcard"
	"foyer/app/owed"
	cards "foyer/billing/giftcard"
	"foyer/billing/tender"
)

// giftCards sells gift cards at the first location: online, and some at the desk. One of those is mailed next week, and
// two have paid for goods since.
func (s *seeding) giftCards(ctx context.Context) error {
	at := s.locations[0].ID
	was, err := s.GiftCards.TermsOf(ctx, s.owner, at)
	if err != nil {
		return err
	}
	if _, err := s.GiftCards.SetTerms(ctx, s.owner, cards.SetTermsInput{
		LocationID: at, Version: was.Version, SoldOnline: true, LeastAmount: was.LeastAmount, MostAmount: was.MostAmount,
		Amounts: []int64{5 * was.LeastAmount, 10 * was.LeastAmount, 20 * was.LeastAmount},
	}); err != nil {
		return err
	}
	for i, in := range []giftcard.IssueInput{
		{Method: tender.Cash, NewCard: giftcard.NewCard{Amount: 10 * was.LeastAmount, RecipientName: "Noor Haddad"}},
		{Method: tender.Other, NewCard: giftcard.NewCard{Amount: 20 * was.LeastAmount}},
		{Method: tender.Other, NewCard: giftcard.NewCard{
			Amount: 5 * was.LeastAmount, RecipientName: s.regulars[1].name, RecipientEmail: s.regulars[1].email,
			SenderName: s.regulars[0].name, Message: "Happy birthday!",
			DeliverOn: civil.DateOf(s.Clock.Now()).AddDays(7),
		}},
	} {
		in.LocationID = at
		sold, err := s.GiftSales.Issue(ctx, s.owner, in)
		if err != nil {
			return err
		}
		s.ofGoods[sold.Sale.OrderID] = true
		if i == 2 {
			break
		}
		sale, err := s.Owed.RecordPayment(ctx, s.owner, owed.PaymentInput{
			LocationID: at, Goods: []owed.Goods{{VariantID: s.stocked[len(s.stocked)-1].ID, Quantity: 1}},
			Tenders: []owed.Tender{{Method: tender.GiftCard, Source: sold.Card.ID}},
		})
		if err != nil {
			return err
		}
		s.ofGoods[sale.OrderID] = true
	}
	return nil
}

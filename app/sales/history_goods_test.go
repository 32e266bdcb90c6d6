package sales_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/checkout"
	"foyer/app/giftcard"
	"foyer/app/order"
	"foyer/app/owed"
	"foyer/app/product"
	"foyer/app/sales"
	"foyer/app/tenancy"
	"foyer/billing"
	cards "foyer/billing/giftcard"
	"foyer/billing/ledger"
	"foyer/billing/tender"
)

// goodsTurns are the acts with products and gift cards.
var goodsTurns = []deed{
	{"goods in a cart", 3, (*history).buyGoods}, {"goods at the desk", 2, (*history).sellGoods},
	{"goods to a saved card", 3, (*history).sellToCard},
	{"goods returned", 3, (*history).returnGoods}, {"gift card bought", 3, (*history).buyCard},
	{"gift card sold at the desk", 2, (*history).sellCard}, {"gift card spent in a cart", 6, (*history).useCard},
	{"gift card spent at the desk", 3, (*history).useCardAtDesk},
	{"payment by gift card refunded", 3, (*history).refundSpent},
	{"gift card purchase refunded", 3, (*history).refundCard}, {"gift card adjusted", 2, (*history).adjustCard},
	{"gift card expired", 1, (*history).expireCard},
	{"gift card purchase refunded by hand", 2, (*history).cardByHand},
}

// stockUp has the studio sell a product, and gift cards online.
func (h *history) stockUp(t *testing.T, rate *uuid.UUID) {
	t.Helper()
	goods, published := h.Services.Products, product.Published
	p, err := goods.Create(t.Context(), h.Owner, product.CreateInput{Name: "Mat", TaxRateID: rate})
	must(t, p, err)
	v, err := goods.CreateVariant(t.Context(), h.Owner, product.CreateVariantInput{
		ProductID: p.ID, PriceAmount: h.r.Int64N(4000) + 60, Track: true,
	})
	h.variant = must(t, v, err)
	_, err = goods.Receive(t.Context(), h.Owner, product.ReceiveInput{
		StockInput: product.StockInput{ProductID: p.ID, VariantID: v.ID, LocationID: h.Location.ID}, Quantity: 900,
	})
	must(t, 0, err)
	_, err = goods.Update(t.Context(), h.Owner, product.UpdateInput{ID: p.ID, Version: p.Version, State: &published})
	must(t, 0, err)
	_, err = h.Services.GiftCards.SetTerms(t.Context(), h.Owner, cards.SetTermsInput{
		LocationID: h.Location.ID, Version: 1, SoldOnline: true, LeastAmount: 1, MostAmount: 50000,
	})
	must(t, 0, err)
}

// mats adds so many of the product to a cart.
func (h *history) mats(t *testing.T, who tenancy.Scope, token string) {
	t.Helper()
	it := order.CartItem{Kind: order.Product, Subject: h.variant.ID, Quantity: h.r.IntN(3) + 1}
	_, err := h.Checkout.AddNonSeat(t.Context(), who, token, it)
	must(t, 0, err)
}

// pay pays a cart by card, and confirms it unless the customer does not return.
func (h *history) pay(t *testing.T, who tenancy.Scope, token string) bool {
	t.Helper()
	card := cardNumbers[h.r.IntN(len(cardNumbers))]
	secret := h.begins(t, who, token, nil)
	h.pays(t, secret, card)
	if h.r.IntN(3) == 0 || card == apptest.CardDeclined {
		return true
	}
	_, err := h.Checkout.Confirm(t.Context(), who, token)
	return did(t, err)
}

func (h *history) buyGoods(t *testing.T) bool {
	who, token := h.Customer(t, "Ada"), ""
	if h.r.IntN(2) == 0 {
		token = h.Fill(t)
	} else {
		token = h.Fill(t, h.date(t, 96*time.Hour))
	}
	h.mats(t, who, token)
	return h.pay(t, who, token)
}

func (h *history) sellGoods(t *testing.T) bool {
	_, err := h.Owed.RecordPayment(t.Context(), h.Owner, owed.PaymentInput{
		LocationID: h.Location.ID, Goods: []owed.Goods{{VariantID: h.variant.ID, Quantity: h.r.IntN(3) + 1}},
		Tenders: owed.Pays([]tender.Kind{tender.Cash, tender.Other}[h.r.IntN(2)]),
	})
	return did(t, err)
}

// sellToCard sells goods to a saved card, sometimes with a booking, which sometimes is paid in cash meanwhile.
func (h *history) sellToCard(t *testing.T) bool {
	id, ok := h.some(t, "select customer_id as id from saved_cards where removed_at is null")
	if !ok {
		return false
	}
	in := owed.PaymentInput{
		CustomerID: id, LocationID: h.Location.ID, Tenders: owed.Pays(owed.SavedCard),
		Goods: []owed.Goods{{VariantID: h.variant.ID, Quantity: h.r.IntN(3) + 1}},
	}
	if h.r.IntN(2) == 0 {
		h.later++
		b := h.books(t, booking.CustomerRef{CustomerID: id}, time.Duration(96+2*h.later)*time.Hour)
		in.BookingIDs = []uuid.UUID{b.ID}
	}
	_, err := h.Owed.RecordPayment(t.Context(), h.Owner, in)
	if !did(t, err) || len(in.BookingIDs) == 0 || h.r.IntN(3) > 0 {
		return err == nil
	}
	_, err = h.Owed.RecordPayment(t.Context(), h.Owner, owed.PaymentInput{
		BookingIDs: in.BookingIDs, Tenders: owed.Pays(tender.Cash),
	})
	return did(t, err)
}

// returnGoods has one of a line come back, with its money or without.
func (h *history) returnGoods(t *testing.T) bool {
	id, ok := h.some(t, `select l.id from order_lines l join orders o on o.id = l.order_id
		where l.kind = 'product' and o.state = 'fulfilled'`)
	if !ok {
		return false
	}
	of := apptest.Value[string](t, h.w, "select order_id::text from order_lines where id = $1", id)
	_, err := h.Services.Sales.Return(t.Context(), h.Owner, sales.ReturnInput{
		OrderID: uuid.MustParse(of), Refund: h.r.IntN(4) > 0,
		Lines: []sales.ReturnLine{{LineID: id, Quantity: 1, Restock: h.r.IntN(2) == 0}},
	})
	return did(t, err)
}

// gift is a gift card that is mailed, or handed over.
func (h *history) gift(mailed bool) giftcard.NewCard {
	in := giftcard.NewCard{Amount: h.r.Int64N(9000) + 60}
	if mailed {
		in.RecipientEmail = "ben@example.com"
	}
	return in
}

func (h *history) buyCard(t *testing.T) bool {
	who, token := h.Customer(t, "Ada"), h.Fill(t)
	if h.r.IntN(3) == 0 {
		token = h.Fill(t, h.date(t, 96*time.Hour))
	}
	for range h.r.IntN(2) + 1 {
		_, err := h.Services.GiftSales.Add(t.Context(), who, token, h.gift(true))
		must(t, 0, err)
	}
	return h.pay(t, who, token)
}

func (h *history) sellCard(t *testing.T) bool {
	_, err := h.Services.GiftSales.Issue(t.Context(), h.Owner, giftcard.IssueInput{
		NewCard: h.gift(h.r.IntN(2) == 0), LocationID: h.Location.ID,
		Method: []tender.Kind{tender.Cash, tender.Other}[h.r.IntN(2)],
	})
	return did(t, err)
}

// usable is a gift card with a balance.
func (h *history) usable(t *testing.T) (uuid.UUID, bool) {
	t.Helper()
	return h.some(t, "select id from gift_cards where balance > 0 and (expires_at is null or expires_at > $1)",
		h.w.Clock.Now())
}

// useCard pays a cart with a gift card, and the remaining amount by card; sometimes nobody does.
func (h *history) useCard(t *testing.T) bool {
	id, ok := h.usable(t)
	if !ok {
		return false
	}
	who, token := h.Customer(t, "Ben"), ""
	if h.r.IntN(3) == 0 {
		token = h.Fill(t)
		h.mats(t, who, token)
	} else {
		token = h.Fill(t, h.date(t, 96*time.Hour))
	}
	_, err := h.Checkout.Hold(t.Context(), who, token, checkout.HoldInput{})
	must(t, 0, err)
	c, err := h.Checkout.UsePrepaid(t.Context(), who, token, tender.GiftCard, id, true)
	if due := must(t, c, err).Totals.DueNow(); due > 0 {
		p, err := h.Checkout.Pay(t.Context(), who, token, checkout.PayInput{QuotedAmount: due})
		if !did(t, err) {
			return false
		}
		h.pays(t, p.ClientSecret, cardNumbers[h.r.IntN(len(cardNumbers))])
	}
	if h.r.IntN(4) == 0 {
		return true
	}
	_, err = h.Checkout.Confirm(t.Context(), who, token)
	return did(t, err)
}

// useCardAtDesk pays a booking or goods with a gift card, and the remaining amount in cash.
func (h *history) useCardAtDesk(t *testing.T) bool {
	id, ok := h.usable(t)
	if !ok {
		return false
	}
	has := apptest.Value[int64](t, h.w, "select balance from gift_cards where id = $1", id)
	in := owed.PaymentInput{Tenders: []owed.Tender{{Method: tender.GiftCard, Source: id}}}
	if h.r.IntN(2) == 0 {
		in.LocationID, in.Goods = h.Location.ID, []owed.Goods{{VariantID: h.variant.ID, Quantity: 1}}
	} else {
		b := h.books(t, booking.CustomerRef{Email: uuid.NewString() + "@example.com"}, 96*time.Hour)
		in.BookingIDs = []uuid.UUID{b.ID}
	}
	_, err := h.Owed.RecordPayment(t.Context(), h.Owner, in)
	if err == nil || has == 0 {
		return did(t, err)
	}
	in.Tenders[0].Amount = min(has, h.r.Int64N(60)+1)
	in.Tenders = append(in.Tenders, owed.Tender{Method: tender.Cash})
	_, err = h.Owed.RecordPayment(t.Context(), h.Owner, in)
	return did(t, err)
}

// part refunds a part of a payment.
func (h *history) part(t *testing.T, id uuid.UUID, most int64) bool {
	t.Helper()
	amount := h.r.Int64N(most) + 1
	_, err := h.Money.Refund(t.Context(), h.Owner, sales.RefundInput{
		PaymentID: id, Amount: &amount, Reason: "requested", Note: "as agreed", Destination: billing.ToOriginal,
	})
	return did(t, err)
}

func (h *history) refundSpent(t *testing.T) bool {
	id, ok := h.some(t, "select id from order_tenders where kind = 'gift_card' and captured_at is not null")
	if !ok {
		return false
	}
	return h.part(t, id, apptest.Value[int64](t, h.w, "select amount from order_tenders where id = $1", id))
}

// soldCards are the payments of gift cards.
const soldCards = `select p.id from payments p where p.status = 'succeeded'
		and exists (select from order_lines l where l.order_id = p.order_id and l.kind = 'gift_card')`

func (h *history) refundCard(t *testing.T) bool {
	id, ok := h.some(t, soldCards+` union all select t.id from order_tenders t
		where t.kind <> 'card' and t.captured_at is not null
			and exists (select from order_lines l where l.order_id = t.order_id and l.kind = 'gift_card')`)
	return ok && h.part(t, id, 5000)
}

// cardByHand refunds the purchase of a card on the processor's website, whatever is left of the card.
func (h *history) cardByHand(t *testing.T) bool {
	id, ok := h.some(t, soldCards)
	if !ok {
		return false
	}
	p := apptest.Value[string](t, h.w, "select intent from payments where id = $1", id)
	left, err := h.Sim.Refundable(h.Account, p)
	if must(t, left, err) == 0 {
		return false
	}
	_, err = h.Sim.DashboardRefund(h.Account, p, h.r.Int64N(left)+1)
	return must(t, true, err)
}

func (h *history) adjustCard(t *testing.T) bool {
	id, ok := h.usable(t)
	if !ok {
		return false
	}
	amount := h.r.Int64N(2000) - 1000
	if amount == 0 {
		amount = 1
	}
	in := cards.AdjustInput{ID: id, Amount: amount, Note: "as agreed"}
	_, err := h.Services.GiftCards.Adjust(t.Context(), h.Owner, in)
	return did(t, err)
}

// expireCard ends a card now: what is left of it is income.
func (h *history) expireCard(t *testing.T) bool {
	id, ok := h.usable(t)
	if !ok {
		return false
	}
	h.w.SQL(t, "update gift_cards set expires_at = $2 where id = $1", id, h.w.Clock.Now())
	must(t, 0, h.Services.GiftCards.Expire(t.Context()))
	return true
}

// checkCards compares what gift cards are worth with the books.
func (h *history) checkCards(t *testing.T) {
	t.Helper()
	got := -h.holds(t, ledger.GiftCards)
	want := apptest.Value[int64](t, h.w, `select coalesce(sum(balance), 0)::bigint from gift_cards
		where business_id = $1`, h.Business.ID)
	if got != want {
		t.Errorf("%s: gift cards are worth %d, %d in the books: %q", h.Business.ID, want, got,
			apptest.Values[string](t, h.w, `select gift_card_id || ':' ||
					string_agg(' ' || kind || ' ' || amount, ',' order by created_at, id)
				from gift_card_transactions where business_id = $1 group by gift_card_id`, h.Business.ID))
	}
	if n := apptest.Value[int](t, h.w, `select count(*)::int from gift_cards where business_id = $1
		and (state = 'active') <> exists (select from order_lines l join orders o on o.id = l.order_id
			where l.gift_card_id = gift_cards.id and o.state = 'fulfilled')`, h.Business.ID); n != 0 {
		t.Errorf("%s: %d cards without a sale, or sold without a card", h.Business.ID, n)
	}
}

package sales_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/checkout"
	"foyer/app/fault"
	"foyer/app/owed"
	"foyer/app/pg"
	"foyer/app/sales"
	"foyer/app/tenancy"
	"foyer/billing"
	"foyer/billing/credit"
	"foyer/billing/tender"
)

// deed is an act with an effect on a studio's money; run reports whether it was done.
type deed struct {
	name   string
	weight int
	run    func(*history, *testing.T) bool
}

var turnsOf = append([]deed{
	{"sale", 7, (*history).sell}, {"sale by a card that is kept", 2, (*history).sellAndKeep}, {"sale that came too late", 1, (*history).sellTooLate},
	{"cash", 2, (*history).cash}, {"paid elsewhere", 1, (*history).elsewhere}, {"credit granted", 2, (*history).grant}, {"credit spent", 3, (*history).spend},
	{"amount back", 4, (*history).amountBack}, {"line back", 3, (*history).lineBack}, {"amount as credit", 2, (*history).amountToCredit},
	{"rest of a deposit at the desk", 2, (*history).restByHand}, {"rest of a deposit by a saved card", 2, (*history).balanceByCard},
	{"booking cancelled", 3, (*history).cancel}, {"taking was a mistake", 2, (*history).mistake}, {"fee charged", 3, (*history).fee},
	{"refund by hand", 2, (*history).byHand}, {"dispute", 2, (*history).dispute}, {"inquiry", 3, (*history).inquire},
	{"dispute won", 2, (*history).win}, {"dispute lost", 2, (*history).lose}, {"inquiry closed", 3, (*history).closeInquiry}, {"inquiry became a dispute", 3, (*history).escalate},
	{"payout", 3, (*history).payOut}, {"payout failed", 3, (*history).failPayout}, {"charge made without us", 1, (*history).outside}, {"fee of the processor", 1, (*history).adjust},
}, goodsTurns...)

func (h *history) view() *pg.View { return h.w.DB.View(h.Business.ID) }

// did reports whether a method succeeded; it may be refused, and nothing else.
func did(t *testing.T, err error) bool {
	t.Helper()
	if err != nil && !fault.IsKind(err, fault.Conflict) {
		t.Fatalf("%v: %v", err, fault.From(err).Fields)
	}
	return err == nil
}

// some is an id of the history's rows at random.
func (h *history) some(t *testing.T, sql string, args ...any) (uuid.UUID, bool) {
	t.Helper()
	ids, err := pg.All[uuid.UUID](t.Context(), h.view(), sql+" order by id", args...)
	if len(must(t, ids, err)) == 0 {
		return uuid.Nil, false
	}
	return ids[h.r.IntN(len(ids))], true
}

// cardNumbers are the cards of the payments: most are good, some fail at a refund, are disputed by themselves, or have
// an inquiry.
var cardNumbers = []string{
	apptest.CardGood, apptest.CardGood, apptest.CardGood, "4000000000005126", "4000000000000259", apptest.CardChecked,
	apptest.CardDeclined,
}

// pays has a customer put a card on a payment; the bank's question is answered.
func (h *history) pays(t *testing.T, secret, card string) {
	t.Helper()
	h.PayCard(t, secret, card)
	if card == apptest.CardChecked {
		h.PassCheck(t, secret)
	}
}

func (h *history) sell(t *testing.T) bool {
	return h.sale(t, nil, cardNumbers[h.r.IntN(len(cardNumbers))])
}

func (h *history) sellAndKeep(t *testing.T) bool {
	return h.sale(t, &checkout.How{Consent: &billing.Consent{Text: "Keep my card.", Version: billing.ConsentVersion}}, apptest.CardGood)
}

func (h *history) sale(t *testing.T, how *checkout.How, card string) bool {
	t.Helper()
	who := h.Customer(t, "Ada")
	token := h.Fill(t, h.date(t, 96*time.Hour))
	if h.r.IntN(4) == 0 {
		_, err := h.Checkout.AddItem(t.Context(), who, token, checkout.AddItemInput{OccurrenceID: h.date(t, 72*time.Hour).ID})
		must(t, 0, err)
	}
	secret := h.begins(t, who, token, how)
	h.pays(t, secret, card)
	if h.r.IntN(3) == 0 || card == apptest.CardDeclined { // they do not return: an event fulfils it, or the sweep
		return true
	}
	_, err := h.Checkout.Confirm(t.Context(), who, token)
	return did(t, err)
}

// begins holds a cart and begins its payment.
func (h *history) begins(t *testing.T, who tenancy.Scope, token string, how *checkout.How) (secret string) {
	t.Helper()
	if _, err := h.Checkout.Hold(t.Context(), who, token, checkout.HoldInput{}); err != nil {
		t.Fatal(err)
	}
	cart, err := h.Checkout.Cart(t.Context(), who, token)
	p, err2 := h.Checkout.Pay(t.Context(), who, token, checkout.PayInput{QuotedAmount: must(t, cart, err).Totals.DueNow(), How: how, ReturnURL: "/done"})
	return must(t, p, err2).ClientSecret
}

func (h *history) sellTooLate(t *testing.T) bool {
	who := h.Customer(t, "Ada")
	token := h.Fill(t, h.date(t, 96*time.Hour))
	secret := h.begins(t, who, token, nil)
	if err := h.Checkout.Release(t.Context(), who, token); err != nil {
		t.Fatal(err)
	}
	h.pays(t, secret, apptest.CardGood)
	return true
}

// books has the desk book for a customer.
func (h *history) books(t *testing.T, who booking.CustomerRef, ahead time.Duration) booking.Booking {
	t.Helper()
	b, err := h.Booking.Book(t.Context(), h.Owner, booking.BookInput{Customer: who, OccurrenceID: h.date(t, ahead).ID})
	return must(t, b, err).Booking.Booking
}

func (h *history) takes(t *testing.T, b booking.Booking, tenders ...owed.Tender) bool {
	t.Helper()
	_, err := h.Owed.RecordPayment(t.Context(), h.Owner, owed.PaymentInput{BookingIDs: []uuid.UUID{b.ID}, Tenders: tenders})
	return did(t, err)
}

func (h *history) cash(t *testing.T) bool { return h.desk(t, tender.Cash) }

func (h *history) elsewhere(t *testing.T) bool { return h.desk(t, tender.Other) }

func (h *history) desk(t *testing.T, m tender.Kind) bool {
	b := h.books(t, booking.CustomerRef{Email: pg.NewID().String() + "@example.com"}, 96*time.Hour)
	return h.takes(t, b, owed.Tender{Method: m})
}

func (h *history) grant(t *testing.T) bool {
	id, ok := h.some(t, "select id from customers")
	if !ok {
		return false
	}
	amount := h.r.Int64N(6000) + 1
	if h.r.IntN(12) == 0 {
		amount = -(amount + 5) / 6
	}
	_, err := credit.New(h.w.DB).Adjust(t.Context(), h.Owner, credit.AdjustInput{CustomerID: id, LocationID: h.Location.ID, Amount: amount, Note: "as agreed"})
	return did(t, err)
}

// spend pays with credit, and the remaining amount in cash.
func (h *history) spend(t *testing.T) bool {
	id, ok := h.some(t, "select customer_id as id from credits where balance > 0")
	if !ok {
		return false
	}
	has := apptest.Value[int64](t, h.w, "select balance from credits where business_id = $1 and customer_id = $2", h.Business.ID, id)
	on := h.date(t, time.Duration(80+h.r.IntN(9))*time.Hour)
	booked, err := h.Booking.Book(t.Context(), h.Owner, booking.BookInput{Customer: booking.CustomerRef{CustomerID: id}, OccurrenceID: on.ID})
	if !did(t, err) { // they are on that date already
		return false
	}
	b := booked.Booking.Booking
	m, err := h.Orders.MoneyOf(t.Context(), h.Business.ID, b)
	if due := must(t, m, err).Due; has >= due {
		return h.takes(t, b, owed.Tender{Method: tender.AccountCredit})
	}
	return h.takes(t, b, owed.Tender{Method: tender.AccountCredit, Amount: has}, owed.Tender{Method: tender.Cash})
}

// split is a booking of which something was paid by card and something is due, and whose it is.
func (h *history) split(t *testing.T, kept bool) (b booking.Booking, ok bool) {
	t.Helper()
	id, ok := h.some(t, `select distinct b.id from bookings b join order_lines l on l.booking_id = b.id
		cross join lateral (select sum(a.amount) as amount from tender_parts a join order_tenders t on t.id = a.tender_id
			and t.kind = 'card' and t.position > 0 where a.line_id = l.id) card
		where b.state = 'confirmed' and card.amount > 0 and card.amount < l.listed_amount + l.tax_amount
			and (not $1 or exists (select from saved_cards c where c.customer_id = b.customer_id and c.removed_at is null))`, kept)
	if !ok {
		return b, false
	}
	got, err := h.Booking.Get(t.Context(), h.Owner, id)
	return must(t, got, err).Booking, true
}

func (h *history) restByHand(t *testing.T) bool {
	b, ok := h.split(t, false)
	if !ok {
		return false
	}
	m, err := h.Orders.MoneyOf(t.Context(), h.Business.ID, b)
	if due := must(t, m, err).Due; due > 1 && h.r.IntN(2) == 0 {
		return h.takes(t, b, owed.Tender{Method: tender.Cash, Amount: h.r.Int64N(due) + 1})
	}
	return h.takes(t, b, owed.Tender{Method: tender.Other})
}

func (h *history) balanceByCard(t *testing.T) bool {
	b, ok := h.split(t, true)
	if !ok {
		return false
	}
	_, err := h.Owed.Collect(t.Context(), h.Owner, owed.CollectInput{CustomerID: b.CustomerID, BookingIDs: []uuid.UUID{b.ID}})
	return did(t, err)
}

// taken is a payment or a manual payment that something may be left of.
func (h *history) taken(t *testing.T) (uuid.UUID, bool) {
	t.Helper()
	return h.some(t, "select id from payments where status = 'succeeded' union all select id from order_tenders where "+
		"kind <> 'card' and captured_at is not null")
}

func (h *history) amountBack(t *testing.T) bool { return h.back(t, billing.ToOriginal) }

func (h *history) amountToCredit(t *testing.T) bool { return h.back(t, billing.ToCredit) }

func (h *history) back(t *testing.T, to billing.Destination) bool {
	id, ok := h.taken(t)
	if !ok {
		return false
	}
	amount := h.r.Int64N(*h.class.Price) + 1
	_, err := h.Money.Refund(t.Context(), h.Owner, sales.RefundInput{PaymentID: id, Amount: &amount, Reason: "requested", Note: "as agreed", Destination: to})
	return did(t, err)
}

// lineBack refunds the refundable amount of one line, with its part of the service fee or without.
func (h *history) lineBack(t *testing.T) bool {
	id, ok := h.taken(t)
	if !ok {
		return false
	}
	in := sales.RefundInput{PaymentID: id, Reason: "requested", Note: "as agreed"}
	for _, l := range h.get(t, id).Lines {
		if l.ID == nil {
			in.ServiceFee = h.r.IntN(2) == 0
		} else if len(in.Lines) == 0 {
			in.Lines = append(in.Lines, *l.ID)
		}
	}
	if len(in.Lines) == 0 {
		return false
	}
	_, err := h.Money.Refund(t.Context(), h.Owner, in)
	return did(t, err)
}

func (h *history) cancel(t *testing.T) bool {
	id, ok := h.some(t, "select id from bookings where state = 'confirmed'")
	if !ok {
		return false
	}
	_, err := h.Booking.Cancel(t.Context(), h.Owner, booking.CancelInput{
		BookingID: id, By: []booking.By{booking.ByCustomer, booking.ByStudio}[h.r.IntN(2)], ToCredit: h.r.IntN(3) == 0,
	})
	return did(t, err)
}

func (h *history) mistake(t *testing.T) bool {
	id, ok := h.some(t, "select id from order_tenders where kind <> 'card' and captured_at is not null")
	if !ok {
		return false
	}
	_, err := h.Money.Void(t.Context(), h.Owner, sales.VoidInput{PaymentID: id, Note: "another was meant"})
	return did(t, err)
}

// fee has a customer with a saved card cancel late, and their card charged.
func (h *history) fee(t *testing.T) bool {
	id, ok := h.some(t, "select customer_id as id from saved_cards where removed_at is null")
	if !ok {
		return false
	}
	ahead := time.Duration(60+h.r.IntN(9)) * time.Minute
	b := h.books(t, booking.CustomerRef{CustomerID: id}, ahead)
	if _, err := h.Booking.Cancel(t.Context(), h.Owner, booking.CancelInput{BookingID: b.ID, By: booking.ByCustomer}); err != nil {
		t.Fatal(err)
	}
	_, err := h.Owed.Collect(t.Context(), h.Owner, owed.CollectInput{CustomerID: id})
	return did(t, err)
}

// intent returns a payment that succeeded, as the processor has it.
func (h *history) intent(t *testing.T) (string, bool) {
	t.Helper()
	id, ok := h.some(t, "select id from payments where status = 'succeeded'")
	if !ok {
		return "", false
	}
	return apptest.Value[string](t, h.w, "select intent from payments where id = $1", id), true
}

func (h *history) byHand(t *testing.T) bool {
	p, ok := h.intent(t)
	if !ok {
		return false
	}
	left, err := h.Sim.Refundable(h.Account, p)
	if must(t, left, err) == 0 {
		return false
	}
	_, err = h.Sim.DashboardRefund(h.Account, p, min(left, h.r.Int64N(*h.class.Price)+1))
	return must(t, true, err)
}

func (h *history) dispute(t *testing.T) bool {
	p, ok := h.intent(t)
	if ok {
		_, err := h.Sim.Dispute(h.Account, p, "product_not_received")
		ok = err == nil // all of it may be refunded
	}
	return ok
}

func (h *history) inquire(t *testing.T) bool {
	p, ok := h.intent(t)
	if ok {
		_, err := h.Sim.Inquire(h.Account, p, "fraudulent")
		ok = err == nil // all of it may be refunded
	}
	return ok
}

// ends does something to the first open object at the processor.
func ends(t *testing.T, h *history, open func(string) ([]string, error), end func(account, id string) error) bool {
	t.Helper()
	ids, err := open(h.Account)
	if len(must(t, ids, err)) == 0 {
		return false
	}
	return end(h.Account, ids[0]) == nil
}

func (h *history) win(t *testing.T) bool { return ends(t, h, h.Sim.OpenDisputes, h.Sim.WinDispute) }

func (h *history) lose(t *testing.T) bool { return ends(t, h, h.Sim.OpenDisputes, h.Sim.LoseDispute) }

func (h *history) closeInquiry(t *testing.T) bool {
	return ends(t, h, h.Sim.OpenInquiries, h.Sim.CloseInquiry)
}

func (h *history) escalate(t *testing.T) bool {
	return ends(t, h, h.Sim.OpenInquiries, h.Sim.Escalate)
}

func (h *history) payOut(t *testing.T) bool {
	ids, err := h.Sim.PayOut(h.Account)
	h.payouts = append(h.payouts, must(t, ids, err)...)
	return len(ids) > 0
}

func (h *history) failPayout(t *testing.T) bool {
	if len(h.payouts) == 0 {
		return false
	}
	return h.Sim.FailPayout(h.Account, h.payouts[h.r.IntN(len(h.payouts))]) == nil // it may have failed before
}

// outside is a sale of the studio without the product, in its own dashboard.
func (h *history) outside(t *testing.T) bool {
	p, err := h.Sim.ChargeOutside(h.Account, h.r.Int64N(5000)+100, "usd")
	if must(t, p, err); h.r.IntN(2) == 0 {
		_, err = h.Sim.DashboardRefund(h.Account, p, h.r.Int64N(100)+1)
	}
	return must(t, true, err)
}

func (h *history) adjust(t *testing.T) bool {
	_, err := h.Sim.Adjust(h.Account, "stripe_fee", "fee", -h.r.Int64N(300)-1, "usd")
	return must(t, true, err)
}

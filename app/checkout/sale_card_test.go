package checkout_test

import (
	"context"
	"crypto/sha256"
	"reflect"
	"testing"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/checkout"
	"foyer/app/crm"
	"foyer/app/fault"
	"foyer/app/order"
	"foyer/app/owed"
	"foyer/app/pg"
	"foyer/app/plan"
	"foyer/app/sales"
	"foyer/billing"
	"foyer/billing/processor"
	"foyer/billing/tender"
	"foyer/policy"
)

// toCard is a sale of one of each variant to the saved card of a customer.
func (s shop) toCard(customer uuid.UUID, variants ...uuid.UUID) owed.PaymentInput {
	in := owed.PaymentInput{CustomerID: customer, LocationID: s.Location.ID, Tenders: owed.Pays(owed.SavedCard)}
	for _, v := range variants {
		in.Goods = append(in.Goods, owed.Goods{VariantID: v, Quantity: 1})
	}
	return in
}

// shelf is the stock of a variant, with the number of times that it was sold, and the states of its orders.
func (s shop) shelf(t testing.TB, v uuid.UUID) string {
	t.Helper()
	return apptest.Value[string](t, s.w, `select s.on_hand || ' on hand, ' || s.held || ' held, ' ||
			(select count(*) from stock_moves m where m.variant_id = $1 and m.kind = 'sell') || ' sold, ' ||
			coalesce((select string_agg(o.state, ' ' order by o.created_at, o.id)
				from order_lines x join orders o on o.id = x.order_id where x.subject_id = $1), 'no order')
		from stock_levels s where s.variant_id = $1`, v)
}

// At the desk a saved card pays for a booking, a fee and goods by one payment. The goods are reserved until it is
// charged, and leave the stock then. What the card paid goes back to it.
func TestSellToSavedCard(t *testing.T) {
	s, ada, who := withSavedCard(t, apptest.CardGood)
	fee := s.lateCancel(t, ada, "")
	mat := s.mat(t, 1200)
	in := s.toCard(who, mat)
	b := s.byDesk(t, ada, s.class(t, 2000, 3))
	in.BookingIDs, in.FeeIDs = []uuid.UUID{b.ID}, []uuid.UUID{fee}
	quoted, _, err := pg.DryRun(t.Context(), pg.QuoteKey{}, func(ctx context.Context) (owed.Sale, error) {
		return s.Owed.RecordPayment(ctx, s.Owner, in)
	})
	must(t, quoted, err)
	if got := s.shelf(t, mat); got != "1 on hand, 0 held, 0 sold, no order" {
		t.Errorf("quoted: %s", got)
	}
	sale, err := s.Owed.RecordPayment(t.Context(), s.Owner, in)
	must(t, sale, err)
	if sale.Amount != 3700 || sale.Charge == nil || sale.Charge.Card.Last4 != "4242" || len(sale.Payments) != 0 ||
		len(sale.Lines) != 2 || len(sale.Goods) != 1 || sale.Goods[0].Amount != 1200 || sale.BalanceDueAmount != 0 {
		t.Errorf("sale: %+v", sale)
	}
	if !reflect.DeepEqual(quoted.Effects(), sale.Effects()) {
		t.Errorf("effects: %+v, then %+v", quoted.Effects(), sale.Effects())
	}
	if got := s.shelf(t, mat); got != "1 on hand, 1 held, 0 sold, open" {
		t.Errorf("before it is charged: %s", got)
	}
	_, err = s.Owed.RecordPayment(t.Context(), s.Owner, s.toCard(who, mat))
	refused(t, "the last one is reserved", err, order.ErrSoldOut)
	again, err := s.Owed.RecordPayment(t.Context(), s.Owner, in)
	if must(t, again, err); again.OrderID != sale.OrderID || again.Charge.PaymentID != sale.Charge.PaymentID {
		t.Errorf("again: %+v", again)
	}
	s.jobs(t)
	if got := s.shelf(t, mat); got != "0 on hand, 0 held, 1 sold, fulfilled" {
		t.Errorf("charged: %s", got)
	}
	if got := s.balances(t); got != "3700 fee 74 succeeded fulfilled" {
		t.Error(got)
	}
	if m := s.money(t, b); m.Due != 0 || m.Paid != 2000 || s.fee(t, fee) != "paid " {
		t.Errorf("booking %+v, fee %s", m, s.fee(t, fee))
	}
	if got := s.mails(ada); got[len(got)-1] != "fee charged" {
		t.Errorf("mails: %v", got)
	}
	r, err := s.Orders.Receipt(t.Context(), s.Visitor(), s.Orders.ReceiptToken(sale.OrderID))
	if must(t, r, err); !r.Desk || r.Card == nil || r.Totals.TotalAmount != 3700 || len(r.Lines) != 3 {
		t.Errorf("receipt: %+v", r)
	}
	line := apptest.Value[uuid.UUID](t, s.w, "select id from order_lines where subject_id = $1", mat)
	back, err := s.Services.Sales.Return(t.Context(), s.Owner, sales.ReturnInput{
		OrderID: sale.OrderID, Refund: true, Lines: []sales.ReturnLine{{LineID: line, Quantity: 1, Restock: true}},
	})
	if must(t, back, err); back.Amount != 1200 || back.Refunds[0].Method != sales.ByCard {
		t.Errorf("returned: %+v", back)
	}
	s.jobs(t)
	if n := s.Refunded(t); n != 1200 {
		t.Errorf("%d refunded to the card", n)
	}
	s.check(t)
}

// A sale of goods whose charge is declined is void: nothing is reserved, paid or mailed, and it can be paid otherwise.
// Without goods the booking stays due, and its customer is mailed the way to pay, as after Collect.
func TestSaleDeclined(t *testing.T) {
	s, ada, who := withSavedCard(t, cardDeclinesSaved)
	mat, b := s.mat(t, 1200), s.byDesk(t, ada, s.class(t, 2000, 3))
	s.jobs(t)
	in := s.toCard(who, mat)
	in.BookingIDs = []uuid.UUID{b.ID}
	sale, err := s.Owed.RecordPayment(t.Context(), s.Owner, in)
	must(t, sale, err)
	mails := len(s.mails(ada))
	s.jobs(t)
	if got := s.shelf(t, mat); got != "1 on hand, 0 held, 0 sold, void" {
		t.Errorf("declined: %s", got)
	}
	failed := apptest.Value[string](t, s.w, "select charge_failed from orders where id = $1", sale.OrderID)
	if m := s.money(t, b); m.Due != 2000 || len(s.mails(ada)) != mails || failed != "generic_decline" {
		t.Errorf("%q: %+v, mails %v", failed, m, s.mails(ada))
	}
	in.Tenders = owed.Pays(tender.Cash)
	paid, err := s.Owed.RecordPayment(t.Context(), s.Owner, in)
	if must(t, paid, err); paid.Amount != 3200 || paid.OrderID == sale.OrderID {
		t.Errorf("paid in cash: %+v", paid)
	}
	other := s.byDesk(t, ada, s.class(t, 2000, 3))
	_, err = s.Owed.RecordPayment(t.Context(), s.Owner, owed.PaymentInput{
		BookingIDs: []uuid.UUID{other.ID}, Tenders: owed.Pays(owed.SavedCard),
	})
	must(t, 0, err)
	s.jobs(t)
	if got := s.mails(ada); s.money(t, other).Due != 2000 || got[len(got)-1] != "fee not charged" {
		t.Errorf("without goods: %+v, %v", s.money(t, other), got)
	}
	s.check(t)
}

// A booking that is paid otherwise while the card is charged ends the whole sale: its goods are released, and can be
// sold with it, and the card is charged nothing, or gets its money back.
func TestSaleGivenUp(t *testing.T) {
	for _, charged := range []bool{false, true} {
		s, ada, who := withSavedCard(t, apptest.CardGood)
		mat, b := s.mat(t, 1200), s.byDesk(t, ada, s.class(t, 2000, 3))
		in := s.toCard(who, mat)
		in.BookingIDs = []uuid.UUID{b.ID}
		sale, err := s.Owed.RecordPayment(t.Context(), s.Owner, in)
		must(t, sale, err)
		if charged { // without a report
			p, err := s.Owed.Pay(t.Context(), s.Visitor(), s.Orders.ReceiptToken(sale.OrderID))
			must(t, p, err)
			s.PayCard(t, p.ClientSecret, apptest.CardGood)
		}
		in.Tenders = owed.Pays(tender.Cash)
		_, err = s.Owed.RecordPayment(t.Context(), s.Owner, in)
		must(t, 0, err)
		s.jobs(t)
		if got := s.shelf(t, mat); got != "0 on hand, 0 held, 1 sold, void fulfilled" {
			t.Errorf("paid in cash: %s", got)
		}
		if n, want := s.Refunded(t), map[bool]int64{true: 3200}[charged]; n != want {
			t.Errorf("%d refunded, want %d", n, want)
		}
		if m := s.money(t, b); m.Due != 0 || m.Paid != 0 || m.PaidAtStudio != 2000 {
			t.Errorf("booking: %+v", m)
		}
		s.check(t)
	}
}

// What a saved card cannot pay at the desk is refused with its reason, and nothing is reserved.
func TestSaleToCardRefused(t *testing.T) {
	s, _, who := withSavedCard(t, apptest.CardGood)
	mat := s.mat(t, 1200)
	sell := func(change func(*owed.PaymentInput)) error {
		in := s.toCard(who, mat)
		change(&in)
		_, err := s.Owed.RecordPayment(t.Context(), s.Owner, in)
		return err
	}
	for field, change := range map[string]func(*owed.PaymentInput){
		"customerId":                func(in *owed.PaymentInput) { in.CustomerID = uuid.Nil },
		"tenders[0].amount":         func(in *owed.PaymentInput) { in.Tenders[0].Amount = 1200 },
		"tenders[0].receivedAmount": func(in *owed.PaymentInput) { in.Tenders[0].Received = 1200 },
		"tenders[0].note":           func(in *owed.PaymentInput) { in.Tenders[0].Note = "slip 7" },
		"tenders[0].method":         func(in *owed.PaymentInput) { in.GiftCards = []uuid.UUID{pg.NewID()} },
		"tenders[1].method": func(in *owed.PaymentInput) {
			in.Tenders = []owed.Tender{{Method: tender.Cash, Amount: 200}, {Method: owed.SavedCard}}
		},
	} {
		if got := apptest.Wrong(sell(change)); got != field {
			t.Errorf("wrong is %q, want %s", got, field)
		}
	}
	stranger := s.byDesk(t, s.Customer(t, "Bob"), s.class(t, 0, 3)).CustomerID
	card := func(id uuid.UUID) func(*owed.PaymentInput) {
		return func(in *owed.PaymentInput) { in.Tenders[0].Source = id }
	}
	refused(t, "no card", sell(func(in *owed.PaymentInput) { in.CustomerID = stranger }), processor.ErrCardRemoved)
	refused(t, "an unknown card", sell(card(pg.NewID())), processor.ErrCardRemoved)
	refused(t, "two of one", sell(func(in *owed.PaymentInput) { in.Goods[0].Quantity = 2 }), order.ErrSoldOut)
	free, cheap := s.mat(t, 0), s.mat(t, 10)
	refused(t, "nothing to pay", sell(func(in *owed.PaymentInput) { in.Goods[0].VariantID = free }),
		checkout.ErrNothingToPay)
	refused(t, "ten cents", sell(func(in *owed.PaymentInput) { in.Goods[0].VariantID = cheap }),
		billing.ErrBelowCardMinimum)
	apptest.Refused(t, sell(func(in *owed.PaymentInput) { in.CustomerID = pg.NewID() }), fault.NotFound)
	desk := s.Join(t, "barn@team.example.com", apptest.At(policy.FrontDesk, s.AddLocation(t, "Barn").ID))
	_, err := s.Owed.RecordPayment(t.Context(), desk, s.toCard(who, mat))
	apptest.Refused(t, err, fault.Forbidden)
	// Whom the role does not cover has no card here, nor credit.
	unseen, err := s.Services.CRM.Create(t.Context(), s.Owner, crm.CreateInput{Name: "Cleo"})
	must(t, unseen, err)
	desk = s.Join(t, "desk@team.example.com", apptest.At(policy.FrontDesk, s.Location.ID))
	for _, m := range []tender.Kind{owed.SavedCard, tender.AccountCredit, tender.Cash} {
		in := s.toCard(unseen.ID, mat)
		in.Tenders[0].Method = m
		_, err = s.Owed.RecordPayment(t.Context(), desk, in)
		apptest.Refused(t, err, fault.Forbidden)
	}
	if got := s.shelf(t, mat); got != "1 on hand, 0 held, 0 sold, no order" {
		t.Error(got)
	}
	s.check(t)
}

// A sale to a saved card, and its charge, killed at every call to the database; then the request, and everything else,
// comes again. One sale, one charge.
func TestSaleToCardKilledAnywhere(t *testing.T) {
	s, _, who := withSavedCard(t, apptest.CardGood)
	d, k := s.doomed(t)
	sold := 0
	story := func(what string, n int, after bool, kill func(ctx context.Context, in owed.PaymentInput) error) bool {
		mat := s.mat(t, 1200)
		in := s.toCard(who, mat)
		err := kill(k.arm(t.Context(), n, after), in)
		spared := k.spared()
		if spared && err != nil {
			t.Fatalf("%s: nobody was killed, and yet: %v", what, err)
		}
		ctx := pg.WithClaim(t.Context(), pg.Claim{Key: sha256.Sum256(mat[:]), Request: [32]byte{1}})
		_, err = s.Owed.RecordPayment(ctx, s.Owner, in)
		must(t, 0, err)
		if s.jobs(t); s.shelf(t, mat) != "0 on hand, 0 held, 1 sold, fulfilled" {
			t.Errorf("%s killed at call %d (after: %v): %s", what, n, after, s.shelf(t, mat))
		}
		sold++
		return spared
	}
	request := func(ctx context.Context, in owed.PaymentInput) error {
		key := sha256.Sum256(in.Goods[0].VariantID[:])
		_, err := d.Owed.RecordPayment(pg.WithClaim(ctx, pg.Claim{Key: key, Request: [32]byte{1}}), s.Owner, in)
		return err
	}
	charge := func(ctx context.Context, in owed.PaymentInput) error {
		key := sha256.Sum256(in.Goods[0].VariantID[:])
		claim := pg.WithClaim(t.Context(), pg.Claim{Key: key, Request: [32]byte{1}})
		sale, err := s.Owed.RecordPayment(claim, s.Owner, in)
		must(t, sale, err)
		return d.Owed.ChargeDue(ctx, owed.ChargeJob{Business: s.Business.ID, Order: sale.OrderID})
	}
	for _, after := range []bool{false, true} {
		for n, spared := 1, false; !spared; n++ {
			spared = story("the sale", n, after, request)
		}
		for n, spared := 1, false; !spared; n++ {
			spared = story("the charge", n, after, charge)
		}
	}
	if n := apptest.Value[int](t, s.w, `select count(*) from payments p join orders o on o.id = p.order_id
		where o.cart_id is null and p.status = 'succeeded'`); n != sold {
		t.Errorf("%d payments for %d sales", n, sold)
	}
	s.check(t)
}

// The desk charges the card while its customer waits. Without an answer of the processor the charge is in progress,
// and its job does the same a moment later.
func TestChargeSaleNow(t *testing.T) {
	s, _, who := withSavedCard(t, apptest.CardGood)
	mat := s.mat(t, 1200)
	sale, err := s.Owed.RecordPayment(t.Context(), s.Owner, s.toCard(who, mat))
	must(t, sale, err)
	s.Call = failing()
	state, err := s.Owed.ChargeSale(t.Context(), s.Owner, sale.OrderID)
	if must(t, state, err); !state.InProgress() {
		t.Errorf("without an answer: %+v", state)
	}
	s.Call = nil
	desk := s.Join(t, "barn@team.example.com", apptest.At(policy.FrontDesk, s.AddLocation(t, "Barn").ID))
	_, err = s.Owed.ChargeSale(t.Context(), desk, sale.OrderID)
	apptest.Refused(t, err, fault.Forbidden)
	_, err = s.Owed.ChargeSale(t.Context(), s.Owner, pg.NewID())
	apptest.Refused(t, err, fault.NotFound)
	if got := s.shelf(t, mat); got != "1 on hand, 1 held, 0 sold, open" {
		t.Errorf("in progress: %s", got)
	}
	for range 2 {
		if state, err = s.Owed.ChargeSale(t.Context(), s.Owner, sale.OrderID); must(t, state, err).Order != order.Fulfilled {
			t.Errorf("charged: %+v", state)
		}
	}
	s.jobs(t)
	if got := s.shelf(t, mat); got != "0 on hand, 0 held, 1 sold, fulfilled" {
		t.Errorf("charged: %s", got)
	}
	if got := s.balances(t); got != "1200 fee 24 succeeded fulfilled" {
		t.Error(got)
	}
	s.check(t)
}

// A payment that is canceled on the processor's website while it is charged ends a sale of goods.
func TestSaleCanceledBeside(t *testing.T) {
	s, _, who := withSavedCard(t, apptest.CardGood)
	mat := s.mat(t, 1200)
	sale, err := s.Owed.RecordPayment(t.Context(), s.Owner, s.toCard(who, mat))
	must(t, sale, err)
	_, err = s.Owed.Pay(t.Context(), s.Visitor(), s.Orders.ReceiptToken(sale.OrderID)) // it is at the processor then
	must(t, 0, err)
	p, err := billing.PaymentOfOrder(t.Context(), s.w.DB.View(s.Business.ID), sale.OrderID)
	must(t, p, err)
	must(t, 0, s.Sim.CancelPayment(p.AccountID, p.IntentID))
	s.jobs(t)
	if got := s.shelf(t, mat); got != "1 on hand, 0 held, 0 sold, void" {
		t.Error(got)
	}
	s.check(t)
}

// A plan is sold to a saved card as it is for cash: only one that is on sale, and only as often as it allows, also
// while another sale of it is being charged.
func TestSellPlanToSavedCard(t *testing.T) {
	s, _, who := withSavedCard(t, apptest.CardGood)
	credits := 5
	p, err := s.Services.Plans.Create(t.Context(), s.Owner, plan.CreateInput{
		Name: "5-class pack", Kind: plan.Pack, PriceAmount: 9000, CustomerMax: 1,
		Benefits: []plan.Benefit{{Credits: &credits}},
	})
	must(t, p, err)
	in := s.toCard(who)
	in.Plans = []uuid.UUID{p.ID}
	sell := func() error {
		_, err := s.Owed.RecordPayment(t.Context(), s.Owner, in)
		return err
	}
	refused(t, "a draft", sell(), plan.ErrUnavailable)
	_, err = s.Services.Plans.Publish(t.Context(), s.Owner, p.ID)
	must(t, p, err)
	must(t, p, sell())
	refused(t, "while it is charged", sell(), plan.ErrOwned)
	s.jobs(t)
	refused(t, "once more", sell(), plan.ErrOwned)
	list, err := s.Services.Plans.OfCustomer(t.Context(), s.Owner, who)
	if must(t, list, err); len(list) != 1 || list[0].Grants[0].Balance != 5 {
		t.Errorf("%+v", list)
	}
	s.check(t)
}

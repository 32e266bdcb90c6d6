package checkout_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/checkout"
	"foyer/app/fault"
	"foyer/app/order"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/billing"
	"foyer/billing/credit"
	"foyer/billing/ledger"
	"foyer/billing/tender"
)

// A kind of tender that only this test knows: a voucher has a balance, and pays for orders. Its table, and the kind in
// the checks of tenders, are what the migration of a domain would add.
const voucherSchema = `
	create table practice_vouchers (id uuid primary key, balance bigint not null check (balance >= 0));
	grant select, update on practice_vouchers to foyer_app, foyer_job;
	alter table order_tenders drop constraint order_tenders_kind;
	alter table cart_tenders drop constraint cart_tenders_kind;`

const voucher tender.Kind = "voucher"

var errVoucher = fault.New(fault.Conflict, "voucher_short", "This voucher does not have enough.")

// vouchers pays with vouchers. When locking is set, it is called before they are locked.
type vouchers struct{ locking func() }

func (vouchers) Account() ledger.Account { return ledger.Credit }

func (vouchers) Free(b *pg.Batch, r pg.Reader, requests []tender.Request) func() []tender.Available {
	ids, orders := make([]uuid.UUID, len(requests)), make([]uuid.UUID, len(requests))
	for i, a := range requests {
		ids[i], orders[i] = a.SourceID, a.OrderID
	}
	var free []tender.Available
	pg.QueueAll(b, &free, `select v.balance - `+tender.ReservedSQL("a.id", "a.order_id", "$3")+` as amount, '' as label,
			null::timestamptz as ends_at
		from unnest($1::uuid[], $2::uuid[]) with ordinality as a (id, order_id, n) join practice_vouchers v on v.id = a.id
		order by a.n`, ids, orders, r.Now())
	return func() []tender.Available { return free }
}

func (v vouchers) Lock(b *pg.Batch, tx *pg.Tx, requests []tender.Request) func() []tender.Available {
	if v.locking != nil {
		v.locking()
	}
	ids := make([]uuid.UUID, len(requests))
	for i, a := range requests {
		ids[i] = a.SourceID
	}
	pg.QueueExec(b, `select id from practice_vouchers where id = any($1) order by id for update`, ids)
	return v.Free(b, tx, requests)
}

func (vouchers) Spend(b *pg.Batch, _ *pg.Tx, _ tenancy.Actor, t tender.Tender) {
	pg.QueueExec(b, `update practice_vouchers set balance = balance - $2 where id = $1`, t.SourceID, t.Amount)
}

func (vouchers) Return(b *pg.Batch, _ *pg.Tx, _ tenancy.Actor, t tender.Tender, back tender.Return) {
	pg.QueueExec(b, `update practice_vouchers set balance = balance + $2 where id = $1`, t.SourceID, back.Amount)
}

func (vouchers) Short(free int64) error { return errVoucher.With("free", free) }

// withVouchers is a studio that takes vouchers, and two of them.
func withVouchers(t testing.TB, balances ...int64) (shop, []uuid.UUID) {
	t.Helper()
	s := open(t)
	s.w.SQL(t, voucherSchema)
	s.Billing.Sources()[voucher] = vouchers{}
	ids := pg.NewIDs(len(balances))
	for i, id := range ids {
		s.w.SQL(t, "insert into practice_vouchers values ($1, $2)", id, balances[i])
	}
	return s, ids
}

func (s shop) useVoucher(t testing.TB, who tenancy.Scope, token string, id uuid.UUID, yes bool) checkout.Cart {
	t.Helper()
	c, err := s.Checkout.UsePrepaid(t.Context(), who, token, voucher, id, yes)
	return must(t, c, err)
}

func (s shop) vouchers(t testing.TB) string {
	t.Helper()
	return apptest.Value[string](t, s.w, "select string_agg(balance::text, ' ' order by id) from practice_vouchers")
}

func (s shop) tenders(t testing.TB) string {
	t.Helper()
	return apptest.Value[string](t, s.w, `select coalesce(string_agg(t.kind || ' ' || t.amount || ' ' || t.state, ', '
		order by o.created_at, o.id, t.position), '') from order_tenders t join orders o on o.id = t.order_id`)
}

// Two vouchers, account credit and a card pay one cart, in this order. Each is refunded to where it came from.
func TestPrepaid(t *testing.T) {
	s, ids := withVouchers(t, 500, 300)
	o := s.class(t, 2200, 5)
	ada, customer := s.credited(t, "Ada", 400)
	token := s.Fill(t, o)
	_, err := s.Checkout.UsePrepaid(t.Context(), ada, token, voucher, ids[0], true)
	refused(t, "before the hold", err, checkout.ErrNotHeld)
	s.hold(t, ada, token)
	if c := s.useVoucher(t, ada, token, ids[0], true); c.Totals.DueNow() != 1700 || c.Totals.TotalAmount != 2200 {
		t.Errorf("with one: %+v", c.Totals)
	}
	s.w.Clock.Advance(time.Second)
	s.useVoucher(t, ada, token, ids[1], true)
	c, err := s.Checkout.UseCredit(t.Context(), ada, token, true)
	must(t, c, err)
	if c.Totals.DueNow() != 1000 || c.Totals.PrepaidAmount() != 1200 || c.Totals.CreditAmount() != 400 {
		t.Errorf("with all: %+v", c.Totals)
	}
	if c := s.useVoucher(t, ada, token, ids[1], false); c.Totals.DueNow() != 1300 {
		t.Errorf("without the second: %+v", c.Totals)
	}
	s.useVoucher(t, ada, token, ids[1], true)
	p := s.pay(t, ada, token, 1000)
	agreed := "voucher 500 authorized, voucher 300 authorized, account_credit 400 authorized, card 1000 open"
	if got := s.tenders(t); got != agreed {
		t.Errorf("agreed: %s", got)
	}
	s.PayCard(t, p.ClientSecret, apptest.CardGood)
	got := s.confirm(t, ada, token)
	if s.vouchers(t) != "0 0" || s.creditOf(t, customer) != 0 || got.Totals.PrepaidAmount() != 1200 {
		t.Errorf("spent: %s, credit %d, %+v", s.vouchers(t), s.creditOf(t, customer), got.Totals)
	}
	paid := "voucher 500 captured, voucher 300 captured, account_credit 400 captured, card 1000 captured"
	if got := s.tenders(t); got != paid {
		t.Errorf("paid: %s", got)
	}
	for _, amount := range []int{500, 300} {
		id := apptest.Value[uuid.UUID](t, s.w, "select id from order_tenders where amount = $1", amount)
		refund := billing.RefundInput{PaymentID: id, Amount: 200, Reason: billing.ReasonGoodwill}
		must(t, 0, pg.Do(t.Context(), s.w.DB, s.Business.ID, func(tx *pg.Tx) error {
			_, err := s.Billing.RefundTx(t.Context(), tx, refund)
			return err
		}))
	}
	if s.vouchers(t) != "200 200" {
		t.Errorf("after a refund of each: %s", s.vouchers(t))
	}
	s.CheckProcessor(t)
}

// A voucher that another cart reserves is not free; the second of two at once is refused, and its refusal names what is
// free. A reservation ends with its order.
func TestPrepaidReserved(t *testing.T) {
	s, ids := withVouchers(t, 1000)
	o := s.class(t, 2200, 5)
	ada, ben := s.Customer(t, "Ada"), s.Customer(t, "Ben")
	first, second := s.Fill(t, o), s.Fill(t, o)
	s.hold(t, ada, first)
	s.hold(t, ben, second)
	s.useVoucher(t, ada, first, ids[0], true)
	c := s.useVoucher(t, ben, second, ids[0], true)
	s.pay(t, ada, first, 1200)
	_, err := s.Checkout.Pay(t.Context(), ben, second, checkout.PayInput{QuotedAmount: c.Totals.DueNow()})
	refused(t, "the second", err, checkout.ErrPriceChanged)
	if c := s.cart(t, second); c.Totals.DueNow() != 2200 {
		t.Errorf("what is reserved is free: %+v", c.Totals)
	}
	must(t, 0, s.Checkout.Release(t.Context(), ada, first))
	p := s.pay(t, ben, second, 1200)
	s.PayCard(t, p.ClientSecret, apptest.CardGood)
	s.confirm(t, ben, second)
	if got := s.tenders(t); got != "voucher 1000 void, card 1200 void, voucher 1000 captured, card 1200 captured" {
		t.Errorf("tenders: %s", got)
	}
	if s.vouchers(t) != "0" {
		t.Errorf("balance: %s", s.vouchers(t))
	}
}

// A voucher that pays all of a cart needs no card. One that was spent meanwhile is refused, and nothing is booked.
func TestPrepaidPaysAll(t *testing.T) {
	s, ids := withVouchers(t, 3000)
	o := s.class(t, 2200, 5)
	ada := s.Customer(t, "Ada")
	token := s.Fill(t, o)
	s.hold(t, ada, token)
	if c := s.useVoucher(t, ada, token, ids[0], true); c.Totals.DueNow() != 0 {
		t.Errorf("due: %+v", c.Totals)
	}
	s.Billing.Sources()[voucher] = vouchers{func() { s.w.SQL(t, "update practice_vouchers set balance = 2199") }}
	_, err := s.Checkout.Confirm(t.Context(), ada, token)
	refused(t, "spent meanwhile", err, errVoucher)
	if detail(err, "free") != int64(2199) || s.taken(t, o) != 1 || s.tenders(t) != "" {
		t.Errorf("refused: %v, %d taken, %q", err, s.taken(t, o), s.tenders(t))
	}
	s.Billing.Sources()[voucher] = vouchers{}
	s.w.SQL(t, "update practice_vouchers set balance = 2200")
	if got := s.confirm(t, ada, token); got.State != order.Fulfilled || s.vouchers(t) != "0" {
		t.Errorf("%+v, %s", got, s.vouchers(t))
	}
	refused(t, "credit keeps its words", credit.Source{}.Short(5), credit.ErrShort)
}

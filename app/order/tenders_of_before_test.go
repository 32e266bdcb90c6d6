package order_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"foyer/app/apptest"
	"foyer/app/apptest/walks"
	"foyer/app/business"
	"foyer/app/money"
	"foyer/app/order"
	"foyer/billing/ledger"
	"foyer/billing/tender"
	"foyer/migrate"
)

// former is an order of version 59, whose amounts by card and with account credit are columns.
type former struct {
	id                        uuid.UUID
	state                     string
	lines                     []order.SoldPart
	total, due, credit, byFee int64
}

// TestTendersOfBefore: migration 60 makes tenders of the columns of orders, with the parts that the program of before
// computed from them, and leaves the price alone in the order's total.
func TestTendersOfBefore(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(uint64(walks.Seed(t)), 60))
	d := apptest.EmptyDatabase(t)
	if err := migrate.UpTo(t.Context(), d.URL("foyer_owner"), 59); err != nil {
		t.Fatal(err)
	}
	orders := make([]former, walks.Steps(200, 4000))
	var rows strings.Builder
	rows.WriteString(`select pg_temp.put('locations', '{"id": "00000000-0000-7000-8000-000000000000",
		"business_id": "00000000-0000-7000-8000-000000000000", "slug": "north", "zone": "UTC", "tax_mode": "exclusive",
			"currency": "USD"}');
`)
	for i := range orders {
		orders[i] = randomFormer(random)
		orders[i].put(&rows)
	}
	db, err := pgx.Connect(t.Context(), d.URL("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close(context.WithoutCancel(t.Context())) })
	if _, err := db.Exec(t.Context(), apptest.Putting+rows.String()); err != nil {
		t.Fatal(err)
	}
	if err := migrate.UpTo(t.Context(), d.URL("foyer_owner"), 60); err != nil {
		t.Fatal(err)
	}
	got := map[uuid.UUID]map[tender.Kind][]tender.Part{}
	states := map[string]string{}
	var texts []string
	err = db.QueryRow(t.Context(), `select array_agg(x.text) from (select json_build_array(t.order_id, t.kind, t.state,
		coalesce(p.line_id, t.order_id), p.line_id is null,
			p.account, p.amount)::text as text
		from order_tenders t left join tender_parts p on p.business_id = t.business_id and p.tender_id = t.id
		where t.position > 0 order by t.id, p.seq) x`).Scan(&texts)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range texts {
		var of, line uuid.UUID
		var kind tender.Kind
		var state string
		var fee bool
		var p tender.Part
		if err := json.Unmarshal([]byte(text), &[]any{&of, &kind, &state, &line, &fee, &p.Account, &p.Amount}); err != nil {
			t.Fatal(err)
		}
		if !fee {
			p.Line = line
		}
		if got[of] == nil {
			got[of] = map[tender.Kind][]tender.Part{}
		}
		got[of][kind] = append(got[of][kind], p)
		states[of.String()+string(kind)] = state
	}
	for _, o := range orders {
		want := map[tender.Kind][]tender.Part{}
		card, credit := o.split()
		for kind, parts := range map[tender.Kind][]tender.Part{tender.Card: card, tender.AccountCredit: credit} {
			if len(parts) > 0 {
				want[kind] = parts
				if got, agreed := states[o.id.String()+string(kind)], o.stateOf(kind); got != agreed {
					t.Errorf("%s of an order that is %s: %s, want %s", kind, o.state, got, agreed)
				}
			}
		}
		if len(want) == 0 {
			want = nil
		}
		if !reflect.DeepEqual(got[o.id], want) {
			t.Fatalf("parts of %+v:\n%+v, want\n%+v", o, got[o.id], want)
		}
	}
	var price, left int64
	for _, o := range orders {
		price += o.total - o.byFee
	}
	err = db.QueryRow(t.Context(), "select sum(total_amount)::bigint from orders").Scan(&left)
	if err != nil || left != price {
		t.Errorf("orders come to %d, want %d (%v)", left, price, err)
	}
}

func randomFormer(random *rand.Rand) (o former) {
	o = former{id: uuid.New(), state: []string{"open", "fulfilled", "refunded", "void"}[random.IntN(4)]}
	first := order.SoldPart{TaxMode: []business.TaxMode{business.TaxInclusive, business.TaxExclusive}[random.IntN(2)]}
	rates := []uuid.UUID{uuid.New(), uuid.New()}
	for range 1 + random.IntN(4) {
		l := order.SoldPart{
			LineID: uuid.New(), TaxMode: first.TaxMode, IncomeAccount: ledger.IncomeClass, ListedAmount: random.Int64N(5000),
		}
		if random.IntN(3) == 0 {
			l.DiscountAmount = random.Int64N(l.ListedAmount + 1)
		}
		if n := random.IntN(3); n < 2 {
			l.TaxRateID, l.TaxPpm = &rates[n], []int64{70_000, 190_000}[n]
			l.TaxAmount = (l.ListedAmount - l.DiscountAmount) * l.TaxPpm / (1_000_000 + l.TaxPpm)
			first.OrderTaxAmount += l.TaxAmount
		}
		o.lines = append(o.lines, l)
	}
	amounts := make([]int64, len(o.lines))
	var price int64
	for i, l := range o.lines {
		amounts[i] = l.ListedAmount - l.DiscountAmount
		if l.TaxMode == business.TaxExclusive {
			amounts[i] += l.TaxAmount
		}
		price += amounts[i]
	}
	fee := int64(0)
	if random.IntN(2) == 0 && price > 0 {
		first.ServiceFeeAmount = 1 + random.Int64N(200)
		fee = first.ServiceFeeAmount
		if first.OrderTaxAmount > 0 {
			tax := random.Int64N(first.ServiceFeeAmount)
			first.OrderTaxAmount += tax
			if first.TaxMode == business.TaxExclusive {
				fee += tax
			}
		}
	}
	o.byFee = first.ServiceFeeAmount
	o.total = price + fee
	switch random.IntN(3) {
	case 0: // all of it by card
	case 1: // a part with credit
		o.credit = random.Int64N(price + 1)
	case 2: // a deposit by card, some of it with credit
		for i, amount := range money.Alloc(random.Int64N(price+1), amounts) {
			o.lines[i].CardAmount = random.Int64N(amount + 1)
			o.lines[i].PrepaidAmounts = []int64{amount - o.lines[i].CardAmount}
			o.due += amounts[i] - amount
			o.credit += o.lines[i].PrepaidAmounts[0]
		}
		if o.due == 0 {
			for i := range o.lines {
				o.lines[i].CardAmount, o.lines[i].PrepaidAmounts = 0, nil
			}
		}
	}
	for i := range o.lines {
		l := &o.lines[i]
		l.OrderTaxAmount, l.ServiceFeeAmount = first.OrderTaxAmount, first.ServiceFeeAmount
		l.DueAmount = o.due
	}
	return o
}

// split returns its parts by card and with account credit.
func (o *former) split() (card, credit []tender.Part) {
	if o.credit == 0 {
		card, _ = order.Split(o.lines, nil)
		return card, nil
	}
	card, by := order.Split(o.lines, []tender.Prepaid{{Kind: tender.AccountCredit, Amount: o.credit}})
	return card, by[0]
}

func (o *former) stateOf(kind tender.Kind) string {
	switch {
	case o.state == "fulfilled":
		return "captured"
	case o.state == "void" || o.state == "refunded": // a card that paid too late
		return "void"
	case kind == tender.Card:
		return "open"
	}
	return "authorized"
}

// put writes the statements that fill the tables with the order.
func (o *former) put(sql *strings.Builder) {
	const business = "00000000-0000-7000-8000-000000000000"
	row := func(table string, values map[string]any) {
		values["business_id"] = business
		b, _ := json.Marshal(values)
		fmt.Fprintf(sql, "select pg_temp.put('%s', '%s');\n", table, b)
	}
	first := o.lines[0]
	var listed, discount int64
	for i, l := range o.lines {
		listed, discount = listed+l.ListedAmount, discount+l.DiscountAmount
		row("order_lines", map[string]any{
			"id": l.LineID, "order_id": o.id, "position": i + 1, "kind": "class", "booking_id": uuid.New(),
			"listed_amount": l.ListedAmount, "discount_amount": l.DiscountAmount, "tax_amount": l.TaxAmount,
			"tax_rate_id": l.TaxRateID, "tax_ppm": l.TaxPpm, "income_account": l.IncomeAccount,
			"card_amount": l.CardAmount, "credit_amount": slices.Max(append(l.PrepaidAmounts, 0)),
		})
	}
	of := map[string]any{
		"id": o.id, "location_id": business, "state": o.state, "tax_mode": first.TaxMode, "currency": "USD",
		"cart_id":         uuid.New(),
		"subtotal_amount": listed, "discount_amount": discount, "tax_amount": first.OrderTaxAmount,
		"service_fee_amount": first.ServiceFeeAmount, "total_amount": o.total, "due_amount": o.due, "credit_amount": o.credit,
	}
	if o.state == "fulfilled" || o.state == "refunded" {
		of["fulfilled_at"] = "2026-01-02T00:00:00Z"
	}
	row("orders", of)
	if o.credit > 0 && o.state == "fulfilled" { // migration 59 made it of what was paid
		id := uuid.New()
		row("order_tenders", map[string]any{
			"id": id, "location_id": business, "order_id": o.id, "kind": "account_credit", "state": "captured",
			"amount": o.credit, "currency": "USD",
		})
		_, credit := o.split()
		for i, p := range credit {
			row("tender_parts", map[string]any{
				"tender_id": id, "seq": i + 1, "line_id": p.Line, "account": p.Account, "amount": p.Amount,
			})
		}
	}
}

package billing_test

import (
	"slices"
	"testing"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"foyer/app/fault"
	"foyer/app/money"
	"foyer/billing"
	"foyer/billing/ledger"
	"foyer/billing/processor"
	"foyer/billing/tender"
)

// payment is a succeeded payment for lines, each with a tax, and for a service fee that brings it to steps of its
// currency.
func payment(cur money.Currency, lines []uuid.UUID, nets, taxes []int64, fee int64) billing.Refundable {
	r := billing.Refundable{Payment: billing.Payment{Currency: cur, Status: processor.StatusSucceeded}}
	add := func(line uuid.UUID, account ledger.Account, n int64) {
		if n > 0 {
			r.Sold, r.Payment.Amount = append(r.Sold, tender.Part{Line: line, Account: account, Amount: n}), r.Payment.Amount+n
		}
	}
	for i, line := range lines {
		add(line, "income.class", nets[i])
		add(line, "tax:1", taxes[i])
	}
	add(uuid.Nil, "income.booking_fee", cur.Ceil(r.Payment.Amount+fee)-r.Payment.Amount)
	return r
}

// asked is the amount to refund for a line, with some of the service fee.
func asked(r billing.Refundable, line uuid.UUID, fee int64) (int64, []tender.LineRefund) {
	var price int64
	for _, p := range r.Sold {
		if p.Line == line {
			price += p.Amount
		}
	}
	left := tender.Sum(r.Parts())
	fee = min(fee, max(0, left-price))
	return min(price+fee, left), []tender.LineRefund{{Line: line, Amount: min(price, left)}, {Amount: fee}}
}

// Issue 31, item 4: two dates of 4.675 BHD with their tax were charged 9.350; whichever is cancelled first gets 4.680
// back, the other 4.670.
func TestRefundsInStepsAreExactlyTheCharge(t *testing.T) {
	lines := []uuid.UUID{uuid.New(), uuid.New()}
	for _, first := range []int{0, 1} {
		r := payment("BHD", lines, []int64{4250, 4250}, []int64{425, 425}, 0)
		for i, want := range []int64{4680, 4670} {
			amount, of := asked(r, lines[(first+i)%2], 0)
			in := r.InSteps(billing.RefundInput{Amount: amount, Lines: of})
			if in.Amount != want {
				t.Errorf("date %d, refund %d: %d, want %d", first, i, in.Amount, want)
			}
			r = r.Less(in)
		}
		if left := tender.Sum(r.Parts()); r.Payment.Amount != 9350 || left != 0 {
			t.Errorf("%d of %d is left", left, r.Payment.Amount)
		}
	}
}

// In every currency, for any bookings cancelled in any order: each refund is an amount that the processor sends and
// less than a step away from the meant one, none exceeds the refundable amount, and together they are the whole
// charge.
func TestRefundsInStepsOfEveryCurrency(t *testing.T) {
	for _, info := range money.Currencies() {
		t.Run(string(info.Code), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				n := rapid.IntRange(1, 6).Draw(t, "lines")
				lines, nets, taxes := make([]uuid.UUID, n), make([]int64, n), make([]int64, n)
				for i := range lines {
					lines[i] = uuid.New()
					nets[i] = rapid.Int64Range(info.ChargeMultiple, 20_000).Draw(t, "net")
					taxes[i] = rapid.Int64Range(0, nets[i]/5).Draw(t, "tax")
				}
				r := payment(info.Code, lines, nets, taxes, rapid.Int64Range(0, 300).Draw(t, "fee"))
				fees := money.Alloc(tender.Sum(r.Sold)-sum(nets)-sum(taxes), nets)
				order := rapid.Permutation(indexes(n)).Draw(t, "order")
				for _, i := range order {
					amount, of := asked(r, lines[i], fees[i])
					in := r.InSteps(billing.RefundInput{Amount: amount, Lines: of})
					if in.Amount > 0 {
						if _, err := info.ToStripe(in.Amount); err != nil {
							t.Fatal(err)
						}
					}
					if d := in.Amount - amount; d >= max(
						2, info.ChargeMultiple,
					) || -d >= max(2, info.ChargeMultiple) || in.Amount > tender.Sum(r.Parts()) || info.ChargeMultiple == 1 && d != 0 {
						t.Fatalf("%d is meant, %d goes back of %d", amount, in.Amount, tender.Sum(r.Parts()))
					}
					before := tender.Sum(r.Parts())
					r = r.Less(in)
					if now := tender.Sum(r.Parts()); before-now != in.Amount || slices.ContainsFunc(
						r.Parts(), func(p tender.Part) bool { return p.Amount < 0 },
					) {
						t.Fatalf("%d of %d went back: %+v", in.Amount, before, r.Parts())
					}
				}
				if left := tender.Sum(r.Parts()); left != 0 {
					t.Fatalf("%d of %d never goes back", left, r.Payment.Amount)
				}
			})
		})
	}
}

// An amount entered by hand is refused with the nearest two possible amounts, unless it is possible.
func TestRefundStepNamesTheNearest(t *testing.T) {
	for _, c := range []struct {
		cur          money.Currency
		amount       int64
		below, above any
	}{
		{"BHD", 333, int64(330), int64(340)}, {"BHD", 3, nil, int64(10)}, {"KWD", 4675, int64(4670), int64(4680)}, {"MGA", 1250, int64(1200), int64(1300)},
	} {
		err := billing.Refundable{Payment: billing.Payment{Currency: c.cur}}.CheckStep(c.amount)
		f := fault.From(err)
		if f == nil || f.Kind != fault.Validation || f.Reason != "refund_step" || f.Details["below"] != c.below || f.Details["above"] != c.above ||
			len(f.Fields) != 1 || f.Fields[0].Field != "amount" {
			t.Errorf("%d %s: %+v", c.amount, c.cur, f)
		}
	}
	for cur, amount := range map[money.Currency]int64{"BHD": 330, "USD": 333, "JPY": 333, "ISK": 333, "UGX": 333, "HUF": 333, "TWD": 333} {
		if err := (billing.Refundable{Payment: billing.Payment{Currency: cur}}).CheckStep(amount); err != nil {
			t.Errorf("%d %s: %v", amount, cur, err)
		}
	}
}

func sum(list []int64) (n int64) {
	for _, x := range list {
		n += x
	}
	return n
}

func indexes(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

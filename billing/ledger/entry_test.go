package ledger_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/billing/ledger"
)

var (
	rate  = ledger.Tax(uuid.MustParse("01890a5d-ac96-774b-bcce-b302099a8057"))
	place = ledger.Context{LocationID: uuid.New(), Currency: "USD", At: time.Date(2026, 6, 11, 16, 0, 0, 0, time.UTC)}
)

// The table of design money.md 3.5: a class of 22.00 with 8.875 % of tax, the fee borne by the customer.
func TestEvents(t *testing.T) {
	class := func(net, tax, fee int64) []ledger.Posting {
		return []ledger.Posting{{Account: ledger.IncomeClass, Amount: net}, {Account: rate, Amount: tax}, {Account: ledger.IncomeBookingFee, Amount: fee}}
	}
	for name, c := range map[string]struct {
		entry ledger.Entry
		want  []ledger.Posting
	}{
		"sale": {ledger.CardSale(place, uuid.New(), class(2200, 195, 49)),
			[]ledger.Posting{{Account: ledger.Clearing, Amount: 2444}, {Account: ledger.IncomeClass, Amount: -2200}, {Account: rate, Amount: -195}, {Account: ledger.IncomeBookingFee, Amount: -49}}},
		"fees": {ledger.Fees(place, "txn_1", 101, 49),
			[]ledger.Posting{{Account: ledger.ProcessorFees, Amount: 101}, {Account: ledger.BookingFees, Amount: 49}, {Account: ledger.Clearing, Amount: -150}}},
		"refund of half": {ledger.CardRefund(place, uuid.New(), class(1100, 98, 24)),
			[]ledger.Posting{{Account: ledger.Clearing, Amount: -1222}, {Account: ledger.IncomeClass, Amount: 1100}, {Account: rate, Amount: 98}, {Account: ledger.IncomeBookingFee, Amount: 24}}},
		"platform fee returned": {ledger.Fees(place, "txn_2", 0, -25), []ledger.Posting{{Account: ledger.BookingFees, Amount: -25}, {Account: ledger.Clearing, Amount: 25}}},
		"refund failed": {ledger.RefundFailed(place, uuid.New(), class(1100, 98, 24)),
			[]ledger.Posting{{Account: ledger.Clearing, Amount: 1222}, {Account: ledger.IncomeClass, Amount: -1100}, {Account: rate, Amount: -98}, {Account: ledger.IncomeBookingFee, Amount: -24}}},
		"two lines of one kind": {ledger.CardSale(place, uuid.New(), []ledger.Posting{{Account: ledger.IncomeClass, Amount: 1000}, {Account: ledger.IncomeClass, Amount: 500}}),
			[]ledger.Posting{{Account: ledger.Clearing, Amount: 1500}, {Account: ledger.IncomeClass, Amount: -1500}}},
		"a charge made outside": {ledger.Outside(place, "txn_4", 1500), []ledger.Posting{{Account: ledger.Clearing, Amount: 1500}, {Account: ledger.Uncategorized, Amount: -1500}}},
		"and its refund":        {ledger.Outside(place, "txn_5", -500), []ledger.Posting{{Account: ledger.Clearing, Amount: -500}, {Account: ledger.Uncategorized, Amount: 500}}},
		"dispute opened": {ledger.Disputed(place, "txn_6", -2444, 1500),
			[]ledger.Posting{{Account: ledger.Clearing, Amount: -3944}, {Account: ledger.Disputes, Amount: 2444}, {Account: ledger.DisputeFees, Amount: 1500}}},
		"dispute won": {ledger.Disputed(place, "txn_7", 2444, 0), []ledger.Posting{{Account: ledger.Clearing, Amount: 2444}, {Account: ledger.Disputes, Amount: -2444}}},
		"dispute won, and its fee back": {ledger.Disputed(place, "txn_8", 2444, -1500),
			[]ledger.Posting{{Account: ledger.Clearing, Amount: 3944}, {Account: ledger.Disputes, Amount: -2444}, {Account: ledger.DisputeFees, Amount: -1500}}},
		"payout":                          {ledger.PaidOut(place, "txn_9", -10000, 0), []ledger.Posting{{Account: ledger.Clearing, Amount: -10000}, {Account: ledger.Bank, Amount: 10000}}},
		"payout failed":                   {ledger.PaidOut(place, "txn_10", 10000, 0), []ledger.Posting{{Account: ledger.Clearing, Amount: 10000}, {Account: ledger.Bank, Amount: -10000}}},
		"instant payout":                  {ledger.PaidOut(place, "txn_11", -10000, 100), []ledger.Posting{{Account: ledger.Clearing, Amount: -10100}, {Account: ledger.Bank, Amount: 10000}, {Account: ledger.ProcessorOther, Amount: 100}}},
		"a fee for no payment":            {ledger.Other(place, "txn_12", -200), []ledger.Posting{{Account: ledger.Clearing, Amount: -200}, {Account: ledger.ProcessorOther, Amount: 200}}},
		"the platform's fee back, itself": {ledger.Platform(place, "txn_13", 25), []ledger.Posting{{Account: ledger.Clearing, Amount: 25}, {Account: ledger.BookingFees, Amount: -25}}},
		"nothing moved":                   {ledger.Other(place, "txn_14", 0), nil},
		"no fees":                         {ledger.Fees(place, "txn_3", 0, 0), nil},
	} {
		if !slices.Equal(c.entry.Postings, c.want) {
			t.Errorf("%s: %v, want %v", name, c.entry.Postings, c.want)
		}
		if c.entry.Empty() != (len(c.want) == 0) {
			t.Errorf("%s: empty is %v", name, c.entry.Empty())
		}
	}
}

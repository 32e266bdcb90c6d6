package view_test

import (
	"time"

	"github.com/a-h/templ"

	"foyer/app/hosted/cart"
	"foyer/app/hosted/my"
	"foyer/app/view"
)

// credited is the last step for a customer with credit of which an amount is used.
func credited(way cart.PayWay, has, pays int64) cart.Pay {
	v := pay(way)
	v.Order.Bill = view.Bill{Total: usd(2381), Lines: []view.BillLine{{Label: "Sunrise Vinyasa", Amount: usd(2200)}, {Label: "Sales tax 8.25%", Amount: usd(181), Small: true}}}
	v.Credit = &cart.PayCredit{Form: post("/pay/credit"), Has: usd(has), Pays: usd(pays), All: pays == 2381}
	if pays > 0 {
		left := usd(2381 - pays)
		v.Order.Bill.Tenders, v.Order.Bill.Remaining = []view.BillLine{{Label: "Your credit", Amount: usd(-pays)}}, &left
	}
	return v
}

// restAt is the time at which the balance due is charged to a saved card.
var restAt = time.Date(2026, 11, 19, 15, 0, 0, 0, time.UTC)

// deposited is the last step with a deposit.
func deposited(inFull bool) cart.Pay {
	v := pay(cart.PayTest)
	v.Order.Bill = view.Bill{Total: usd(2381), Lines: []view.BillLine{{Label: "Sunrise Vinyasa", Amount: usd(2200)}, {Label: "Sales tax 8.25%", Amount: usd(181), Small: true}}}
	v.Deposit = &cart.PayDeposit{Form: post("/pay/deposit"), InFull: inFull, Now: usd(714), Full: usd(2381), Later: usd(1667), BalanceDueAt: &restAt}
	if !inFull {
		left := usd(714)
		v.Order.Bill.Tenders, v.Order.Bill.Remaining, v.Order.Bill.Deposit = []view.BillLine{{Label: "Due at the studio", Amount: usd(-1667)}}, &left, true
	}
	return v
}

// rest is the page for paying the balance due, for a customer with a saved card.
func rest() cart.FeePay {
	v := cart.FeePay{Pay: kept(pay(cart.PayTest), 1), Price: true, For: "For Deep tissue massage, Sat 21 Nov, 10:00."}
	v.Fee, v.SaveConsent, v.Order = true, "", view.Order{Bill: view.Bill{Total: usd(6750)}}
	return v
}

// withCredit are the pages on which account credit pays.
func withCredit(sh view.Shell) map[string]templ.Component {
	r := receipt()
	r.PaidWith = ""
	r.Order.Bill.Tenders = []view.BillLine{{Label: "Paid with your credit", Amount: usd(1200)}, {Label: "Paid with Visa ending 4242", Amount: usd(1181)}}
	left := details()
	left.Terms = append([]string{"Due at the studio: $67.50.", "If you have a saved card with the studio, the balance due is charged to it on Thu 19 Nov, 15:00."}, left.Terms...)
	left.Balance = &my.PayBalance{Form: post("/my/bookings/1/pay"), Amount: usd(6750)}
	return map[string]templ.Component{
		"pay-credit":      cart.PayPage(sh, kept(credited(cart.PayTest, 1200, 1200), 1)),
		"pay-credit-all":  cart.PayPage(sh, credited(cart.PayNothing, 5000, 2381)),
		"pay-credit-off":  cart.PayPage(sh, credited(cart.PayTest, 1200, 0)),
		"pay-deposit":     cart.PayPage(sh, deposited(false)),
		"pay-in-full":     cart.PayPage(sh, deposited(true)),
		"pay-rest":        cart.FeePayPage(sh, rest()),
		"booking-rest":    my.BookingPage(sh, left),
		"receipt-tenders": cart.ReceiptPage(sh, r),
	}
}

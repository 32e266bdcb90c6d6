package wire

import (
	"time"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/business"
	"foyer/app/checkout"
	"foyer/app/order"
	"foyer/billing/tender"
)

// CartDate is one date of a course.
type CartDate struct {
	OccurrenceID uuid.UUID  `json:"occurrenceId"`
	BookingID    *uuid.UUID `json:"bookingId" doc:"The booking of the held seat; null if the seat is not held."`
	StartsAt     time.Time  `json:"startsAt"`
	EndsAt       time.Time  `json:"endsAt"`
}

// Hold is a temporary hold on the seats of a cart, all of them or none.
type Hold struct {
	HoldID    uuid.UUID `json:"holdId"`
	ExpiresAt time.Time `json:"expiresAt" doc:"When the hold expires: ten minutes after the first hold."`
	Extended  bool      `json:"extended" doc:"Whether the hold has been extended by ten minutes, possible once."`
}

// Totals are the totals of a cart or an order, in minor units.
type Totals struct {
	Currency   string           `json:"currency"`
	TaxMode    business.TaxMode `json:"taxMode"`
	Subtotal   int64            `json:"subtotal" doc:"Sum of the listed prices."`
	Discount   int64            `json:"discount" doc:"Discounts before tax."`
	Discounts  []Discounted     `json:"discounts" doc:"Amount of each discount."`
	PlanAmount int64            `json:"planAmount" doc:"Part of the discounts: prices of the seats that plans of the customer pay."`
	Tax        int64            `json:"tax" doc:"Tax, added to the lines if exclusive, included in them if inclusive."`
	Taxes      []TaxTotal       `json:"taxes" doc:"Tax by rate."`
	ServiceFee int64            `json:"serviceFee" doc:"The customer's share of the platform fee; 0 if the studio pays it."`
	Total      int64            `json:"total" doc:"Amount the customer pays."`
	Credit     int64            `json:"credit" doc:"Part of the total paid with account credit."`
	GiftCards  int64            `json:"giftCards" doc:"Part of the total paid with gift cards."`
	DueLater   int64            `json:"dueLater" doc:"Part of the total due at the studio after the payment at booking."`
}

// TaxTotal is the amount of one tax rate.
type TaxTotal struct {
	TaxRateID uuid.UUID `json:"taxRateId"`
	Name      string    `json:"name"`
	PPM       int64     `json:"ppm"`
	Amount    int64     `json:"amount"`
}

// CartCode is the promo code of a cart.
type CartCode struct {
	Code    string `json:"code" doc:"The code, in upper case."`
	Name    string `json:"name" doc:"Name of its discount; empty if the code no longer exists."`
	Amount  int64  `json:"amount" doc:"Current discount, in minor units."`
	Problem string `json:"problem" doc:"Why it has no effect; empty if it has." enum:",code_unknown,code_not_yet,code_expired,code_used_up,code_used,code_first_time,code_members,code_not_for_this,code_too_little,code_nothing_more"`
}

// Discounted is the amount of one discount.
type Discounted struct {
	Name   string `json:"name" doc:"Name of the discount at that time."`
	Code   string `json:"code" doc:"Code of the discount; empty if it is automatic."`
	Amount int64  `json:"amount" doc:"Amount in minor units, before tax."`
}

// ShowCartCode shows the code of a cart.
func ShowCartCode(c checkout.Code) CartCode {
	out := CartCode{Code: c.Code, Name: c.Name, Amount: c.Amount}
	if c.Problem != nil {
		out.Problem = c.Problem.Reason
	}
	return out
}

// ShowDiscounts shows the discounts of a cart or an order.
func ShowDiscounts(list []order.Discounted) []Discounted {
	return Show(list, func(d order.Discounted) Discounted {
		return Discounted{Name: d.Name, Code: d.Code, Amount: d.Amount}
	})
}

// ShowTotals shows the totals of a cart or an order.
func ShowTotals(t order.Totals) Totals {
	return Totals{
		Currency: string(t.Currency), TaxMode: t.TaxMode, Subtotal: t.SubtotalAmount, Tax: t.TaxAmount,
		Discount: t.DiscountAmount, Discounts: ShowDiscounts(t.Discounts),
		PlanAmount: t.PlanAmount,
		Taxes: Show(t.Taxes, func(x order.TaxTotal) TaxTotal {
			return TaxTotal{TaxRateID: x.RateID, Name: x.Name, PPM: x.PPM, Amount: x.Amount}
		}),
		ServiceFee: t.ServiceFeeAmount, Total: t.TotalAmount, Credit: t.CreditAmount(),
		GiftCards: tender.SumOf(t.Prepaid, tender.GiftCard), DueLater: t.DueLaterAmount,
	}
}

// ShowHold shows the hold of a cart.
func ShowHold(h booking.Hold) Hold {
	return Hold{HoldID: h.ID, ExpiresAt: h.ExpiresAt, Extended: h.Extended}
}

// ShowCartDate shows a date of a course.
func ShowCartDate(d checkout.LineDate) CartDate {
	return CartDate{d.OccurrenceID, d.BookingID, d.StartsAt, d.EndsAt}
}

package operator

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/order"
	"foyer/app/owed"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/app/web/op"
	"foyer/billing/tender"
)

// Sale is a payment of a customer at the desk.
type Sale struct {
	SaleEffects
	OrderID      *uuid.UUID    `json:"orderId" doc:"The order of goods, fees and amounts that were in no order yet; null if none was made."`
	ReceiptToken string        `json:"receiptToken" doc:"Token of that order's receipt; empty without one."`
	Payments     []SalePayment `json:"payments" doc:"Payments, one for each order and method; for saved_card the card payment in progress."`
}

// SaleMethod is a payment method of a sale at the desk.
type SaleMethod string

// All returns the methods.
func (SaleMethod) All() (out []SaleMethod) {
	for _, k := range append(tender.Kind("").All(), owed.SavedCard, owed.PlanCredit) {
		out = append(out, SaleMethod(k))
	}
	return out
}

// SalePayment is a payment of one order by one payment method.
type SalePayment struct {
	ID           uuid.UUID  `json:"id"`
	OrderID      uuid.UUID  `json:"orderId"`
	Method       SaleMethod `json:"method" doc:"Payment method."`
	Amount       int64      `json:"amount" doc:"Amount in minor units."`
	ReceiptToken string     `json:"receiptToken" doc:"Token of the order's receipt."`
}

// SaleEffects describes the effects of a sale.
type SaleEffects struct {
	LocationID       uuid.UUID             `json:"locationId"`
	CustomerID       uuid.UUID             `json:"customerId" doc:"The customer. For a walk-in, the effects have zeros: the record is made with the sale."`
	Walkin           bool                  `json:"walkin" doc:"Whether goods are sold to a walk-in, whose record is for this sale alone."`
	Tenders          []SaleTender          `json:"tenders" doc:"Payment methods with their amounts."`
	Amount           int64                 `json:"amount" doc:"Amount paid, in minor units."`
	ChangeAmount     int64                 `json:"changeAmount" doc:"Change for the customer in cash, in minor units: the amount received less the amount paid."`
	BalanceDueAmount int64                 `json:"dueAmount" doc:"Amount that remains due for the items in the request."`
	Currency         money.Currency        `json:"currency"`
	Lines            []SaleLine            `json:"lines" doc:"Amounts due of bookings and fees."`
	Goods            []SaleGoods           `json:"goods" doc:"Goods sold."`
	Plans            []SalePlan            `json:"plans" doc:"Plans sold."`
	Card             op.Nullable[SaleCard] `json:"card" doc:"The saved card that is charged; null for other payment methods."`
}

// SaleGoods is a variant of a product that is sold.
type SaleGoods struct {
	VariantID    uuid.UUID `json:"variantId" doc:"The variant of a product."`
	Label        string    `json:"label" doc:"Name of the product and its options."`
	Quantity     int       `json:"quantity" doc:"Number sold."`
	ListedAmount int64     `json:"listed" doc:"Listed price of all of them."`
	TaxAmount    int64     `json:"taxAmount" doc:"Tax, included in the price or added to it."`
	Amount       int64     `json:"amount" doc:"Amount in minor units, including tax added to the price."`
}

// SalePlan is a plan that is sold.
type SalePlan struct {
	PlanID       uuid.UUID `json:"planId"`
	Label        string    `json:"label" doc:"Name of the plan."`
	ListedAmount int64     `json:"listed" doc:"Listed price."`
	TaxAmount    int64     `json:"taxAmount" doc:"Tax, included in the price or added to it."`
	Amount       int64     `json:"amount" doc:"Amount in minor units, including tax added to the price."`
}

// SaleTender is the amount paid by one payment method.
type SaleTender struct {
	Method SaleMethod `json:"method" doc:"Payment method."`
	Amount int64      `json:"amount" doc:"Amount in minor units; 0 for plan_credit."`
	Label  string     `json:"label,omitempty" doc:"Last characters of the code of a gift card, or the name of a plan; absent for other methods."`
}

// SaleCard is the saved card that is charged for a sale.
type SaleCard struct {
	ID    uuid.UUID `json:"id" doc:"The saved card."`
	Brand string    `json:"brand" doc:"Card brand."`
	Last4 string    `json:"last4" doc:"Last four digits of the card number."`
}

// SaleLine is one item of a sale.
type SaleLine struct {
	BookingID uuid.UUID  `json:"bookingId"`
	FeeID     *uuid.UUID `json:"feeId" doc:"The fee; null for a booking."`
	Label     string     `json:"label" doc:"Label of the booking."`
	Amount    int64      `json:"amount" doc:"Amount due in minor units, including tax added to the price."`
}

type createSaleBody struct {
	BookingIDs []uuid.UUID  `json:"bookingIds,omitempty" maxItems:"50" uniqueItems:"true" doc:"Bookings with a price due; for a course, any of its dates."`
	FeeIDs     []uuid.UUID  `json:"feeIds,omitempty" maxItems:"50" uniqueItems:"true" doc:"Fees due."`
	Goods      []GoodsBody  `json:"goods,omitempty" maxItems:"50" doc:"Goods to sell, each variant once. They are paid in full."`
	Plans      []uuid.UUID  `json:"plans,omitempty" maxItems:"10" uniqueItems:"true" doc:"Plans to sell to a customer with a record. They are paid in full."`
	PeriodID   uuid.UUID    `json:"periodId,omitempty" doc:"The next billing period of a membership to pay, from renewal.next of the customer's plan. It sets the location and the customer. It is paid in full."`
	LocationID uuid.UUID    `json:"locationId,omitempty" doc:"Where goods and plans are sold. Required for them without bookings and fees."`
	CustomerID uuid.UUID    `json:"customerId,omitempty" doc:"The customer of goods and plans. Without one, and without bookings and fees, goods are sold to a walk-in."`
	Tenders    []TenderBody `json:"tenders" maxItems:"3" doc:"Payment methods, each at most once; none for goods and plans that are free."`
	op.Quote
}

// GoodsBody is a number of a variant of a product.
type GoodsBody struct {
	VariantID uuid.UUID `json:"variantId" doc:"The variant of a product."`
	Quantity  int       `json:"quantity" minimum:"1" maximum:"999" doc:"Number to sell."`
}

// TenderBody is a payment method with its amount.
type TenderBody struct {
	Method   SaleMethod `json:"method" doc:"Payment method. cash. account_credit: account credit of the customer. gift_card: a gift card, by its code. plan_credit: plans of the customer, which pay for bookings in full, by themselves and without an amount. saved_card: a saved card of the customer, which pays the whole sale alone. other: another method of the studio's own, such as its terminal or a bank transfer."`
	Amount   int64      `json:"amount,omitempty" minimum:"1" maximum:"9007199254740991" doc:"Amount in minor units. Only the last one can leave it out: it pays the remainder. A total below the amount due is a partial payment; fees and goods must be paid in full."`
	Received int64      `json:"receivedAmount,omitempty" minimum:"1" maximum:"9007199254740991" doc:"Cash that the customer hands over, in minor units: the amount or more. The answer has the change."`
	Code     string     `json:"code,omitempty" maxLength:"64" doc:"Code of the gift card, with gift_card."`
	CardID   uuid.UUID  `json:"cardId,omitempty" doc:"With saved_card: a saved card of the customer. The default is the most recently saved card that has not expired."`
	GrantID  uuid.UUID  `json:"grantId,omitempty" doc:"With plan_credit: credits of a plan of the customer, or its unlimited bookings, which pay for all bookings. The default is the first plan that pays, for each booking."`
	Note     string     `json:"note,omitempty" maxLength:"500" doc:"Note, such as the number of the terminal receipt."`
}

func (a *surface) sales() {
	declare(a, op.Spec{
		ID: "createSale", Method: "POST", Path: "/businesses/{businessId}/sales", Tag: "commerce", Feature: "payment.take", Success: 201, Quoted: true,
		Summary: "Record a sale at the desk",
		Description: "Records payment of amounts due for bookings and fees of one customer at one location, in full or in " +
			"part, by one or several methods, and sells goods and plans with them or alone. There is no platform fee, except " +
			"with saved_card. Bookings made by the studio become an order with tax. Goods are taxed, and leave the " +
			"stock of the location: details.itemId names a variant or a plan that cannot be sold. A plan is active " +
			"once it is paid. A payment of a billing period replaces its link. With plan_credit, plans " +
			"that the customer has pay for the bookings: if one is not paid, the call is refused with its " +
			"details.bookingId, and details.why as in why of listCompatiblePlans, or no_plan, or sold for a price that " +
			"is in an order. A saved card is charged asynchronously, once, under the recorded consent; until then " +
			"goods are reserved. If the charge fails, a sale with goods or plans is void and its amounts stay due; " +
			"without them the customer is sent a payment link. See getPayment for its status." +
			wire.Refuses("nothing_to_pay", "fee_not_due", "more_than_due", "fees_in_full", "goods_in_full",
				"insufficient_credit", "sold_out", "payment_processing", "card_removed", "card_without_consent",
				"card_unavailable", "card_amount_refused", "below_card_minimum"),
	}, a.createSale)
}

func (a *surface) createSale(ctx context.Context, sc tenancy.Scope, body *wire.Body[createSaleBody]) (op.Quoted[Sale, SaleEffects], error) {
	b := body.Body
	in := owed.PaymentInput{
		BookingIDs: b.BookingIDs, FeeIDs: b.FeeIDs, Plans: b.Plans, PeriodID: b.PeriodID, LocationID: b.LocationID,
		CustomerID: b.CustomerID,
	}
	for _, g := range b.Goods {
		in.Goods = append(in.Goods, owed.Goods(g))
	}
	for i, t := range b.Tenders {
		paid, err := a.tenderOf(ctx, sc, t, fmt.Sprintf("tenders[%d].", i))
		if err != nil {
			return op.Quoted[Sale, SaleEffects]{}, err
		}
		in.Tenders = append(in.Tenders, paid)
	}
	got, err := a.Owed.RecordPayment(ctx, sc, in)
	return shownSale(a.Orders, got), err
}

// tenderOf reads a tender; field is its address in the request.
func (a *surface) tenderOf(ctx context.Context, sc tenancy.Scope, t TenderBody, field string) (owed.Tender, error) {
	paid := owed.Tender{
		Method: tender.Kind(t.Method), Source: t.CardID, Amount: t.Amount, Received: t.Received, Note: t.Note,
	}
	if t.CardID != uuid.Nil && paid.Method != owed.SavedCard {
		return paid, fault.Invalid(field+"cardId", "Only a saved card has a cardId.")
	}
	if t.GrantID != uuid.Nil {
		if paid.Method != owed.PlanCredit {
			return paid, fault.Invalid(field+"grantId", "Only a payment by plan has a grantId.")
		}
		paid.Source = t.GrantID
	}
	if t.Code == "" {
		return paid, nil
	}
	if paid.Method != tender.GiftCard {
		return paid, fault.Invalid(field+"code", "Only a gift card has a code.")
	}
	card, err := a.GiftCards.ByCode(ctx, sc, t.Code)
	paid.Source = card.ID
	return paid, err
}

// shownSale shows a sale with its effects.
func shownSale(orders *order.Service, got owed.Sale) op.Quoted[Sale, SaleEffects] {
	effects := SaleEffects{
		LocationID: got.LocationID, CustomerID: got.CustomerID, Walkin: got.Walkin, Amount: got.Amount,
		ChangeAmount: got.ChangeAmount, BalanceDueAmount: got.BalanceDueAmount, Currency: got.Currency,
		Tenders: []SaleTender{}, Lines: []SaleLine{}, Card: op.Null[SaleCard](),
		Goods: wire.Show(got.Goods, func(g owed.SoldGoods) SaleGoods { return SaleGoods(g) }),
		Plans: wire.Show(got.Plans, func(p owed.SoldPlan) SalePlan { return SalePlan(p) }),
	}
	for _, t := range got.Tenders {
		effects.Tenders = append(effects.Tenders, SaleTender{Method: SaleMethod(t.Method), Amount: t.Amount, Label: t.Label})
	}
	if got.Charge != nil {
		effects.Card = op.Some(SaleCard{got.Charge.Card.ID, got.Charge.Card.Brand, got.Charge.Card.Last4})
	}
	for _, l := range got.Lines {
		effects.Lines = append(effects.Lines, SaleLine(l))
	}
	done := Sale{SaleEffects: effects, OrderID: pg.OrNull(got.OrderID), Payments: []SalePayment{}}
	if got.OrderID != uuid.Nil {
		done.ReceiptToken = orders.ReceiptToken(got.OrderID)
	}
	for _, t := range got.Payments {
		done.Payments = append(done.Payments, SalePayment{
			ID: t.ID, OrderID: t.OrderID, Method: SaleMethod(t.Kind), Amount: t.Amount,
			ReceiptToken: orders.ReceiptToken(t.OrderID),
		})
	}
	if got.Charge != nil {
		done.Payments = append(done.Payments, SalePayment{
			ID: got.Charge.PaymentID, OrderID: got.OrderID, Method: SaleMethod(owed.SavedCard), Amount: got.Amount,
			ReceiptToken: done.ReceiptToken,
		})
	}
	if got.Walkin {
		effects.CustomerID = uuid.Nil
	}
	return op.Quoted[Sale, SaleEffects]{Done: done, Effects: effects}
}

package storefront

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/agreement"
	"foyer/app/api/wire"
	"foyer/app/booking"
	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/checkout"
	"foyer/app/fault"
	"foyer/app/tenancy"
	"foyer/app/web/op"
	"foyer/billing"
)

// Cart is what somebody is about to book at one location. Whoever has its token may see and fill it; holding, paying and
// confirming take a session, and from the first hold on that person's.
type Cart struct {
	ID           uuid.UUID                `json:"id"`
	LocationID   uuid.UUID                `json:"locationId"`
	LocationName string                   `json:"locationName"`
	BusinessName string                   `json:"businessName" doc:"The studio: the merchant of record."`
	Zone         string                   `json:"zone" doc:"The wall clock of the times."`
	State        checkout.CartState       `json:"state"`
	Lines        []CartLine               `json:"lines"`
	Totals       Totals                   `json:"totals"`
	Code         op.Nullable[CartCode]    `json:"code" doc:"The code that was given for it; null: none."`
	Hold         op.Nullable[Hold]        `json:"hold" doc:"Null while no seat is kept."`
	Order        op.Nullable[CartOrder]   `json:"order" doc:"Null before the payment began."`
	Card         bool                     `json:"card" doc:"The total can be paid by card."`
	CardMinimum  int64                    `json:"cardMinimum" doc:"The least that a card can pay, where the studio takes cards and the total is less; else 0. Minor units."`
	Credit       op.Nullable[CartCredit]  `json:"credit" doc:"Account credit of the caller; null: none, or the cart is not held by them."`
	Deposit      op.Nullable[CartDeposit] `json:"deposit" doc:"A deposit would do now; null: all of it is paid."`
	AtStudio     op.Nullable[Totals]      `json:"atStudio" doc:"What it comes to when it is paid at the studio, without a service fee; null where the studio's rules do not offer that."`
	Agreements   []wire.CartAgreement     `json:"agreements" doc:"All that its items ask to agree to. What of it is agreed to already, getCartAgreements tells the one who is signed in."`
	CreatedAt    time.Time                `json:"createdAt"`
}

// NewCart is a cart with its token.
type NewCart struct {
	Cart
	Token string `json:"token" doc:"The right to this cart, and its name in addresses. It is shown this once."`
}

// CartLine is one seat of a cart, or a course: then its times are those of the first date.
type CartLine struct {
	ItemID       uuid.UUID    `json:"itemId"`
	OfferingID   uuid.UUID    `json:"offeringId"`
	OccurrenceID *uuid.UUID   `json:"occurrenceId" doc:"Null: a time of an appointment or a rental that is not held."`
	BookingID    *uuid.UUID   `json:"bookingId" doc:"The booking that keeps the seat; null while it is not kept."`
	Kind         catalog.Kind `json:"kind"`
	Name         string       `json:"name"`
	Slug         string       `json:"slug"`
	Attendee     string       `json:"attendee" doc:"Who is coming, when it is somebody else. Once the cart was held: empty for everybody but who held it."`
	Party        int          `json:"party" doc:"People; 1 for a seat of a class."`
	StartsAt     time.Time    `json:"startsAt"`
	EndsAt       time.Time    `json:"endsAt"`
	Instructor   string       `json:"instructor" doc:"Empty: nobody is named."`
	Space        string       `json:"space" doc:"Empty: none is named."`
	Spots        int          `json:"spots" doc:"Seats that are left for the storefront."`
	Problem      string       `json:"problem" enum:",started,cancelled,not_bookable" doc:"Why it cannot be booked any more; empty when it can."`
	AddedPrice   int64        `json:"addedPrice" doc:"The listed price when it was added."`
	Price        int64        `json:"price" doc:"The listed price now; while the seat is kept, the price it is kept at. Minor units."`
	Discount     int64        `json:"discount" doc:"What discounts take off it, before tax."`
	Discounts    []Discounted `json:"discounts" doc:"What each of them takes off; none of a cart that is being paid for."`
	Tax          int64        `json:"tax"`
	Total        int64        `json:"total" doc:"What the customer pays for the line."`
	Steps        []PriceStep  `json:"steps" doc:"How the total comes about."`
	Dates        []CartDate   `json:"dates" doc:"Of a course: all dates that it is for, in their order; none of anything else."`
}

// CartDate is one date of a course.
type CartDate struct {
	OccurrenceID uuid.UUID  `json:"occurrenceId"`
	BookingID    *uuid.UUID `json:"bookingId" doc:"The booking that keeps the seat; null while it is not kept."`
	StartsAt     time.Time  `json:"startsAt"`
	EndsAt       time.Time  `json:"endsAt"`
}

// PriceStep is one figure on the way to a line's total.
type PriceStep struct {
	Kind     checkout.StepKind `json:"kind"`
	Label    string            `json:"label" doc:"The rate's name; empty for the listed price."`
	PPM      int64             `json:"ppm" doc:"Of a tax, in parts per million."`
	Amount   int64             `json:"amount"`
	Included bool              `json:"included" doc:"Inside the figures before it, not added to them."`
}

// Totals is what a cart or an order comes to, in minor units.
type Totals struct {
	Currency   string           `json:"currency"`
	TaxMode    business.TaxMode `json:"taxMode"`
	Subtotal   int64            `json:"subtotal" doc:"The lines as listed."`
	Discount   int64            `json:"discount" doc:"What discounts take off them, before tax."`
	Discounts  []Discounted     `json:"discounts" doc:"What each of them takes off."`
	Tax        int64            `json:"tax" doc:"On top of the lines when exclusive, inside them when inclusive."`
	Taxes      []TaxTotal       `json:"taxes" doc:"By rate."`
	ServiceFee int64            `json:"serviceFee" doc:"The customer's part of the platform fee; 0 where the studio absorbs it."`
	Total      int64            `json:"total" doc:"What the customer pays."`
	Credit     int64            `json:"credit" doc:"Of that: with account credit."`
	DueLater   int64            `json:"dueLater" doc:"Of that: at the studio, beside what is paid when it is booked."`
}

// CartDeposit is the customer's choice between a deposit and all of it, in minor units.
type CartDeposit struct {
	InFull       bool       `json:"inFull" doc:"They chose to pay all of it now: see startPayment."`
	Now          int64      `json:"now" doc:"To pay now with a deposit, without what credit pays."`
	Full         int64      `json:"full" doc:"To pay now for all of it, without what credit pays."`
	BalanceDueAt *time.Time `json:"restAt" doc:"From when on the rest is charged to the card that the customer has the studio keep; null: it is paid at the studio, also because that time is over."`
}

// TaxTotal is what one rate comes to.
type TaxTotal struct {
	TaxRateID uuid.UUID `json:"taxRateId"`
	Name      string    `json:"name"`
	PPM       int64     `json:"ppm"`
	Amount    int64     `json:"amount"`
}

// CartOrder is how far the payment of a cart is.
type CartOrder struct {
	State         checkout.OrderState `json:"state" doc:"While it is open the items are frozen."`
	PaymentStatus string              `json:"paymentStatus" enum:",new,awaiting_method,awaiting_customer,processing,authorized,succeeded,failed,canceled" doc:"Empty when there is no payment."`
}

type createCartBody struct {
	LocationID uuid.UUID `json:"locationId"`
	Ref        string    `json:"ref,omitempty" maxLength:"2048" doc:"Address of the page that the customer came from, for the way back."`
}

// CartPath names a cart by its token.
type CartPath struct {
	Token string `path:"token" doc:"The cart's token."`
}

type addItemIn struct {
	CartPath
	Body addItemBody
}

type addItemBody struct {
	OccurrenceID *uuid.UUID `json:"occurrenceId,omitempty" doc:"A date of the schedule. Leave it out for a course, an appointment and a rental."`
	OfferingID   *uuid.UUID `json:"offeringId,omitempty" doc:"A course, by itself; or an appointment or a rental, with startsAt."`
	StartsAt     *time.Time `json:"startsAt,omitempty" doc:"One of the times that the offering has."`
	Minutes      int        `json:"minutes,omitempty" minimum:"5" maximum:"1440" doc:"One of the offering's lengths; left out: the first."`
	MemberID     *uuid.UUID `json:"memberId,omitempty" doc:"With whom; left out: anyone."`
	SpaceID      *uuid.UUID `json:"spaceId,omitempty" doc:"Where; left out: any of the offering's spaces."`
	Party        int        `json:"party,omitempty" minimum:"1" maximum:"1000" doc:"How many people come; left out: 1. Of a class each is an item of their own, and a booking: up to 20 in a cart."`
	Attendee     string     `json:"attendee,omitempty" maxLength:"120" doc:"Who is coming, when it is somebody else."`
	Others       []string   `json:"others,omitempty" maxItems:"19" maxLength:"120" doc:"Of a class: the names of those who come beside attendee. Whom nobody names becomes Guest 2, Guest 3 and so on."`
}

type updateItemIn struct {
	CartPath
	ItemID uuid.UUID `path:"itemId" doc:"The item."`
	Body   updateItemBody
}

type updateItemBody struct {
	Attendee string `json:"attendee" maxLength:"120" doc:"Who is coming; empty: the customer."`
}

type removeItemIn struct {
	CartPath
	ItemID uuid.UUID `path:"itemId" doc:"The item."`
}

// Hold is seats kept for a cart for a while: all of them or none.
type Hold struct {
	HoldID    uuid.UUID `json:"holdId"`
	ExpiresAt time.Time `json:"expiresAt" doc:"When the seats are let go: ten minutes after the first hold."`
	Extended  bool      `json:"extended" doc:"The ten more minutes have been given; there is no second time."`
}

// Payment is what the customer's browser needs to pay by card, on the studio's own account.
type Payment struct {
	Status         string    `json:"status" enum:"new,awaiting_method,awaiting_customer,processing,authorized,succeeded,failed,canceled" doc:"Go on to confirm when it has succeeded."`
	ClientSecret   string    `json:"clientSecret" doc:"For this customer's browser only."`
	AccountID      string    `json:"accountId" doc:"The studio's account: the studio is the merchant."`
	PublishableKey string    `json:"publishableKey"`
	Amount         int64     `json:"amount" doc:"Minor units."`
	Currency       string    `json:"currency"`
	Test           bool      `json:"test" doc:"No money moves."`
	ExpiresAt      time.Time `json:"expiresAt" doc:"When the seats are let go."`
	RedirectURL    string    `json:"redirectUrl" doc:"With a saved card: where the bank asks the customer first. Empty when it does not."`
	FailureCode    string    `json:"failureCode" doc:"Why the last try was declined, by the processor's code; empty: it was not."`
}

type holdIn struct {
	CartPath
	Body *holdBody
}

type holdBody struct {
	QuotedTotal *int64 `json:"quotedTotal,omitempty" minimum:"0" doc:"The total that the customer saw: another one answers 409 with both. Left out: the prices at which the items were added."`
	Extend      bool   `json:"extend,omitempty" doc:"Give the hold ten more minutes instead, once."`
}

type payIn struct {
	CartPath
	Body payBody
}

type payBody struct {
	InFull          *bool      `json:"inFull,omitempty" doc:"Where the cart has a deposit: whether all of it is paid now. Left out: as was chosen before, at first a deposit."`
	QuotedTotal     int64      `json:"quotedTotal" minimum:"0" doc:"What the customer is about to pay by card: the total without totals.credit and totals.dueLater. Another one answers 409 with both."`
	PaymentMethodID *uuid.UUID `json:"paymentMethodId,omitempty" doc:"A saved card of the caller with this business (listMyPaymentMethods): it is charged at once. Left out: one that is typed in the browser."`
	ReturnURL       string     `json:"returnUrl,omitempty" format:"uri" maxLength:"2000" doc:"With paymentMethodId: where the bank leads the customer to when it asks them first. Confirm the cart there."`
	Consent         string     `json:"keepConsent,omitempty" maxLength:"2000" doc:"The words by which the customer agreed that the studio keeps the card that they type, as they were shown. Left out: it is not kept."`
}

// consentElsewhere is the version of words of consent that another page than ours has shown.
const consentElsewhere = "api"

type confirmIn struct {
	CartPath
	Body *confirmBody
}

// payAtStudio is the choice not to pay by card.
const payAtStudio = "at_studio"

type confirmBody struct {
	Pay         string `json:"pay,omitempty" enum:"card,at_studio" doc:"How it is paid: by the card payment that was started, which is meant when it is left out, or when the customer comes."`
	QuotedTotal *int64 `json:"quotedTotal,omitempty" minimum:"0" doc:"With at_studio, the total that the customer saw: another one answers 409 with both."`
}

func (a *surface) carts() {
	op.Declare(a.Ops, op.Spec{
		ID: "createCart", Method: "POST", Path: "/storefront/carts", Tag: "storefront", Compact: true,
		Summary: "Begin a cart", Description: "Makes an empty cart at a location. Nobody need be signed in; the token in the answer is the right to it.",
		Access: op.Public, Rate: op.RateStorefrontWrite, Success: 201, Errors: []int{400, 404, 409},
	}, a.createCart)
	op.Declare(a.Ops, op.Spec{
		ID: "getCart", Method: "GET", Path: "/storefront/carts/{token}", Tag: "storefront", Compact: true,
		Summary: "See a cart", Description: "Prices are worked out anew at every reading, except those of seats that are kept. Once the cart was held, " +
			"only the session of who held it reads who is coming.",
		Access: op.Public, Target: op.InCart("token"), Rate: op.RateStorefront, Errors: []int{404},
	}, func(ctx context.Context, sc tenancy.Scope, in *CartPath) (Cart, error) {
		c, err := a.Checkout.Cart(ctx, sc, in.Token)
		return showCart(c), err
	})
}

func (a *surface) cartItems() {
	op.Declare(a.Ops, op.Spec{
		ID: "addCartItem", Method: "POST", Path: "/storefront/carts/{token}/items", Tag: "storefront", Compact: true,
		Summary: "Put a seat or a time into a cart",
		Description: "A date of a class; a course, which is all of its dates that are to come; or a time of an appointment or a rental that is to be had now. " +
			"Several people who come to one date go in together, or none of them does. " +
			"It takes no seat yet: holding the cart does. Once the cart was held, its items change with the session of who held it: " +
			"others are refused with details.reason held_by_another. One date of a course is refused with details.reason course, and details.offeringId names the course.",
		Access: op.Public, Target: op.InCart("token"), Rate: op.RateStorefrontWrite, Success: 201, Errors: []int{400, 404, 409},
	}, a.addItem)
	op.Declare(a.Ops, op.Spec{
		ID: "updateCartItem", Method: "PATCH", Path: "/storefront/carts/{token}/items/{itemId}", Tag: "storefront",
		Summary: "Say who is coming", Description: "A seat that is kept stays kept. Answers the cart as it is then. Once the cart was held, it takes the session of who held it.",
		Access: op.Public, Target: op.InCart("token"), Rate: op.RateStorefrontWrite, Errors: []int{400, 404, 409},
	}, func(ctx context.Context, sc tenancy.Scope, in *updateItemIn) (Cart, error) {
		c, err := a.Checkout.UpdateItem(ctx, sc, in.Token, in.ItemID, checkout.UpdateItemInput{Attendee: in.Body.Attendee})
		return showCart(c), err
	})
	op.Declare(a.Ops, op.Spec{
		ID: "removeCartItem", Method: "DELETE", Path: "/storefront/carts/{token}/items/{itemId}", Tag: "storefront",
		Summary: "Take a seat out of a cart", Description: "A seat that was kept for it is free at once. Answers the cart as it is then. Once the cart was held, it takes the session of who held it.",
		Access: op.Public, Target: op.InCart("token"), Rate: op.RateStorefrontWrite, Errors: []int{404, 409},
	}, a.removeItem)
}

func (a *surface) holds() {
	op.Declare(a.Ops, op.Spec{
		ID: "holdCart", Method: "POST", Path: "/storefront/carts/{token}/hold", Tag: "storefront", Compact: true,
		Summary: "Hold the seats of a cart",
		Description: "Keeps all seats for ten minutes, or none. The cart is the caller's from then on. Repeating it returns the " +
			"same hold; seats of items that were added since come under it. At most five open holds a person and business. " +
			"A course is kept on all of its dates: when one is full, details.dates lists those that are.",
		Access: op.StorefrontSession, Target: op.InCart("token"), Rate: op.RateStorefront, Errors: []int{400, 401, 404, 409},
		Several: "holds of others that are over and keep this cart out are ended first: that belongs to nobody's request",
	}, a.holdCart)
	op.Declare(a.Ops, op.Spec{
		ID: "releaseHold", Method: "DELETE", Path: "/storefront/carts/{token}/hold", Tag: "storefront",
		Summary: "Release the seats of a cart", Description: "Lets them go at once. A payment that began is given up; the items stay in the cart.",
		Access: op.StorefrontSession, Target: op.InCart("token"), Rate: op.RateStorefrontWrite, Errors: []int{401, 404, 409},
	}, func(ctx context.Context, sc tenancy.Scope, in *CartPath) (op.NoContent, error) {
		return op.NoContent{}, a.Checkout.Release(ctx, sc, in.Token)
	})
}

func (a *surface) payments() {
	op.Declare(a.Ops, op.Spec{
		ID: "startPayment", Method: "POST", Path: "/storefront/carts/{token}/payment", Tag: "storefront", Compact: true,
		Summary: "Start the card payment",
		Description: "Makes the payment of a held cart on the studio's own account, ready for the browser. Repeating it returns " +
			"the same payment; after one that failed or was given up it makes the next. Until then the items are frozen. With paymentMethodId the " +
			"saved card is charged: go to redirectUrl if there is one, else confirm. Where a deposit is asked for it is what is paid, or all of it with inFull. What account credit pays is not on the card; when it pays all, " +
			"this is refused with details.reason nothing_to_pay: confirm the cart.",
		Access: op.StorefrontSession, Target: op.InCart("token"), Rate: op.RateStorefrontWrite, Errors: []int{400, 401, 404, 409},
		Several: "order and payment are written before the processor is called, and what it answers after that, as it is each time",
	}, a.startPayment)
	op.Declare(a.Ops, op.Spec{
		ID: "confirmCart", Method: "POST", Path: "/storefront/carts/{token}/confirm", Tag: "storefront", Compact: true,
		Summary: "Book the cart",
		Description: "Books what the cart holds: at once when there is nothing to pay, or account credit pays all, else when the processor, asked again, says " +
			"that the payment succeeded. With pay at_studio it is booked at once, and the total of the cart's atStudio is due when the " +
			"customer comes: a card payment that began is given up. Repeating it returns the receipt. 409 with details.reason agreements, and " +
			"details.agreements, when what the cart asks for is not agreed to.",
		Access: op.StorefrontSession, Target: op.InCart("token"), Rate: op.RateStorefront, Errors: []int{400, 401, 404, 409},
		Several: "what the processor says of the payment is written as it is each time",
	}, a.confirmCart)
}

func (a *surface) confirmCart(ctx context.Context, sc tenancy.Scope, in *confirmIn) (Confirmation, error) {
	var c checkout.Confirmed
	var err error
	switch b := in.Body; {
	case b == nil || b.Pay != payAtStudio:
		c, err = a.Checkout.Confirm(ctx, sc, in.Token)
	case b.QuotedTotal == nil:
		err = fault.Invalid("quotedTotal", "Say the total that the customer saw: that of atStudio.")
	default:
		c, err = a.Checkout.BookAtStudio(ctx, sc, in.Token, *b.QuotedTotal)
	}
	return Confirmation{ReceiptToken: c.Token, Receipt: showReceipt(c.Receipt)}, err
}

func (a *surface) createCart(ctx context.Context, sc tenancy.Scope, in *wire.Body[createCartBody]) (NewCart, error) {
	c, err := a.Checkout.Create(ctx, sc, checkout.CreateInput{LocationID: in.Body.LocationID, Ref: in.Body.Ref})
	return NewCart{Cart: showCart(c.Cart), Token: c.Token}, err
}

func (a *surface) addItem(ctx context.Context, sc tenancy.Scope, in *addItemIn) (Cart, error) {
	item := checkout.AddItemInput{Attendee: in.Body.Attendee, Others: in.Body.Others}
	b := in.Body
	if b.OccurrenceID != nil {
		if err := b.onlyDate(); err != nil {
			return Cart{}, err
		}
		item.OccurrenceID, item.People = *b.OccurrenceID, b.Party
	}
	switch {
	case b.OfferingID != nil && b.StartsAt == nil && b.Minutes == 0 && b.MemberID == nil && b.SpaceID == nil:
		item.CourseID, item.People = *b.OfferingID, b.Party
	case b.OfferingID != nil || b.StartsAt != nil:
		item.Slot = &checkout.Slot{Minutes: b.Minutes, MemberID: b.MemberID, SpaceID: b.SpaceID, Party: b.Party}
		if b.OfferingID == nil || b.StartsAt == nil {
			return Cart{}, fault.Invalid("startsAt", "Name the offering and the time, both.")
		}
		item.Slot.OfferingID, item.Slot.StartsAt = *b.OfferingID, *b.StartsAt
	}
	c, err := a.Checkout.AddItem(ctx, sc, in.Token, item)
	return showCart(c), err
}

// onlyDate refuses, beside a date of a class, what only a time of an appointment or a rental has: it would be dropped.
func (b *addItemBody) onlyDate() error {
	const other = "Is for an appointment or a rental, with offeringId and startsAt."
	var c fault.Checks
	c.That(b.Minutes == 0, "minutes", other)
	c.That(b.MemberID == nil, "memberId", other)
	c.That(b.SpaceID == nil, "spaceId", other)
	return c.Err()
}

func (a *surface) removeItem(ctx context.Context, sc tenancy.Scope, in *removeItemIn) (Cart, error) {
	c, err := a.Checkout.RemoveItem(ctx, sc, in.Token, in.ItemID)
	return showCart(c), err
}

func (a *surface) holdCart(ctx context.Context, sc tenancy.Scope, in *holdIn) (Hold, error) {
	if in.Body != nil && in.Body.Extend {
		h, err := a.Checkout.Extend(ctx, sc, in.Token)
		return showHold(h), err
	}
	var input checkout.HoldInput
	if in.Body != nil {
		input.QuotedAmount = in.Body.QuotedTotal
	}
	h, err := a.Checkout.Hold(ctx, sc, in.Token, input)
	return showHold(h), err
}

func (a *surface) startPayment(ctx context.Context, sc tenancy.Scope, in *payIn) (Payment, error) {
	b := in.Body
	pay := checkout.PayInput{QuotedAmount: b.QuotedTotal, InFull: b.InFull}
	switch {
	case b.PaymentMethodID != nil:
		pay.How, pay.ReturnURL = &checkout.How{CardID: *b.PaymentMethodID}, b.ReturnURL
	case b.Consent != "":
		pay.How = &checkout.How{Consent: &billing.Consent{Text: b.Consent, Version: consentElsewhere}}
	}
	var c fault.Checks
	c.That((b.ReturnURL == "") == (b.PaymentMethodID == nil), "returnUrl", "Send it with paymentMethodId, and only then.")
	c.That(b.Consent == "" || b.PaymentMethodID == nil, "keepConsent", "This card is kept already.")
	c.That(b.ReturnURL == "" || wire.IsWebAddress(b.ReturnURL), "returnUrl", "Send an address that begins with https:// or http://.")
	if err := c.Err(); err != nil {
		return Payment{}, err
	}
	p, err := a.Checkout.Pay(ctx, sc, in.Token, pay)
	return Payment{
		Status: string(p.Status), ClientSecret: p.ClientSecret, AccountID: p.AccountID, PublishableKey: p.PublishableKey,
		Amount: p.Amount, Currency: string(p.Currency), Test: p.Test, ExpiresAt: p.ExpiresAt,
		RedirectURL: p.RedirectURL, FailureCode: p.FailureCode,
	}, err
}

func showCart(c checkout.Cart) Cart {
	return Cart{
		ID: c.ID, LocationID: c.LocationID, LocationName: c.LocationName, BusinessName: c.BusinessName, Zone: c.Zone,
		State: c.State, Lines: wire.Show(c.Lines, showLine), Totals: showTotals(c.Totals), Card: c.Card, CardMinimum: c.Least, CreatedAt: c.CreatedAt,
		Agreements: wire.Show(c.Agreements, func(k agreement.Requirement) wire.CartAgreement { return ofCart(wire.ShowRequired(c.BusinessID, k), k) }),
		Code:       wire.ShowOrNull(c.Code, showCode),
		Deposit: wire.ShowOrNull(c.Deposit, func(d checkout.CartDeposit) CartDeposit {
			return CartDeposit{d.InFull, d.NowAmount, d.FullAmount, d.BalanceDueAt}
		}),
		AtStudio: wire.ShowOrNull(c.AtStudio, showTotals), Credit: wire.ShowOrNull(c.Credit, showCartCredit),
		Hold: wire.ShowOrNull(c.Hold, showHold), Order: wire.ShowOrNull(c.Order, showCartOrder),
	}
}

func showCartOrder(o checkout.Order) CartOrder {
	return CartOrder{State: o.State, PaymentStatus: string(o.PaymentStatus)}
}

func showLine(l checkout.Line) CartLine {
	return CartLine{
		ItemID: l.ItemID, OfferingID: l.OfferingID, OccurrenceID: wire.AppointmentOptions(l.OccurrenceID), BookingID: l.BookingID, Kind: l.Kind, Party: l.Party,
		Name: l.Name, Slug: l.Slug, Attendee: l.Attendee, StartsAt: l.StartsAt, EndsAt: l.EndsAt,
		Instructor: l.Instructor, Space: l.Space, Spots: l.Spots, Problem: l.Problem, AddedPrice: l.AddedAmount,
		Price: l.ListedAmount, Discount: l.DiscountAmount, Discounts: showDiscounts(l.Discounts), Tax: l.TaxAmount, Total: l.TotalAmount, Steps: wire.Show(l.Steps, showStep),
		Dates: wire.Show(l.Dates, func(d checkout.LineDate) CartDate {
			return CartDate{d.OccurrenceID, d.BookingID, d.StartsAt, d.EndsAt}
		}),
	}
}

func showStep(s checkout.Step) PriceStep {
	return PriceStep{Kind: s.Kind, Label: s.Label, PPM: s.PPM, Amount: s.Amount, Included: s.Included}
}

func showTotals(t checkout.Totals) Totals {
	return Totals{
		Currency: string(t.Currency), TaxMode: t.TaxMode, Subtotal: t.SubtotalAmount, Tax: t.TaxAmount,
		Discount: t.DiscountAmount, Discounts: showDiscounts(t.Discounts),
		Taxes: wire.Show(t.Taxes, func(x checkout.TaxTotal) TaxTotal {
			return TaxTotal{TaxRateID: x.RateID, Name: x.Name, PPM: x.PPM, Amount: x.Amount}
		}),
		ServiceFee: t.ServiceFeeAmount, Total: t.TotalAmount, Credit: t.CreditAmount, DueLater: t.DueLaterAmount,
	}
}

func showHold(h booking.Hold) Hold {
	return Hold{HoldID: h.ID, ExpiresAt: h.ExpiresAt, Extended: h.Extended}
}

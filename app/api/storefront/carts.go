package storefront

import (
	"context"
	"reflect"
	"time"

	"github.com/google/uuid"

	"foyer/app/agreement"
	"foyer/app/api/wire"
	"foyer/app/checkout"
	"foyer/app/fault"
	"foyer/app/order"
	"foyer/app/tenancy"
	"foyer/app/web/op"
	"foyer/billing"
)

// Cart is a selection at one location that is not booked yet. Its token authorizes reading and filling it. Holding,
// paying and confirming require a session; after the first hold, the session of that person.
type Cart struct {
	ID           uuid.UUID                  `json:"id"`
	LocationID   uuid.UUID                  `json:"locationId"`
	LocationName string                     `json:"locationName"`
	BusinessName string                     `json:"businessName" doc:"Name of the studio, the merchant of record."`
	Zone         string                     `json:"zone" doc:"Time zone of the times."`
	State        checkout.CartState         `json:"state"`
	Lines        []CartLine                 `json:"lines"`
	Totals       wire.Totals                `json:"totals"`
	Code         op.Nullable[wire.CartCode] `json:"code" doc:"The promo code entered; null if there is none."`
	Hold         op.Nullable[wire.Hold]     `json:"hold" doc:"The hold; null while no seats are held."`
	Order        op.Nullable[CartOrder]     `json:"order" doc:"The order; null before payment begins."`
	Card         bool                       `json:"card" doc:"Whether the total can be paid by card."`
	CardMinimum  int64                      `json:"cardMinimum" doc:"Minimum of a card payment, if the studio accepts cards and the total is below it; otherwise 0. In minor units."`
	Credit       op.Nullable[CartCredit]    `json:"credit" doc:"Account credit of the caller; null if there is none or the cart is not held by the caller."`
	GiftCards    []CartGiftCard             `json:"giftCards" doc:"Gift cards that pay for it, for the holder only."`
	Deposit      op.Nullable[CartDeposit]   `json:"deposit" doc:"The deposit option; null if the full total is payable now."`
	AtStudio     op.Nullable[wire.Totals]   `json:"atStudio" doc:"Totals for payment at the studio, without a service fee; null if the studio's policy does not offer it."`
	Agreements   []wire.CartAgreement       `json:"agreements" doc:"Agreements required by its items. For the signed-in caller, getCartAgreements returns those signed already."`
	CreatedAt    time.Time                  `json:"createdAt"`
}

// NewCart is a cart with its token.
type NewCart struct {
	Cart
	Token string `json:"token" doc:"Token of the cart. It authorizes access and is part of its address. It is returned only once."`
}

// CartLine is one seat of a cart, a course with the times of its first date, a product, a gift card or a plan.
type CartLine struct {
	ItemID       uuid.UUID                  `json:"itemId"`
	OfferingID   *uuid.UUID                 `json:"offeringId" doc:"The offering; null without a booking."`
	OccurrenceID *uuid.UUID                 `json:"occurrenceId" doc:"The date of a class; null for a time of an appointment or a rental that is not held, and without a booking."`
	VariantID    *uuid.UUID                 `json:"variantId" doc:"The variant of a product; null for other lines."`
	GiftCardID   *uuid.UUID                 `json:"giftCardId" doc:"The gift card that is bought; null for other lines."`
	PlanID       *uuid.UUID                 `json:"planId" doc:"The plan that is bought; null for other lines."`
	Quantity     int                        `json:"quantity" doc:"Number of a product; otherwise 1."`
	BookingID    *uuid.UUID                 `json:"bookingId" doc:"The booking of the held seat; null if the seat is not held."`
	Kind         order.Kind                 `json:"kind" enum:"class,appointment,rental,product,gift_card,plan"`
	Name         string                     `json:"name"`
	Slug         string                     `json:"slug" doc:"Slug of the offering; empty without a booking."`
	Attendee     string                     `json:"attendee" doc:"Name of the attendee, if it is not the customer. After the first hold, visible to the holder only."`
	Party        int                        `json:"party" doc:"Number of people; 1 for a seat of a class and without a booking."`
	StartsAt     *time.Time                 `json:"startsAt" doc:"When it starts; null without a booking."`
	EndsAt       *time.Time                 `json:"endsAt" doc:"When it ends; null without a booking."`
	Instructor   string                     `json:"instructor" doc:"Name of the instructor; empty if none is assigned."`
	Space        string                     `json:"space" doc:"Name of the space; empty if none is assigned."`
	Spots        int                        `json:"spots" doc:"Free seats online; 0 without a booking."`
	Problem      string                     `json:"problem" enum:",started,cancelled,not_bookable,product_unavailable,not_sold_here,sold_out,gift_card_unavailable,plan_unavailable,plan_owned,plan_new_customers" doc:"Why it cannot be booked or bought any more; empty if it can."`
	AddedPrice   int64                      `json:"addedPrice" doc:"Listed price when it was added."`
	Price        int64                      `json:"price" doc:"Current listed price or, while the seat is held, its held price. In minor units."`
	Discount     int64                      `json:"discount" doc:"Discount before tax."`
	Discounts    []wire.Discounted          `json:"discounts" doc:"Amount of each discount; empty once payment has begun."`
	Tax          int64                      `json:"tax"`
	Total        int64                      `json:"total" doc:"Amount the customer pays for the line."`
	Plan         op.Nullable[wire.LinePlan] `json:"plan" doc:"The plan of the customer that pays for the held seat; null if none pays."`
	Steps        []PriceStep                `json:"steps" doc:"Calculation of the total."`
	Dates        []wire.CartDate            `json:"dates" doc:"For a course: all of its dates, in order; otherwise empty."`
}

// PriceStep is one step in the calculation of a line's total.
type PriceStep struct {
	Kind     order.StepKind `json:"kind"`
	Label    string         `json:"label" doc:"Name of the rate; empty for the listed price."`
	PPM      int64          `json:"ppm" doc:"Rate of a tax, in parts per million."`
	Amount   int64          `json:"amount"`
	Included bool           `json:"included" doc:"Whether it is included in the steps before it, not added to them."`
}

// CartDeposit is the customer's choice between a deposit and full payment, in minor units.
type CartDeposit struct {
	InFull       bool       `json:"inFull" doc:"Whether the customer chose full payment; see startPayment."`
	Now          int64      `json:"now" doc:"Amount payable now with a deposit, less credit."`
	Full         int64      `json:"full" doc:"Amount payable now in full, less credit."`
	BalanceDueAt *time.Time `json:"balanceDueAt" doc:"When the balance is charged to the saved card; null if it is paid at the studio, for example because that time has passed."`
}

// CartOrder is the state of a cart's payment.
type CartOrder struct {
	State         order.State `json:"state" doc:"State of the order. While it is open, the items cannot change."`
	PaymentStatus string      `json:"paymentStatus" enum:",new,awaiting_method,awaiting_customer,processing,authorized,succeeded,failed,canceled" doc:"Status of the payment; empty if there is none."`
}

type createCartBody struct {
	LocationID uuid.UUID `json:"locationId"`
	Ref        string    `json:"ref,omitempty" maxLength:"2048" doc:"Address of the customer's previous page, for the return link."`
}

// CartPath is the path of a cart, by its token.
type CartPath struct {
	Token string `path:"token" doc:"Token of the cart."`
}

type addItemIn struct {
	CartPath
	Body addItemBody
}

type addItemBody struct {
	OccurrenceID *uuid.UUID    `json:"occurrenceId,omitempty" doc:"A date of the schedule. Leave it out for a course, an appointment, a rental or a product."`
	VariantID    *uuid.UUID    `json:"variantId,omitempty" doc:"A variant of a product, by itself or with quantity."`
	GiftCard     *giftCardBody `json:"giftCard,omitempty" doc:"A gift card, by itself."`
	PlanID       *uuid.UUID    `json:"planId,omitempty" doc:"A plan, by itself."`
	// The words are kept as they were shown.
	RenewalConsent string     `json:"renewalConsent,omitempty" maxLength:"2000" doc:"With a membership, required: the words that the customer agreed to, with the amount, how often their card is charged, and how to cancel. A card that is typed is saved for that."`
	Quantity       int        `json:"quantity,omitempty" minimum:"1" maximum:"999" doc:"Number of a product. The default is 1."`
	OfferingID     *uuid.UUID `json:"offeringId,omitempty" doc:"A course, by itself; or an appointment or a rental, together with startsAt."`
	StartsAt       *time.Time `json:"startsAt,omitempty" doc:"An available start of the offering."`
	Minutes        int        `json:"minutes,omitempty" minimum:"5" maximum:"1440" doc:"Length in minutes, one of the offering's. The default is the first."`
	MemberID       *uuid.UUID `json:"memberId,omitempty" doc:"The instructor. The default is any."`
	SpaceID        *uuid.UUID `json:"spaceId,omitempty" doc:"The space. The default is any of the offering's."`
	Party          int        `json:"party,omitempty" minimum:"1" maximum:"1000" doc:"Number of people. The default is 1. For a class, each person is an item and a booking: up to 20 in a cart."`
	Attendee       string     `json:"attendee,omitempty" maxLength:"120" doc:"Name of the attendee, if it is not the customer."`
	Others         []string   `json:"others,omitempty" maxItems:"19" maxLength:"120" doc:"For a class: names of the other attendees. Unnamed attendees are called Guest 2, Guest 3 and so on."`
}

type updateItemIn struct {
	CartPath
	ItemID uuid.UUID `path:"itemId" doc:"The item."`
	Body   updateItemBody
}

type updateItemBody struct {
	Attendee string `json:"attendee" maxLength:"120" doc:"Name of the attendee; empty for the customer."`
}

type removeItemIn struct {
	CartPath
	ItemID uuid.UUID `path:"itemId" doc:"The item."`
}

// Payment is the data for a card payment in the customer's browser, on the studio's own account.
type Payment struct {
	Status         string    `json:"status" enum:"new,awaiting_method,awaiting_customer,processing,authorized,succeeded,failed,canceled" doc:"Status of the payment. Confirm the cart after succeeded."`
	ClientSecret   string    `json:"clientSecret" doc:"Client secret, for this customer's browser only."`
	AccountID      string    `json:"accountId" doc:"The studio's account: the studio is the merchant."`
	PublishableKey string    `json:"publishableKey"`
	Amount         int64     `json:"amount" doc:"Amount in minor units."`
	Currency       string    `json:"currency"`
	Test           bool      `json:"test" doc:"Whether it is in test mode, without real money."`
	ExpiresAt      time.Time `json:"expiresAt" doc:"When the hold on the seats expires."`
	RedirectURL    string    `json:"redirectUrl" doc:"With a saved card: URL of the bank's authentication. Empty if it is not required."`
	FailureCode    string    `json:"failureCode" doc:"Decline code of the last attempt; empty if it was not declined."`
}

type holdIn struct {
	CartPath
	Body *holdBody
}

type holdBody struct {
	QuotedTotal *int64 `json:"quotedTotal,omitempty" minimum:"0" doc:"Total displayed to the customer: if it differs, returns 409 with both. The default is the prices at the time of adding."`
	Extend      bool   `json:"extend,omitempty" doc:"Extend the existing hold by ten minutes, once."`
}

type payIn struct {
	CartPath
	Body payBody
}

type payBody struct {
	InFull          *bool      `json:"inFull,omitempty" doc:"Whether the full total is paid now, if the cart has a deposit. The default is the previous choice, initially the deposit."`
	QuotedTotal     int64      `json:"quotedTotal" minimum:"0" doc:"Amount displayed to the customer for the card payment: the total without totals.credit and totals.dueLater. If it differs, returns 409 with both."`
	PaymentMethodID *uuid.UUID `json:"paymentMethodId,omitempty" doc:"A saved card of the caller with this business (listMyPaymentMethods), charged at once. The default is a card entered in the browser."`
	ReturnURL       string     `json:"returnUrl,omitempty" format:"uri" maxLength:"2000" doc:"With paymentMethodId: return address after the bank's authentication. Confirm the cart there."`
	Consent         string     `json:"saveCardConsent,omitempty" maxLength:"2000" doc:"Consent text, as displayed, for saving the card entered. Without it the card is not saved."`
}

// consentElsewhere is the version of consent texts displayed by other pages than ours.
const consentElsewhere = "api"

type confirmIn struct {
	CartPath
	Body *confirmBody
}

// payAtStudio is the choice not to pay by card.
const payAtStudio = "at_studio"

type confirmBody struct {
	Pay         string `json:"pay,omitempty" enum:"card,at_studio" doc:"Payment: card (the default), by the started card payment, or at the studio."`
	QuotedTotal *int64 `json:"quotedTotal,omitempty" minimum:"0" doc:"With at_studio: total displayed to the customer. If it differs, returns 409 with both."`
}

func (a *surface) carts() {
	op.Declare(a.Ops, op.Spec{
		ID: "createCart", Method: "POST", Path: "/storefront/carts", Tag: "storefront", Compact: true,
		Summary: "Create a cart",
		Description: "Creates an empty cart at a location. No session is needed; the token in the response authorizes " +
			"access.",
		Access: op.Public, Rate: op.RateStorefrontWrite, Success: 201, Errors: []int{400, 404, 409},
	}, a.createCart)
	op.Declare(a.Ops, op.Spec{
		ID: "getCart", Method: "GET", Path: "/storefront/carts/{token}", Tag: "storefront",
		Summary: "Get a cart",
		Description: "Prices are recalculated on every call, except those of held seats. After the first hold, only the " +
			"session of the holder sees the attendees.",
		Access: op.Public, Target: op.InCart("token"), Rate: op.RateStorefront, Errors: []int{404},
	}, func(ctx context.Context, sc tenancy.Scope, in *CartPath) (Cart, error) {
		c, err := a.Checkout.Cart(ctx, sc, in.Token)
		return showCart(c), err
	})
}

func (a *surface) cartItems() {
	op.Declare(a.Ops, op.Spec{
		ID: "addCartItem", Method: "POST", Path: "/storefront/carts/{token}/items", Tag: "storefront", Compact: true,
		Summary: "Add an item to a cart",
		Description: "Adds a date of a class, a course with all of its upcoming dates, an available time of an " +
			"appointment or a rental, a product, a gift card, or a plan. Several people on one date are added together or not " +
			"at all. " +
			"Neither " +
			"seats nor stock are reserved before the cart is held. After the first hold, only the session of the holder can " +
			"change items: others are refused with details.reason held_by_another. One date of a course is refused with " +
			"details.reason course and the course in details.offeringId.",
		Access: op.Public, Target: op.InCart("token"), Rate: op.RateStorefrontWrite, Success: 201, Errors: []int{400, 404, 409},
	}, a.addItem)
	op.Declare(a.Ops, op.Spec{
		ID: "updateCartItem", Method: "PATCH", Path: "/storefront/carts/{token}/items/{itemId}", Tag: "storefront",
		Summary: "Update an item of a cart",
		Description: "Sets the attendee. A held seat stays held. Returns the updated cart. After the first hold, requires " +
			"the session of the holder.",
		Access: op.Public, Target: op.InCart("token"), Rate: op.RateStorefrontWrite, Errors: []int{400, 404, 409},
	}, func(ctx context.Context, sc tenancy.Scope, in *updateItemIn) (Cart, error) {
		c, err := a.Checkout.UpdateItem(ctx, sc, in.Token, in.ItemID, checkout.UpdateItemInput{Attendee: in.Body.Attendee})
		return showCart(c), err
	})
	op.Declare(a.Ops, op.Spec{
		ID: "removeCartItem", Method: "DELETE", Path: "/storefront/carts/{token}/items/{itemId}", Tag: "storefront",
		Summary: "Remove an item from a cart",
		Description: "A held seat is released at once. Returns the updated cart. After the first hold, requires the " +
			"session of the holder.",
		Access: op.Public, Target: op.InCart("token"), Rate: op.RateStorefrontWrite, Errors: []int{404, 409},
	}, a.removeItem)
}

func (a *surface) holds() {
	op.Declare(a.Ops, op.Spec{
		ID: "holdCart", Method: "POST", Path: "/storefront/carts/{token}/hold", Tag: "storefront", Compact: true,
		Summary: "Hold the seats of a cart",
		Description: "Holds all seats for ten minutes, or none. The cart belongs to the caller from then on. A repeated " +
			"call returns the same hold and includes items added since. At most five open holds per person and business. A " +
			"course is held on all of its dates: if any is full, details.dates lists the full ones.",
		Access: op.StorefrontSession, Target: op.InCart("token"), Rate: op.RateStorefront, Errors: []int{400, 401, 404, 409},
		Several: "expired holds of others that block this cart are ended first: that belongs to no request",
	}, a.holdCart)
	op.Declare(a.Ops, op.Spec{
		ID: "releaseHold", Method: "DELETE", Path: "/storefront/carts/{token}/hold", Tag: "storefront",
		Summary:     "Release the seats of a cart",
		Description: "Releases the seats at once. An open payment is canceled; the items stay in the cart.",
		Access:      op.StorefrontSession, Target: op.InCart("token"), Rate: op.RateStorefrontWrite,
		Errors: []int{401, 404, 409},
	}, func(ctx context.Context, sc tenancy.Scope, in *CartPath) (op.NoContent, error) {
		return op.NoContent{}, a.Checkout.Release(ctx, sc, in.Token)
	})
}

func (a *surface) payments() {
	op.Declare(a.Ops, op.Spec{
		ID: "startPayment", Method: "POST", Path: "/storefront/carts/{token}/payment", Tag: "storefront", Compact: true,
		Summary: "Start the card payment",
		Description: "Creates the payment of a held cart on the studio's own account, ready for the browser. A repeated " +
			"call returns the same payment, or a new one after a failed or canceled payment. While a payment is open, the " +
			"items cannot change. With paymentMethodId the saved card is charged: continue at redirectUrl if there is one, " +
			"otherwise confirm. With a deposit, only the deposit is charged unless inFull is set. Credit reduces the amount " +
			"of the card; if it pays everything, the call is refused with details.reason nothing_to_pay: confirm the cart.",
		Access: op.StorefrontSession, Target: op.InCart("token"), Rate: op.RateStorefrontWrite, Errors: []int{400, 401, 404, 409},
		Several: "order and payment are stored before the call of the processor, and its response after it, each time",
	}, a.startPayment)
	op.Declare(a.Ops, op.Spec{
		ID: "confirmCart", Method: "POST", Path: "/storefront/carts/{token}/confirm", Tag: "storefront", Compact: true,
		Summary: "Confirm a cart",
		Description: "Books the held seats: at once if there is nothing to pay or account credit pays everything, " +
			"otherwise if the processor, queried again, reports that the payment succeeded. With pay at_studio the seats are " +
			"booked at once and the total in atStudio is due at the studio: an open card payment is canceled. A repeated call " +
			"returns the receipt. Returns 409 with details.reason agreements, and details.agreements, if required agreements " +
			"are not signed.",
		Access: op.StorefrontSession, Target: op.InCart("token"), Rate: op.RateStorefront, Errors: []int{400, 401, 404, 409},
		Several: "the processor's response on the payment is stored each time",
	}, a.confirmCart)
}

func (a *surface) confirmCart(ctx context.Context, sc tenancy.Scope, in *confirmIn) (Confirmation, error) {
	var c checkout.Confirmed
	var err error
	switch b := in.Body; {
	case b == nil || b.Pay != payAtStudio:
		c, err = a.Checkout.Confirm(ctx, sc, in.Token)
	case b.QuotedTotal == nil:
		err = fault.Invalid("quotedTotal", "Send the total displayed to the customer, the one in atStudio.")
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
	b := in.Body
	if b.GiftCard != nil {
		return a.addGiftCard(ctx, sc, in)
	}
	if b.PlanID != nil {
		return a.addPlan(ctx, sc, in)
	}
	if b.VariantID != nil {
		return a.addProduct(ctx, sc, in)
	}
	if b.Quantity != 0 {
		return Cart{}, fault.Invalid("quantity", "Applies to a product only. Send it with variantId.")
	}
	item := checkout.AddItemInput{Attendee: b.Attendee, Others: b.Others}
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
			return Cart{}, fault.Invalid("startsAt", "Send offeringId and startsAt together.")
		}
		item.Slot.OfferingID, item.Slot.StartsAt = *b.OfferingID, *b.StartsAt
	}
	c, err := a.Checkout.AddItem(ctx, sc, in.Token, item)
	return showCart(c), err
}

// addProduct adds a variant of a product.
func (a *surface) addProduct(ctx context.Context, sc tenancy.Scope, in *addItemIn) (Cart, error) {
	b := in.Body
	seat := b
	seat.VariantID, seat.Quantity = nil, 0
	if !reflect.DeepEqual(seat, addItemBody{}) {
		return Cart{}, fault.Invalid("variantId", "Send a product by itself, with quantity.")
	}
	c, err := a.Checkout.AddNonSeat(ctx, sc, in.Token, order.CartItem{
		Kind: order.Product, Subject: *b.VariantID, Quantity: max(1, b.Quantity),
	})
	return showCart(c), err
}

// onlyDate refuses parameters of appointments and rentals next to a date of a class, since they would be ignored.
func (b *addItemBody) onlyDate() error {
	const other = "Applies to an appointment or a rental only. Send it with offeringId and startsAt."
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

func (a *surface) holdCart(ctx context.Context, sc tenancy.Scope, in *holdIn) (wire.Hold, error) {
	if in.Body != nil && in.Body.Extend {
		h, err := a.Checkout.Extend(ctx, sc, in.Token)
		return wire.ShowHold(h), err
	}
	var input checkout.HoldInput
	if in.Body != nil {
		input.QuotedAmount = in.Body.QuotedTotal
	}
	h, err := a.Checkout.Hold(ctx, sc, in.Token, input)
	return wire.ShowHold(h), err
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
	c.That((b.ReturnURL == "") == (b.PaymentMethodID == nil), "returnUrl", "Send it together with paymentMethodId.")
	c.That(b.Consent == "" || b.PaymentMethodID == nil, "saveCardConsent", "This card is already saved.")
	c.That(b.ReturnURL == "" || wire.IsWebAddress(b.ReturnURL), "returnUrl", "Send an address that starts with https:// "+
		"or http://.")
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
		State: c.State, Lines: wire.Show(c.Lines, showLine), Totals: wire.ShowTotals(c.Totals), Card: c.Card,
		CardMinimum: c.Least, CreatedAt: c.CreatedAt,
		Agreements: wire.Show(c.Agreements, func(k agreement.Requirement) wire.CartAgreement { return ofCart(wire.ShowRequired(c.BusinessID, k), k) }),
		Code:       wire.ShowOrNull(c.Code, wire.ShowCartCode),
		Deposit: wire.ShowOrNull(c.Deposit, func(d checkout.CartDeposit) CartDeposit {
			return CartDeposit{d.InFull, d.NowAmount, d.FullAmount, d.BalanceDueAt}
		}),
		AtStudio: wire.ShowOrNull(c.AtStudio, wire.ShowTotals), Credit: wire.ShowOrNull(c.Credit, showCartCredit),
		GiftCards: showGiftCards(c), Hold: wire.ShowOrNull(c.Hold, wire.ShowHold),
		Order: wire.ShowOrNull(c.Order, showCartOrder),
	}
}

func showCartOrder(o checkout.Order) CartOrder {
	return CartOrder{State: o.State, PaymentStatus: string(o.PaymentStatus)}
}

func showLine(l checkout.Line) CartLine {
	return CartLine{
		ItemID: l.ItemID, OfferingID: wire.Optional(l.OfferingID), OccurrenceID: wire.Optional(l.OccurrenceID),
		VariantID: wire.VariantOf(l.Kind, l.Subject), GiftCardID: giftCardOf(l.Kind, l.Subject),
		PlanID: wire.PlanOf(l.Kind, l.Subject), Plan: wire.ShowOrNull(l.Cover, wire.ShowLinePlan), Quantity: l.Quantity,
		BookingID: l.BookingID, Kind: l.Kind,
		Party: l.Party,
		Name:  l.Name, Slug: l.Slug, Attendee: l.Attendee,
		StartsAt: wire.TimeOrNull(l.StartsAt), EndsAt: wire.TimeOrNull(l.EndsAt),
		Instructor: l.Instructor, Space: l.Space, Spots: l.Spots, Problem: l.Problem, AddedPrice: l.AddedAmount,
		Price: l.ListedAmount, Discount: l.DiscountAmount, Discounts: wire.ShowDiscounts(l.Discounts), Tax: l.TaxAmount,
		Total: l.TotalAmount, Steps: wire.Show(l.Steps, showStep),
		Dates: wire.Show(l.Dates, wire.ShowCartDate),
	}
}

func showStep(s order.Step) PriceStep {
	return PriceStep{Kind: s.Kind, Label: s.Label, PPM: s.PPM, Amount: s.Amount, Included: s.Included}
}

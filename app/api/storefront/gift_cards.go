package storefront

import (
	"context"
	"reflect"
	"time"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/checkout"
	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/giftcard"
	"foyer/app/money"
	"foyer/app/order"
	"foyer/app/tenancy"
	"foyer/app/web/op"
	"foyer/billing/tender"
)

// GiftCardOffer are the terms of the gift cards that a location sells online.
type GiftCardOffer struct {
	Sold          bool           `json:"sold" doc:"Whether gift cards are sold online."`
	Currency      money.Currency `json:"currency" example:"USD"`
	Amounts       []int64        `json:"amounts" doc:"Suggested amounts, in minor units."`
	LeastAmount   int64          `json:"leastAmount" doc:"Smallest amount, in minor units."`
	MostAmount    int64          `json:"mostAmount" doc:"Largest amount, in minor units."`
	ExpiresMonths *int           `json:"expiresMonths" doc:"Months after which a gift card expires; null: never."`
}

// CartGiftCard is a gift card that pays for a cart.
type CartGiftCard struct {
	ID        uuid.UUID `json:"id"`
	Label     string    `json:"label" doc:"Last characters of its code." example:"•••• 7K2M"`
	Available int64     `json:"available" doc:"Amount available, in minor units."`
	Amount    int64     `json:"amount" doc:"Amount that it pays of this cart, in minor units."`
}

// GiftCardBalance is the balance of a gift card, for whoever has its code.
type GiftCardBalance struct {
	Balance   int64          `json:"balance" doc:"Balance in minor units."`
	Currency  money.Currency `json:"currency" example:"USD"`
	ExpiresAt *time.Time     `json:"expiresAt" doc:"When it expires; null: never."`
}

type giftCardCodeIn struct {
	CartPath
	Body giftCardCode
}

type giftCardCode struct {
	Code string `json:"code" minLength:"1" maxLength:"64" doc:"Code of the gift card, in any letter case, with or without hyphens."`
}

type removeGiftCardIn struct {
	CartPath
	ID uuid.UUID `query:"id" doc:"The gift card. The default is all of them."`
}

// giftCardBody is a gift card as an item of a cart.
type giftCardBody struct {
	Amount         int64      `json:"amount" minimum:"1" maximum:"99999999" doc:"Amount in minor units, within the limits of the location."`
	RecipientEmail string     `json:"recipientEmail" minLength:"3" maxLength:"254" doc:"Email address to which the code is sent."`
	RecipientName  string     `json:"recipientName,omitempty" maxLength:"120" doc:"Name of the recipient."`
	SenderName     string     `json:"senderName,omitempty" maxLength:"120" doc:"Name of the sender."`
	Message        string     `json:"message,omitempty" maxLength:"500" doc:"Message to the recipient."`
	Locale         string     `json:"locale,omitempty" maxLength:"20" doc:"Language of the email. The default is English." example:"de"`
	DeliverOn      civil.Date `json:"deliverOn,omitempty" format:"date" doc:"Day of the email, within a year. The default is at once."`
}

func (a *surface) giftCards() {
	op.Declare(a.Ops, op.Spec{
		ID: "getStorefrontGiftCards", Method: "GET", Path: "/storefront/locations/{id}/gift-cards", Tag: "storefront",
		Summary:     "Get the gift card terms of a location",
		Description: "Returns the amounts of the gift cards that the location sells online.",
		Access:      op.Public, Target: op.InLocation("id"), Rate: op.RateStorefront, Errors: []int{404},
	}, func(ctx context.Context, sc tenancy.Scope, _ *wire.Nothing) (GiftCardOffer, error) {
		t, err := a.GiftSales.OfferedAt(ctx, sc.Tenant, sc.Location)
		return GiftCardOffer{
			Sold: t.SoldOnline, Currency: t.Currency, Amounts: append([]int64{}, t.Amounts...), LeastAmount: t.LeastAmount,
			MostAmount: t.MostAmount, ExpiresMonths: t.ExpiresMonths,
		}, err
	})
	op.Declare(a.Ops, op.Spec{
		ID: "getGiftCardBalance", Method: "POST", Path: "/storefront/locations/{id}/gift-card-balance", Tag: "storefront",
		Summary: "Get the balance of a gift card",
		Description: "Returns the balance of the gift card with this code. A code that cannot be used, for any reason, is " +
			"refused with details.reason gift_card_unusable. A visitor can try 10 codes an hour.",
		Access: op.Public, Target: op.InLocation("id"), Rate: op.RateStorefrontWrite, NoReplay: true,
		Errors: []int{400, 404, 409},
	}, func(ctx context.Context, sc tenancy.Scope, in *wire.Body[giftCardCode]) (GiftCardBalance, error) {
		c, err := a.GiftSales.Balance(ctx, sc, in.Body.Code)
		return GiftCardBalance{Balance: c.Balance, Currency: c.Currency, ExpiresAt: wire.TimeOrNull(c.ExpiresAt)}, err
	})
	op.Declare(a.Ops, op.Spec{
		ID: "useCartGiftCard", Method: "PUT", Path: "/storefront/carts/{token}/gift-card", Tag: "storefront",
		Summary: "Apply a gift card to a cart",
		Description: "Pays the held cart with a gift card, or with one more: before account credit and a card, the one " +
			"that " +
			"expires first at first. It pays the full total if it suffices, and otherwise as much as leaves the minimum of a " +
			"card payment. A code that cannot be used here, for any reason, is refused with details.reason " +
			"gift_card_unusable. A visitor can try 10 codes an hour. Gift cards do not pay for gift cards. Returns the " +
			"updated cart.",
		Access: op.StorefrontSession, Target: op.InCart("token"), Rate: op.RateStorefrontWrite,
		Errors:  []int{400, 401, 404, 409},
		Several: "the attempt is counted even if the code is refused",
	}, func(ctx context.Context, sc tenancy.Scope, in *giftCardCodeIn) (Cart, error) {
		c, err := a.GiftSales.Use(ctx, sc, in.Token, in.Body.Code)
		return showCart(c), err
	})
	op.Declare(a.Ops, op.Spec{
		ID: "removeCartGiftCard", Method: "DELETE", Path: "/storefront/carts/{token}/gift-card", Tag: "storefront",
		Summary:     "Remove gift cards from a cart",
		Description: "Pays the cart without a gift card, or without all of them. Returns the updated cart.",
		Access:      op.StorefrontSession, Target: op.InCart("token"), Rate: op.RateStorefrontWrite,
		Errors:  []int{400, 401, 404, 409},
		Several: "each gift card is removed by itself",
	}, func(ctx context.Context, sc tenancy.Scope, in *removeGiftCardIn) (Cart, error) {
		c, err := a.GiftSales.Remove(ctx, sc, in.Token, in.ID)
		return showCart(c), err
	})
}

// addGiftCard adds a gift card to a cart.
func (a *surface) addGiftCard(ctx context.Context, sc tenancy.Scope, in *addItemIn) (Cart, error) {
	g := in.Body.GiftCard
	alone := in.Body
	alone.GiftCard = nil
	if !reflect.DeepEqual(alone, addItemBody{}) {
		return Cart{}, fault.Invalid("giftCard", "Send a gift card by itself.")
	}
	c, err := a.GiftSales.Add(ctx, sc, in.Token, giftcard.NewCard(*g))
	return showCart(c), err
}

// showGiftCards shows the gift cards that pay for a cart.
func showGiftCards(c checkout.Cart) []CartGiftCard {
	out := []CartGiftCard{}
	for _, s := range c.Sources {
		if s.Kind != tender.GiftCard {
			continue
		}
		card := CartGiftCard{ID: s.SourceID, Label: s.Label, Available: s.Amount}
		for _, p := range c.Totals.Prepaid {
			if p.SourceID == s.SourceID {
				card.Amount = p.Amount
			}
		}
		out = append(out, card)
	}
	return out
}

// giftCardOf returns the gift card of a line; nil for another kind.
func giftCardOf(kind order.Kind, subject uuid.UUID) *uuid.UUID {
	if kind != order.GiftCard {
		return nil
	}
	return &subject
}

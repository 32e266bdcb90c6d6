package operator

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/civil"
	giftcards "foyer/app/giftcard"
	"foyer/app/money"
	"foyer/app/paging"
	"foyer/app/tenancy"
	"foyer/app/web/op"
	"foyer/billing/giftcard"
	"foyer/billing/tender"
)

// GiftCard is a gift card that was sold. Its code is not stored.
type GiftCard struct {
	ID             uuid.UUID      `json:"id"`
	LocationID     uuid.UUID      `json:"locationId" doc:"Location that sold it. It pays at every location with its currency."`
	Currency       money.Currency `json:"currency" example:"USD"`
	Amount         int64          `json:"amount" doc:"Amount it was sold for, in minor units."`
	Balance        int64          `json:"balance" doc:"Balance in minor units."`
	Last4          string         `json:"last4" doc:"Last four characters of its code." example:"7K2M"`
	RecipientName  string         `json:"recipientName" doc:"Name of the recipient; may be empty."`
	RecipientEmail string         `json:"recipientEmail" doc:"Email address to which the code is sent; empty if it was handed over."`
	SenderName     string         `json:"senderName" doc:"Name of the sender; may be empty."`
	Message        string         `json:"message" doc:"Message to the recipient; may be empty."`
	DeliverAt      *time.Time     `json:"deliverAt" doc:"When it can be used and is sent; null: at once."`
	SentAt         *time.Time     `json:"sentAt" doc:"When its code was sent; null if it was not."`
	ExpiresAt      *time.Time     `json:"expiresAt" doc:"When it expires; null: never."`
	CreatedAt      time.Time      `json:"createdAt" doc:"When it was sold."`
}

// GiftCardTransaction is one immutable change of the balance of a gift card.
type GiftCardTransaction struct {
	ID         uuid.UUID     `json:"id"`
	LocationID uuid.UUID     `json:"locationId"`
	Kind       giftcard.Kind `json:"kind" doc:"Kind of transaction. sold: its amount was paid. spent: used for a payment. refunded: such a payment was refunded. returned: its own purchase was refunded. restored: such a refund failed. adjusted: by staff. expired: the balance lapsed."`
	Amount     int64         `json:"amount" doc:"Amount in minor units; negative if it reduces the balance."`
	Balance    int64         `json:"balance" doc:"Balance after the transaction."`
	PaymentID  *uuid.UUID    `json:"paymentId" doc:"The payment made with it."`
	RefundID   *uuid.UUID    `json:"refundId" doc:"The refund."`
	Note       string        `json:"note" doc:"Note; may be empty."`
	By         string        `json:"by" doc:"Name of the actor; may be empty."`
	CreatedAt  time.Time     `json:"createdAt"`
}

// GiftCardTerms are the terms of the gift cards that a location sells.
type GiftCardTerms struct {
	SoldOnline    bool           `json:"soldOnline" doc:"Whether gift cards are sold online."`
	Currency      money.Currency `json:"currency" example:"USD"`
	Amounts       []int64        `json:"amounts" doc:"Suggested amounts, in minor units."`
	LeastAmount   int64          `json:"leastAmount" doc:"Smallest amount, in minor units."`
	MostAmount    int64          `json:"mostAmount" doc:"Largest amount, in minor units."`
	ExpiresMonths *int           `json:"expiresMonths" doc:"Months after which a gift card expires; null: never."`
	Version       int64          `json:"version" doc:"Version, for the next update."`
}

// GiftCardPath names a gift card of a business.
type GiftCardPath struct {
	GiftCardID uuid.UUID `path:"giftCardId" doc:"The gift card."`
}

type listGiftCardsIn struct {
	op.Page
	Last4      string    `query:"last4" maxLength:"4" doc:"Only the gift cards whose code ends with these characters."`
	LocationID uuid.UUID `query:"locationId" doc:"Only the gift cards that this location sold."`
}

type listGiftCardTransactionsIn struct {
	GiftCardPath
	op.Page
}

type giftCardCodeBody struct {
	Code string `json:"code" minLength:"1" maxLength:"64" doc:"Code of the gift card."`
}

type adjustGiftCardIn struct {
	GiftCardPath
	Body adjustGiftCardBody
}

type adjustGiftCardBody struct {
	Amount int64  `json:"amount" minimum:"-99999999" maximum:"99999999" doc:"Amount in minor units: positive adds to the balance, negative reduces it."`
	Note   string `json:"note" minLength:"1" maxLength:"500" doc:"Reason for the adjustment."`
}

type sendGiftCardIn struct {
	GiftCardPath
	Body sendGiftCardBody
}

type sendGiftCardBody struct {
	Email string `json:"email,omitempty" maxLength:"254" doc:"Email address. The default is the address that it was sent to."`
}

type setGiftCardTermsBody struct {
	SoldOnline    bool    `json:"soldOnline" doc:"Whether gift cards are sold online."`
	Amounts       []int64 `json:"amounts,omitempty" maxItems:"12" minimum:"1" maximum:"99999999" doc:"Suggested amounts, in minor units."`
	LeastAmount   int64   `json:"leastAmount" minimum:"1" maximum:"99999999" doc:"Smallest amount, in minor units."`
	MostAmount    int64   `json:"mostAmount" minimum:"1" maximum:"99999999" doc:"Largest amount, in minor units."`
	ExpiresMonths *int    `json:"expiresMonths,omitempty" minimum:"1" maximum:"240" doc:"Months after which gift cards sold from now on expire. Only in countries whose law allows it. The default is never."`
	Version       int64   `json:"version" minimum:"1" doc:"Version of the terms that were read."`
}

// SoldGiftCard is a gift card that was sold at the desk.
type SoldGiftCard struct {
	GiftCard     GiftCard  `json:"giftCard" doc:"The gift card."`
	Code         string    `json:"code" doc:"Its code, to hand over. It is returned only once; empty if it is sent by email."`
	ChangeAmount int64     `json:"changeAmount" doc:"Change for the customer in cash, in minor units."`
	CustomerID   uuid.UUID `json:"customerId" doc:"The customer who bought it."`
	ReceiptToken string    `json:"receiptToken" doc:"Token of the order's receipt."`
}

type createGiftCardBody struct {
	LocationID     uuid.UUID   `json:"locationId" doc:"Location that sells it."`
	CustomerID     uuid.UUID   `json:"customerId,omitempty" doc:"The customer who buys it. The default is a walk-in."`
	Amount         int64       `json:"amount" minimum:"1" maximum:"99999999" doc:"Amount in minor units of the location's currency."`
	Method         tender.Kind `json:"method" doc:"Payment method: cash, other or account_credit."`
	Received       int64       `json:"receivedAmount,omitempty" minimum:"1" maximum:"9007199254740991" doc:"Cash that the customer hands over, in minor units: the amount or more."`
	Note           string      `json:"note,omitempty" maxLength:"500" doc:"Note, such as the number of the terminal receipt."`
	RecipientEmail string      `json:"recipientEmail,omitempty" maxLength:"254" doc:"Email address to which the code is sent. The default is to hand it over."`
	RecipientName  string      `json:"recipientName,omitempty" maxLength:"120" doc:"Name of the recipient."`
	SenderName     string      `json:"senderName,omitempty" maxLength:"120" doc:"Name of the sender."`
	Message        string      `json:"message,omitempty" maxLength:"500" doc:"Message to the recipient."`
	Locale         string      `json:"locale,omitempty" maxLength:"20" doc:"Language of the email. The default is English." example:"de"`
	DeliverOn      civil.Date  `json:"deliverOn,omitempty" format:"date" doc:"Day of the email, within a year. The default is at once."`
}

func (a *surface) giftCards() {
	declare(a, op.Spec{
		ID: "createGiftCard", Method: "POST", Path: "/businesses/{businessId}/gift-cards", Tag: "commerce",
		Feature: "payment.take",
		Success: 201, Summary: "Sell a gift card at the desk",
		Description: "Sells a gift card for cash, by another method of the studio's own, or for account credit. Its code " +
			"is " +
			"returned once, or sent by email. It is not taxed: what it pays for is." +
			wire.Refuses("insufficient_credit"),
	}, a.createGiftCard)
	declare(a, op.Spec{
		ID: "listGiftCards", Method: "GET", Path: "/businesses/{businessId}/gift-cards", Tag: "commerce",
		Feature: "payment.view",
		Summary: "List gift cards",
		Description: "Returns the gift cards that were sold, latest first: those of the locations where the caller has " +
			"payment.view; of today only, where that is limited.",
	}, wire.Filtered(a.Cursors, "gift-cards", a.GiftCards.List, showGiftCard,
		func(_ tenancy.Scope, in *listGiftCardsIn, page paging.In[paging.Moment]) giftcard.ListInput {
			return giftcard.ListInput{Last4: in.Last4, Location: in.LocationID, Page: page}
		}))
	declare(a, op.Spec{
		ID: "getGiftCard", Method: "GET", Path: "/businesses/{businessId}/gift-cards/{giftCardId}", Tag: "commerce",
		Feature: "payment.view", Summary: "Get a gift card", Description: "Returns a gift card that was sold.",
	}, func(ctx context.Context, sc tenancy.Scope, in *GiftCardPath) (GiftCard, error) {
		c, err := a.GiftCards.Get(ctx, sc, in.GiftCardID)
		return showGiftCard(c), err
	})
	declare(a, op.Spec{
		ID: "listGiftCardTransactions", Method: "GET", Path: "/businesses/{businessId}/gift-cards/{giftCardId}/transactions",
		Tag: "commerce", Feature: "payment.view", Summary: "List the transactions of a gift card",
		Description: "Returns every change of the balance of a gift card, latest first.",
	}, wire.Filtered(a.Cursors, "gift-card-transactions", a.giftCardTransactions, showGiftCardTransaction,
		func(_ tenancy.Scope, in *listGiftCardTransactionsIn, page paging.In[paging.Moment]) giftCardTransactionsOf {
			return giftCardTransactionsOf{in.GiftCardID, page}
		}))
	declare(a, op.Spec{
		ID: "findGiftCard", Method: "POST", Path: "/businesses/{businessId}/gift-cards/lookup", Tag: "commerce",
		Feature: "payment.take", NoReplay: true, Summary: "Find a gift card by its code",
		Description: "Returns the gift card with this code, in any state." + wire.Refuses("gift_card_unusable"),
		Errors:      []int{400, 401, 403, 404, 409},
	}, func(ctx context.Context, sc tenancy.Scope, in *wire.Body[giftCardCodeBody]) (GiftCard, error) {
		c, err := a.GiftCards.ByCode(ctx, sc, in.Body.Code)
		return showGiftCard(c), err
	})
	declare(a, op.Spec{
		ID: "adjustGiftCard", Method: "POST", Path: "/businesses/{businessId}/gift-cards/{giftCardId}/adjust",
		Tag:     "commerce",
		Feature: "balance.adjust", Summary: "Adjust the balance of a gift card",
		Description: "Adds to the balance of a gift card or reduces it, with a reason. The transaction is immutable: " +
			"correct " +
			"a mistake with another one." + wire.Refuses("gift_card_short") + " details.balance is the amount that is free.",
	}, func(ctx context.Context, sc tenancy.Scope, in *adjustGiftCardIn) (GiftCard, error) {
		c, err := a.GiftCards.Adjust(ctx, sc, giftcard.AdjustInput{
			ID: in.GiftCardID, Amount: in.Body.Amount, Note: in.Body.Note,
		})
		return showGiftCard(c), err
	})
	declare(a, op.Spec{
		ID: "sendGiftCard", Method: "POST", Path: "/businesses/{businessId}/gift-cards/{giftCardId}/send", Tag: "commerce",
		Feature: "payment.take", Summary: "Send a gift card again",
		Description: "Replaces the code of a gift card and sends the new one by email. The previous code can no longer be " +
			"used." + wire.Refuses("gift_card_not_sent"),
	}, func(ctx context.Context, sc tenancy.Scope, in *sendGiftCardIn) (GiftCard, error) {
		c, err := a.GiftCards.Send(ctx, sc, giftcard.SendInput{ID: in.GiftCardID, Email: in.Body.Email})
		return showGiftCard(c), err
	})
	declare(a, op.Spec{
		ID: "getGiftCardTerms", Method: "GET", Path: "/locations/{id}/gift-card-terms", Tag: "locations",
		Feature: "location.view",
		Summary: "Get the gift card terms", Description: "Returns the terms of the gift cards that the location sells.",
	}, wire.AtLocation(a.GiftCards.TermsOf, showGiftCardTerms))
	declare(a, op.Spec{
		ID: "setGiftCardTerms", Method: "PUT", Path: "/locations/{id}/gift-card-terms", Tag: "locations",
		Feature: "location.manage",
		Summary: "Replace the gift card terms",
		Description: "Replaces the terms of the gift cards that the location sells from now on. Gift cards that were sold " +
			"keep theirs.",
	}, func(ctx context.Context, sc tenancy.Scope, in *wire.Body[setGiftCardTermsBody]) (GiftCardTerms, error) {
		b := in.Body
		t, err := a.GiftCards.SetTerms(ctx, sc, giftcard.SetTermsInput{
			LocationID: sc.Location, Version: b.Version, SoldOnline: b.SoldOnline, Amounts: b.Amounts,
			LeastAmount: b.LeastAmount, MostAmount: b.MostAmount, ExpiresMonths: b.ExpiresMonths,
		})
		return showGiftCardTerms(t), err
	})
}

func (a *surface) createGiftCard(
	ctx context.Context, sc tenancy.Scope, in *wire.Body[createGiftCardBody],
) (SoldGiftCard, error) {
	b := in.Body
	got, err := a.GiftSales.Issue(ctx, sc, giftcards.IssueInput{
		NewCard: giftcards.NewCard{
			Amount: b.Amount, RecipientEmail: b.RecipientEmail, RecipientName: b.RecipientName, SenderName: b.SenderName,
			Message: b.Message, Locale: b.Locale, DeliverOn: b.DeliverOn,
		},
		LocationID: b.LocationID, CustomerID: b.CustomerID, Method: b.Method, Received: b.Received, Note: b.Note,
	})
	return SoldGiftCard{
		GiftCard: showGiftCard(got.Card), Code: got.Code, ChangeAmount: got.Sale.ChangeAmount,
		CustomerID:   got.Sale.CustomerID,
		ReceiptToken: a.Orders.ReceiptToken(got.Sale.OrderID),
	}, err
}

// giftCardTransactionsOf is the input of a page of a gift card's transactions.
type giftCardTransactionsOf struct {
	card uuid.UUID
	page paging.In[paging.Moment]
}

func (a *surface) giftCardTransactions(
	ctx context.Context, sc tenancy.Scope, of giftCardTransactionsOf,
) (paging.Page[giftcard.Transaction, paging.Moment], error) {
	return a.GiftCards.Transactions(ctx, sc, of.card, of.page)
}

func showGiftCard(c giftcard.Card) GiftCard {
	return GiftCard{
		ID: c.ID, LocationID: c.LocationID, Currency: c.Currency, Amount: c.Amount, Balance: c.Balance, Last4: c.Last4,
		RecipientName: c.RecipientName, RecipientEmail: c.RecipientEmail, SenderName: c.SenderName, Message: c.Message,
		DeliverAt: wire.TimeOrNull(c.DeliverAt), SentAt: wire.TimeOrNull(c.SentAt), ExpiresAt: wire.TimeOrNull(c.ExpiresAt),
		CreatedAt: c.IssuedAt,
	}
}

func showGiftCardTransaction(t giftcard.Transaction) GiftCardTransaction {
	return GiftCardTransaction{
		ID: t.ID, LocationID: t.LocationID, Kind: t.Kind, Amount: t.Amount, Balance: t.Balance, PaymentID: t.TenderID,
		RefundID: t.RefundID, Note: t.Note, By: t.ActorName, CreatedAt: t.CreatedAt,
	}
}

func showGiftCardTerms(t giftcard.Terms) GiftCardTerms {
	return GiftCardTerms{
		SoldOnline: t.SoldOnline, Currency: t.Currency, Amounts: append([]int64{}, t.Amounts...), LeastAmount: t.LeastAmount,
		MostAmount: t.MostAmount, ExpiresMonths: t.ExpiresMonths, Version: t.Version,
	}
}

package view

import (
	"strings"
	"time"

	"foyer/app/giftcard"
	"foyer/app/order"
)

// GiftCard is a gift card with its code, in the mail to its recipient.
type GiftCard struct {
	Code      string // in groups of four
	Amount    Price
	To, By    string // may be empty
	Message   string // of the sender; may be empty
	ExpiresAt time.Time
	Link      string // absolute address of the studio's pages
}

// GiftCardLetter is the mail with a gift card.
func GiftCardLetter(f From, c GiftCard) Letter {
	title := f.T("A gift card for you")
	subject := f.T("Your gift card for {studio}", "studio", f.named())
	if c.By != "" {
		subject = f.T("A gift card for {studio} from {sender}", "studio", f.named(), "sender", c.By)
	}
	worth := f.T("This gift card for {studio} is worth {amount}.", "studio", f.named(), "amount", f.Money(c.Amount))
	var words []string
	if c.To != "" {
		words = append(words, f.T("To {name}", "name", c.To))
	}
	if c.Message != "" {
		words = append(words, c.Message)
	}
	if c.By != "" {
		words = append(words, f.T("From {name}", "name", c.By))
	}
	words = append(words, worth, f.T("Code: {code}", "code", c.Code),
		f.T("Enter the code when you pay online, or show it at the studio. You can use the amount in parts."))
	if !c.ExpiresAt.IsZero() {
		words = append(words, f.GiftCardEnds(c.ExpiresAt))
	}
	return f.notice(subject, worth, Notice{
		Title: title, Words: words, Button: f.T("Find a class"), Link: c.Link,
		Last: f.T("Anyone with this code can pay with it. Keep it like cash."),
	})
}

// ItemName is the name of an item or a line without a seat: that of a gift card is in the language of the reader.
func (w Words) ItemName(kind order.Kind, label string) string {
	if rest, ok := strings.CutPrefix(label, giftcard.Name); ok && kind == order.GiftCard {
		return w.T("Gift card") + rest
	}
	return label
}

// GiftCardNamed names a gift card by the label of its tender: "Gift card •••• 7K2M".
func (w Words) GiftCardNamed(label string) string { return Joined(" ", w.T("Gift card"), label) }

// GiftCardEnds says until when a gift card can be used: its last day.
func (w Words) GiftCardEnds(expires time.Time) string {
	return w.T("It can be used until {date}.", "date", w.Date(expires.Add(-time.Second)))
}

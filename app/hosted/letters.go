package hosted

import (
	"strings"
	"time"

	"foyer/app/business"
	"foyer/app/checkout"
	"foyer/app/clock"
	"foyer/app/identity"
	"foyer/app/mail"
	"foyer/app/schedule"
	"foyer/app/view"
)

// Letters writes the mails whose links lead to these pages. build.go hands its methods to the domains that send them.
type Letters struct {
	BaseURL string // as web.Options.BaseURL
	Clock   clock.Clock
}

func send(to string, l view.Letter) mail.Message {
	return mail.Message{To: to, Subject: l.Subject, Text: l.Text, HTML: l.HTML}
}

// Code is identity.Options.CodeMail.
func (w Letters) Code(c identity.Code) mail.Message {
	now := w.Clock.Now()
	from := view.From{Words: view.Words{Locale: c.Locale, Now: now}}
	return send(c.To, view.CodeLetter(from, c.Code, identity.CodeLife))
}

// TeamInvite is business.Options.InviteMail.
func (w Letters) TeamInvite(t business.TeamInvite) mail.Message {
	from := view.From{Words: view.Words{Locale: t.Locale, Now: w.Clock.Now()}, Studio: t.Business}
	return send(t.To, view.JoinedLetter(from, view.Joined{Name: t.Name, Access: t.Access, Link: w.BaseURL + "/my/sign-in"}))
}

// Booked is checkout.Options.ConfirmationMail.
func (w Letters) Booked(c checkout.Confirmation) mail.Message {
	from := w.from(c.Receipt)
	r := receiptOf(from.Words, c.Receipt)
	return send(c.To, view.BookedLetter(from, view.Booked{
		Order: r.Order, Number: r.Number, PaidWith: r.PaidWith, Address: r.Address,
		Receipt: w.BaseURL + "/receipt/" + c.Token, Mine: w.BaseURL + "/my",
	}))
}

// Refunded is checkout.Options.RefundMail.
func (w Letters) Refunded(m checkout.LateRefund) mail.Message {
	from, back := w.from(m.Receipt), view.Refunded{
		Amount: view.Price{Minor: m.Amount, Currency: m.Currency},
		For:    sold(m.Receipt.Lines),
		To:     "the card you paid with",
		Why:    "Your payment arrived after the time we could keep your spot, and the class was full by then.",
	}
	if m.Token != "" {
		back.Receipt = w.BaseURL + "/receipt/" + m.Token
	}
	if card := m.Receipt.Card; card != nil {
		back.To = cardName(card.Brand) + " ending " + card.Last4
	}
	return send(m.To, view.RefundLetter(from, back))
}

// from is the studio of a receipt, writing on its own wall clock.
func (w Letters) from(r checkout.Receipt) view.From {
	locale := "en"
	if r.Address.Country != "" {
		locale = "en-" + r.Address.Country
	}
	zone, err := schedule.LoadZone(r.Zone)
	if err != nil {
		zone = time.UTC // the zone was checked when it was saved; a letter late in UTC beats none
	}
	return view.From{
		Words:  view.Words{Locale: locale, Zone: zone, Now: w.Clock.Now()},
		Studio: r.BusinessName, Foot: strings.TrimSpace(r.BusinessName + ", " + addressLine(r.Address)),
	}
}

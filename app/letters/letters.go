package letters

import (
	"context"
	"net/url"
	"time"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/checkout"
	"foyer/app/civil"
	"foyer/app/clock"
	"foyer/app/identity"
	"foyer/app/mail"
	"foyer/app/pg"
	"foyer/app/view"
)

// Letters writes the mails, in the words and figures of the pages that their links lead to. app/assembly hands its methods to
// the domains that send them.
type Letters struct {
	BaseURL string // as web.Options.BaseURL
	Clock   clock.Clock
}

// Code is identity.Options.CodeMail.
func (w Letters) Code(c identity.Code) mail.Message {
	from := view.From{
		Words: view.WordsAt(c.Locale, c.Studio.Country, time.UTC, w.Clock.Now()), Studio: c.Studio.Name, Accent: c.Studio.Accent, Foot: c.Studio.Foot,
	}
	return letter(c.To, from, view.CodeLetter(from, c.Code, identity.CodeLife))
}

// Studio is identity.Options.Studio.
func Studio(db *pg.DB) func(context.Context, identity.Location) (identity.Studio, error) {
	return func(ctx context.Context, at identity.Location) (identity.Studio, error) {
		b, l, _, err := business.StudioOf(ctx, db.View(at.Business), at.Location)
		if err != nil {
			return identity.Studio{}, err
		}
		return identity.Studio{
			Name: b.Name, Accent: l.Branding.Accent, Country: l.Address.Country,
			Foot: view.Joined(", ", view.Elsewhere(b.Name, l.Name), view.AddressLine(l.Address)),
		}, nil
	}
}

// TeamInvite is business.Options.InviteMail.
func (w Letters) TeamInvite(t business.TeamInvite) mail.Message {
	from := view.From{Words: view.Words{Locale: t.Locale, Now: w.Clock.Now()}, Studio: t.Business}
	signIn := ""
	if t.Access {
		signIn = w.BaseURL + "/my/sign-in"
	}
	return letter(t.To, from, view.JoinedLetter(from, t.Name, signIn))
}

// Booked is checkout.Options.ConfirmationMail.
func (w Letters) Booked(c checkout.Confirmation) mail.Message {
	from := w.from(c.Locale, c.Receipt)
	link := w.BaseURL + "/receipt/" + c.Token
	events := ReceiptEvents(from.Words, c.Receipt, link)
	booked := view.Booked{Receipt: view.ReceiptOf(from.Words, c.Receipt), Link: link, Change: w.BaseURL + "/my", Add: Links(events, from.Now)}
	if lines := c.Receipt.Lines; len(lines) == 1 {
		booked.Change = w.booking(lines[0].BookingID)
	}
	booked.Notes = nil // what became of the payment stands on the receipt's own page
	if booked.Asked {
		booked.Notes = []string{from.AskedOf(c.Receipt)}
	}
	m := letter(c.To, from, view.BookedLetter(from, booked))
	m.Files = Files(w.host(), events)
	return m
}

// Refunded is checkout.Options.RefundMail.
func (w Letters) Refunded(m checkout.LateRefund) mail.Message {
	from := w.from(m.Locale, m.Receipt)
	back := view.Refunded{
		Amount: view.Price{Minor: m.Amount, Currency: m.Currency},
		For:    view.Sold(from.Words, m.Receipt.Lines),
		To:     from.T("the card you paid with"),
		Why:    whyBack(from, m),
	}
	if lines := m.Receipt.Lines; len(lines) == 1 {
		when := from.ShortWhen(lines[0].StartsAt)
		if len(lines[0].Dates) > 0 {
			when = from.Dates(view.BookedDates(from.Words, lines[0].Dates, lines[0].State))
		}
		back.For += ", " + when
	}
	if card := m.Receipt.Card; card != nil {
		back.To = from.CardName(*card)
	}
	if m.Token != "" {
		back.Receipt = w.BaseURL + "/receipt/" + m.Token
	}
	return letter(m.To, from, view.RefundLetter(from, back))
}

// whyBack is why a payment goes back, with what is booked all the same.
func whyBack(from view.From, m checkout.LateRefund) string {
	stands := m.Stands
	switch {
	case m.Receipt.Lines[0].Fee != "":
		return from.T("You did not owe this fee any more when your payment came.")
	case m.Receipt.Desk:
		return from.T("You did not owe this any more when your payment came.")
	case stands == nil:
		return from.T("Your payment came after the time for which we keep spots, and by then they were taken, or the time had been changed. Nothing is booked.")
	case stands.DueAmount > 0:
		return from.T("Your payment came after you had chosen to pay at the studio. Your booking stands. To pay at the studio: {amount}.",
			"amount", from.Money(view.Price{Minor: stands.DueAmount, Currency: stands.Totals.Currency}))
	}
	return from.T("Your payment came after you had paid in another way. Your booking stands, and nothing more is to be paid.")
}

// letter is a mail that a studio's name is on, where it comes from one.
func letter(to string, from view.From, l view.Letter) mail.Message {
	return mail.Message{To: to, From: from.Studio, Subject: l.Subject, Text: l.Text, HTML: l.HTML}
}

// from is the studio of a receipt, which writes on the wall clock of its location.
func (w Letters) from(language string, r checkout.Receipt) view.From {
	return view.From{
		Words: view.WordsAt(language, r.Address.Country, civil.ZoneOrUTC(r.Zone), w.Clock.Now()), Studio: r.BusinessName, Accent: r.Accent,
		Foot: view.Joined(", ", view.Elsewhere(r.BusinessName, r.LocationName), view.AddressLine(r.Address)),
	}
}

// booking is the page of a customer's own booking, where it can be moved and cancelled.
func (w Letters) booking(id uuid.UUID) string { return w.BaseURL + "/my/bookings/" + id.String() }

// agreements is where a customer agrees to what a business asks for what they have booked there.
func (w Letters) agreements(business uuid.UUID) string {
	return w.BaseURL + "/my/agreements/" + business.String()
}

// host is where the product lives, for the ids of calendar files: the one that the pages name.
func (w Letters) host() string {
	u, err := url.Parse(w.BaseURL)
	if err != nil {
		return w.BaseURL // checked at start
	}
	return u.Hostname()
}

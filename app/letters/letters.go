package letters

import (
	"context"
	"net/url"
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/civil"
	"foyer/app/clock"
	"foyer/app/identity"
	"foyer/app/mail"
	"foyer/app/order"
	"foyer/app/pg"
	"foyer/app/view"
)

// Letters writes the mails, with the texts and figures of the linked pages. app/assembly passes its methods to the
// domains that send them.
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
			Foot: view.Joined(", ", view.LocationSuffix(b.Name, l.Name), view.AddressLine(l.Address)),
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

// Booked is order.Options.ConfirmationMail.
func (w Letters) Booked(c order.Confirmation) mail.Message {
	from := w.from(c.Locale, c.Receipt)
	link := w.BaseURL + "/receipt/" + c.Token
	events := ReceiptEvents(from.Words, c.Receipt, link)
	booked := view.Booked{Receipt: view.ReceiptOf(from.Words, c.Receipt), Link: link, Change: w.BaseURL + "/my", Add: Links(events, from.Now)}
	if lines := c.Receipt.Lines; len(lines) == 1 && lines[0].Kind.Seat() {
		booked.Change = w.booking(lines[0].BookingID)
	}
	if !slices.ContainsFunc(c.Receipt.Lines, func(l order.ReceiptLine) bool { return l.Kind.Seat() }) {
		booked.Change = ""
	}
	if booked.SellsPlan {
		booked.Plans = w.BaseURL + "/my/plans"
	}
	booked.Notes = nil // the receipt's own page has the state of the payment
	if booked.Requested {
		booked.Notes = []string{from.RequestedOf(c.Receipt)}
	}
	m := letter(c.To, from, view.BookedLetter(from, booked))
	m.Files = Files(w.host(), events)
	return m
}

// Refunded is order.Options.RefundMail.
func (w Letters) Refunded(m order.LateRefund) mail.Message {
	from := w.from(m.Locale, m.Receipt)
	back := view.Refunded{
		Amount: view.Price{Minor: m.Amount, Currency: m.Currency},
		For:    view.Sold(from.Words, m.Receipt.Lines),
		To:     from.T("the card you paid with"),
		Why:    whyBack(from, m),
	}
	if lines := m.Receipt.Lines; len(lines) == 1 && !lines[0].StartsAt.IsZero() {
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

// whyBack is the reason of a refund, with the bookings that stand all the same.
func whyBack(from view.From, m order.LateRefund) string {
	stands := m.Stands
	switch {
	case m.Receipt.OfFee():
		return from.T("This fee was no longer due when your payment arrived.")
	case m.Receipt.Desk:
		return from.T("This was no longer due when your payment arrived.")
	case stands == nil:
		return from.T("Your payment arrived after your hold had expired. By then the spots were gone, or the time had changed. Nothing is booked.")
	case stands.DueAmount > 0:
		return from.T("Your payment arrived after you had chosen to pay at the studio. Your booking is unchanged. Due at the studio: {amount}.",
			"amount", from.Money(view.Price{Minor: stands.DueAmount, Currency: stands.Totals.Currency}))
	}
	return from.T("Your payment arrived after you had already paid another way. Your booking is unchanged, and nothing more is due.")
}

// letter is a mail with the studio's name as its sender, if there is one.
func letter(to string, from view.From, l view.Letter) mail.Message {
	return mail.Message{To: to, From: from.Studio, Subject: l.Subject, Text: l.Text, HTML: l.HTML}
}

// from is the studio of a receipt as a sender, on the wall clock of its location.
func (w Letters) from(language string, r order.Receipt) view.From {
	return view.From{
		Words: view.WordsAt(language, r.Address.Country, civil.ZoneOrUTC(r.Zone), w.Clock.Now()), Studio: r.BusinessName, Accent: r.Accent,
		Foot: view.Joined(", ", view.LocationSuffix(r.BusinessName, r.LocationName), view.AddressLine(r.Address)),
	}
}

// booking is the page of a customer's own booking, to reschedule or cancel it.
func (w Letters) booking(id uuid.UUID) string { return w.BaseURL + "/my/bookings/" + id.String() }

// agreements is the page of the agreements that a business requires for a customer's bookings there.
func (w Letters) agreements(business uuid.UUID) string {
	return w.BaseURL + "/my/agreements/" + business.String()
}

// host is the product's host, for the ids of calendar files: the one in the pages' addresses.
func (w Letters) host() string {
	u, err := url.Parse(w.BaseURL)
	if err != nil {
		return w.BaseURL // checked at start
	}
	return u.Hostname()
}

package apptest

import (
	"fmt"
	"time"

	"foyer/app/business"
	"foyer/app/giftcard"
	"foyer/app/identity"
	"foyer/app/mail"
	"foyer/app/notice"
	"foyer/app/order"
	"foyer/app/owed"
	"foyer/app/pg"
	"foyer/app/plan"
	"foyer/app/waitlist"
)

// Secrets is Secret for every purpose: assembly.Settings.Secret.
func Secrets(string) []byte { return Secret }

// Letters writes the shortest mails: assembly.Settings.Letters. The subject names the event.
type Letters struct{}

// Code returns a mail with the code as its subject.
func (Letters) Code(c identity.Code) mail.Message {
	return mail.Message{To: c.To, Subject: c.Code, Text: c.Name + " " + c.Locale + " " + c.Code}
}

// TeamInvite returns a mail with the business as its subject.
func (Letters) TeamInvite(i business.TeamInvite) mail.Message {
	return mail.Message{To: i.To, Subject: i.Business, Text: i.Name + " " + i.Locale + " " + i.Slug}
}

// Waitlist returns a mail with the token of the entry as its text.
func (Letters) Waitlist(l waitlist.Letter) mail.Message {
	return mail.Message{To: l.Recipient.Email, Subject: "waitlist " + string(l.Letter), Text: l.Token}
}

// Notice is a mail about a booking.
func (Letters) Notice(n notice.Notice) mail.Message {
	m := mail.Message{To: n.To, Subject: string(n.Kind), Text: fmt.Sprintf("%s %s back %d fee %d: %s",
		n.Locale, n.Booking.StartsAt.Format(time.RFC3339), n.RefundAmount, n.FeeAmount, n.Words)}
	if n.LostPlan != "" {
		m.Text += fmt.Sprintf(" lost %d of %s", n.LostCredits, n.LostPlan)
	}
	return m
}

// Team is a mail about a date to a member of the team.
func (Letters) Team(n notice.TeamNotice) mail.Message {
	return mail.Message{To: n.To, Subject: string(n.What), Text: n.OfferingName + " " + n.StartsAt.Format(time.RFC3339)}
}

// Dispute is a mail about a dispute.
func (Letters) Dispute(n notice.DisputeNotice) mail.Message {
	return mail.Message{To: n.To, Subject: "dispute " + string(n.What), Text: fmt.Sprintf("%s %s %d of %s for %s, fee back %d, by %s", n.Locale,
		n.Dispute.Status, n.Dispute.Amount, n.Customer, n.For, n.Dispute.FeeRefunded, n.Dispute.EvidenceDueBy.Format(time.RFC3339))}
}

// Account is a mail about the account at the processor.
func (Letters) Account(n notice.AccountNotice) mail.Message {
	return mail.Message{To: n.To, Subject: "account " + string(n.Account.State), Text: fmt.Sprintf("%s %v", n.Account.Trouble(), n.Account.Due)}
}

// Booked returns a mail with the token of the receipt at the end of its text, as those of the other two do.
func (Letters) Booked(c order.Confirmation) mail.Message {
	return mail.Message{To: c.To, Subject: "booked", Text: c.Name + " " + c.Locale + " " + c.Token}
}

// Refunded is a mail about money that came too late.
func (Letters) Refunded(r order.LateRefund) mail.Message {
	m := mail.Message{To: r.To, Subject: "refunded", Text: r.Name + " " + r.Locale + " " + r.Token}
	if r.Stands != nil {
		m.Subject = "refunded, and booked"
	}
	return m
}

// Fee is a mail about a fee.
func (Letters) Fee(f owed.ChargeMail) mail.Message {
	subject := "fee charged"
	if f.Failed {
		subject = "fee not charged"
	}
	if f.NoCard {
		subject = "rest asked for"
	}
	return mail.Message{To: f.To, Subject: subject, Text: f.Name + " " + f.Locale + " " + f.Token}
}

// GiftCard is a mail with the code of a gift card at the end of its text.
func (Letters) GiftCard(c giftcard.Letter) mail.Message {
	return mail.Message{To: c.RecipientEmail, Subject: "gift card", Text: c.SenderName + " " + c.Locale + " " +
		c.Code.Reveal()}
}

// PlanEnds is a mail about a plan, named by its event.
func (Letters) PlanEnds(r plan.Reminder) mail.Message {
	subject := "plan ends"
	if r.Event != plan.EndsSoon {
		subject = "plan " + string(r.Event)
	}
	return mail.Message{To: r.To, Subject: subject, Text: fmt.Sprint(r.Name, " ", r.LastDay, " ", r.Credits)}
}

// Links are Letters with the link of the page in mails about money.
type Links struct {
	Letters
	BaseURL string
}

// Booked leads to the receipt.
func (l Links) Booked(c order.Confirmation) mail.Message {
	return mail.Message{To: c.To, Subject: "booked", Text: l.BaseURL + "/receipt/" + c.Token}
}

// Refunded leads to the receipt.
func (l Links) Refunded(r order.LateRefund) mail.Message {
	return mail.Message{To: r.To, Subject: "refunded", Text: l.BaseURL + "/receipt/" + r.Token}
}

// Fee leads to the receipt, or to where it is paid.
func (l Links) Fee(f owed.ChargeMail) mail.Message {
	return mail.Message{To: f.To, Subject: "fee", Text: l.BaseURL + "/receipt/" + f.Token + map[bool]string{true: "/pay"}[f.Failed || f.NoCard]}
}

// Accounting has the name of the company.
func (Letters) Accounting(n notice.AccountingNotice) mail.Message {
	return mail.Message{To: n.To, Subject: "accounting", Text: n.CompanyName}
}

// NoticeOptions returns the options of a notice service for tests.
func NoticeOptions(db *pg.DB, sender mail.Sender) notice.Options {
	var l Letters
	return notice.Options{
		DB: db, Mail: sender, Write: l.Notice, WriteTeam: l.Team, WriteDispute: l.Dispute, WriteAccount: l.Account,
		WriteAccounting: l.Accounting,
	}
}

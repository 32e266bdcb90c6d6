package letters_test

import (
	"strings"
	"testing"
	"time"

	"foyer/app/apptest"
	"foyer/app/clock"
	"foyer/app/letters"
	"foyer/app/mail"
	"foyer/app/notice"
	"foyer/app/words"
	"foyer/billing"
)

// Owners read what of their money is at stake, until when, and where to do something about it, in each of the languages.
func TestLettersToOwners(t *testing.T) {
	w := letters.Letters{BaseURL: "https://book.example", Clock: clock.NewFixed(apptest.Start)}
	owner := notice.Owner{To: "ana@example.com", Name: "Ana", Locale: "en", BusinessName: "Harbour Yoga", Slug: "harbour", Zone: "America/New_York", Country: "US"}
	due := apptest.Start.Add(71 * time.Hour)
	dispute := func(what billing.DisputeNews, status billing.DisputeStatus) mail.Message {
		return w.Dispute(notice.DisputeNotice{Owner: owner, What: what, Customer: "Ben", For: "Sunrise Vinyasa", Dispute: billing.Dispute{
			Amount: 2200, Currency: "USD", Status: status, Reason: "product_not_received", EvidenceDueBy: due, FeeAmount: 1500, FeeRefunded: 44,
		}})
	}
	account := func(state billing.State, by time.Time, ask ...string) mail.Message {
		return w.Account(notice.AccountNotice{Owner: owner, Account: billing.Connection{State: state, Due: ask, DueBy: by}})
	}
	cases := func() map[string]struct {
		mail mail.Message
		want []string
	} {
		return map[string]struct {
			mail mail.Message
			want []string
		}{
			"opened": {dispute(billing.DisputeOpened, billing.DisputeNeedsResponse), []string{"A bank wants $22.00 back", "Ben paid it for Sunrise Vinyasa.",
				"did not get what they paid for", "Answer by Sat, Jun 13", "Answer the bank: https://book.example/manage/harbour/sales/disputes/00000000-0000-0000-0000-000000000000"}},
			"inquiry":  {dispute(billing.DisputeOpened, billing.DisputeWarning), []string{"A bank asks about a payment of $22.00", "No money has moved yet."}},
			"due soon": {dispute(billing.DisputeDueSoon, billing.DisputeNeedsResponse), []string{"3 days left to answer the bank about $22.00"}},
			"won":      {dispute(billing.DisputeClosed, billing.DisputeWon), []string{"You won the dispute about $22.00", "on your balance", "keeps $15.00"}},
			"lost":     {dispute(billing.DisputeClosed, billing.DisputeLost), []string{"You lost", "The customer keeps the money.", "its fee of $0.44 back to you"}},
			"settled":  {dispute(billing.DisputeClosed, billing.DisputeWarningClosed), []string{"is settled", "No money has moved."}},
			"asked": {account(billing.StateActive, due, "individual.id_number"), []string{"needs something from you", "Give it by Sat, Jun 13", "individual · id number",
				"https://book.example/manage/harbour/settings/payments"}},
			"paused":       {account(billing.StatePaused, due), []string{"Your payouts are paused"}},
			"restricted":   {account(billing.StateRestricted, due), []string{"Customers cannot pay you by card", "it takes no cards"}},
			"disconnected": {account(billing.StateDisconnected, due), []string{"is disconnected", "Connect it again"}},
			"well":         {account(billing.StateActive, time.Time{}), []string{"in order again"}},
		}
	}
	english := cases()
	for name, c := range english {
		text := strings.ReplaceAll(c.mail.Text, "\u00a0", " ")
		for _, want := range c.want {
			if c.mail.To != owner.To || !strings.Contains(text, want) {
				t.Errorf("%s lacks %q:\n%s", name, want, text)
			}
		}
	}
	for _, l := range words.Languages() {
		if owner.Locale = l.Tag; l.Tag == "en" {
			continue
		}
		for name, c := range cases() {
			if c.mail.Subject == english[name].mail.Subject || strings.Contains(c.mail.Text, "{") {
				t.Errorf("%s in %s: %s\n%s", name, l.Tag, c.mail.Subject, c.mail.Text)
			}
		}
	}
}

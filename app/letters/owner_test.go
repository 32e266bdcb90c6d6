package letters_test

import (
	"strings"
	"testing"
	"time"

	"foyer/app/accounting"
	"foyer/app/apptest"
	"foyer/app/clock"
	"foyer/app/letters"
	"foyer/app/mail"
	"foyer/app/notice"
	"foyer/app/words"
	"foyer/billing"
	"foyer/billing/dispute"
	"foyer/billing/processor"
)

// Letters to owners have the amount concerned, the deadline, and a link to act, in each of the languages.
func TestLettersToOwners(t *testing.T) {
	w := letters.Letters{BaseURL: "https://book.example", Clock: clock.NewFixed(apptest.Start)}
	owner := notice.Owner{To: "ana@example.com", Name: "Ana", Locale: "en", BusinessName: "Harbour Yoga", Slug: "harbour", Zone: "America/New_York", Country: "US"}
	due := apptest.Start.Add(71 * time.Hour)
	bank := func(what dispute.News, status processor.DisputeStatus) mail.Message {
		return w.Dispute(notice.DisputeNotice{Owner: owner, What: what, Customer: "Ben", For: "Sunrise Vinyasa", Dispute: dispute.Dispute{
			Amount: 2200, Currency: "USD", Status: status, Reason: "product_not_received", EvidenceDueBy: due, FeeAmount: 1500, FeeRefunded: 44,
		}})
	}
	account := func(state processor.State, by time.Time, ask ...string) mail.Message {
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
			"opened": {bank(dispute.Opened, processor.DisputeNeedsResponse), []string{"A payment of $22.00 is disputed", "Ben paid for Sunrise Vinyasa.",
				"did not get what they paid for", "Submit evidence by Sat, Jun 13", "Submit evidence: https://book.example/manage/harbour/sales/disputes/00000000-0000-0000-0000-000000000000"}},
			"inquiry":  {bank(dispute.Opened, processor.DisputeWarning), []string{"Bank inquiry about a payment of $22.00", "No funds have been withdrawn yet."}},
			"due soon": {bank(dispute.DueSoon, processor.DisputeNeedsResponse), []string{"3 days left to submit evidence for a dispute of $22.00"}},
			"won":      {bank(dispute.Closed, processor.DisputeWon), []string{"You won the dispute about $22.00", "The amount is back in your balance at the processor", "dispute fee of $15.00"}},
			"lost":     {bank(dispute.Closed, processor.DisputeLost), []string{"You lost", "The customer keeps the money.", "fee of $0.44 is refunded to you"}},
			"settled":  {bank(dispute.Closed, processor.DisputeWarningClosed), []string{"is closed", "No funds were withdrawn."}},
			"asked": {account(processor.StateActive, due, "individual.id_number"), []string{"The payment processor needs information from you", "Submit it by Sat, Jun 13", "individual · id number",
				"https://book.example/manage/harbour/settings/payments"}},
			"paused":       {account(processor.StatePaused, due), []string{"Your payouts are paused"}},
			"restricted":   {account(processor.StateRestricted, due), []string{"Customers cannot pay you by card", "Until it has them, you cannot accept cards"}},
			"disconnected": {account(processor.StateDisconnected, due), []string{"is disconnected", "Reconnect account"}},
			"accounting": {
				w.Accounting(notice.AccountingNotice{
					Owner: owner, Expiry: accounting.Expiry{CompanyName: "Harbour Yoga LLC", EndsAt: due},
				}),
				[]string{
					"Reconnect your accounting by Sat, Jun 13", "The connection to Harbour Yoga LLC ends then",
					"Reconnect accounting: https://book.example/manage/harbour/settings/accounting",
				},
			},
			"well": {account(processor.StateActive, time.Time{}), []string{"Your payment account is active again"}},
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

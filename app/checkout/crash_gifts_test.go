package checkout_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/apptest/walks"
	"foyer/app/booking"
	"foyer/app/checkout"
	"foyer/app/giftcard"
	"foyer/app/tenancy"
	cards "foyer/billing/giftcard"
	"foyer/billing/processor"
	"foyer/billing/tender"
)

// sellsCards has the location sell gift cards online.
func (s shop) sellsCards(t *testing.T) {
	t.Helper()
	_, err := s.Services.GiftCards.SetTerms(t.Context(), s.Owner, cards.SetTermsInput{
		LocationID: s.Location.ID, Version: 1, SoldOnline: true, LeastAmount: 500, MostAmount: 50000,
	})
	must(t, 0, err)
}

// mailCards is the sweep and the jobs of the mails with codes.
func (s shop) mailCards(t *testing.T, ctx context.Context) error {
	t.Helper()
	if err := s.Services.GiftSales.SendDue(ctx); err != nil {
		return err
	}
	ids := apptest.Values[string](t, s.w, "select args ->> 'card' from river.river_job where kind = 'giftcard.mail'")
	for _, id := range ids {
		job := giftcard.MailJob{Business: s.Business.ID, Card: uuid.MustParse(id)}
		if err := s.Services.GiftSales.MailCard(ctx, job); err != nil {
			return err
		}
	}
	return nil
}

// over has time pass until nothing of a cart is in progress: its hold has ended, and events and jobs are done.
func (s shop) over(t *testing.T) {
	t.Helper()
	s.jobs(t)
	s.w.Clock.Advance(booking.HoldLife)
	must(t, 0, s.Booking.ExpireDue(t.Context()))
	must(t, 0, s.Checkout.ReleaseEnded(t.Context()))
	s.jobs(t)
	// The sweep skips the row that the transaction of the dead has locked, until the server has noticed; it comes again.
	for range 100 {
		must(t, 0, s.mailCards(t, t.Context()))
		if apptest.Value[int](t, s.w, "select count(*)::int from gift_cards where due_at is not null") == 0 {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	s.jobs(t)
}

// Hold, pay and confirm of a cart with a gift card and a class, and the mail with the code, killed at every call to the
// database, before and after it; then the customer tries again, or does not. The card is sold once and has one code,
// each mail has that one, and there is no money without a card.
func TestKilledWithGiftCard(t *testing.T) {
	s := open(t)
	s.sellsCards(t)
	d, k := s.doomed(t)
	modes := []struct {
		after, returns bool
		key            byte
	}{{false, true, 1}, {true, false, 0}, {true, true, 0}, {false, false, 1}}
	for i, mode := range modes[:walks.Steps(2, len(modes))] {
		n := 0
		for spared := false; !spared; {
			n++
			who, token := s.Customer(t, "Ada"), s.Fill(t, s.class(t, 2200, 1))
			to := fmt.Sprintf("ben-%d-%d@example.com", i, n)
			_, err := s.Services.GiftSales.Add(t.Context(), who, token, giftcard.NewCard{Amount: 5000, RecipientEmail: to})
			must(t, 0, err)
			ctx := k.arm(t.Context(), n, mode.after)
			if err = d.story(t, ctx, who, token, 7200, mode.key); err == nil {
				err = d.mailCards(t, ctx)
			}
			if spared = k.spared(); spared && err != nil {
				t.Fatalf("nobody was killed, and yet: %v", err)
			}
			if mode.returns {
				if err := s.story(t, t.Context(), who, token, 7200, mode.key); err != nil {
					t.Errorf("killed at call %d, %+v, then: %v", n, mode, err)
				}
			}
			s.over(t)
			got := apptest.Value[string](t, s.w, `select g.state || ' ' || g.balance || ' ' || (g.sealed_code is null) || ', ' ||
					(select count(*) from gift_card_transactions t where t.gift_card_id = g.id) || ' sold, ' ||
					(select count(*) from order_lines l join orders o on o.id = l.order_id and o.state = 'fulfilled'
						join payments p on p.order_id = o.id and p.outcome = 'fulfilled'
						where l.gift_card_id = g.id) || ' paid'
				from gift_cards g where g.recipient_email = $1`, to)
			mails := s.Mail.List(to)
			want := "active 5000 true, 1 sold, 1 paid"
			if !mode.returns && len(mails) == 0 {
				want = "draft 0 true, 0 sold, 0 paid"
			}
			if got != want || mode.returns && len(mails) == 0 {
				t.Errorf("killed at call %d, %+v: %s, %d mails", n, mode, got, len(mails))
			}
			for _, m := range mails {
				code := m.Text[strings.LastIndex(m.Text, " ")+1:]
				card, err := s.Services.GiftCards.ByCode(t.Context(), s.Owner, code)
				if must(t, card, err).RecipientEmail != to {
					t.Errorf("killed at call %d, %+v: a mail of %d has another code", n, mode, len(mails))
				}
			}
		}
		t.Logf("%d calls to the database, %+v", n-1, mode)
	}
	most := "select max(n)::int from (select count(*) n from payments group by order_id) x"
	if n := apptest.Value[int](t, s.w, most); n != 1 {
		t.Errorf("an order has %d payments", n)
	}
	s.check(t)
}

// withGiftCard holds a cart, has a gift card pay first and a card the remaining amount, and confirms, as far as it
// comes.
func (s shop) withGiftCard(t *testing.T, ctx context.Context, who tenancy.Scope, token string, card uuid.UUID) error {
	t.Helper()
	_, err := s.Checkout.Hold(ctx, who, token, checkout.HoldInput{})
	var c checkout.Cart
	if err == nil {
		c, err = s.Checkout.UsePrepaid(ctx, who, token, tender.GiftCard, card, true)
	}
	if err == nil && c.Totals.DueNow() > 0 {
		var p checkout.Payment
		p, err = s.Checkout.Pay(ctx, who, token, checkout.PayInput{QuotedAmount: c.Totals.DueNow()})
		if err == nil && p.Status != processor.StatusSucceeded {
			s.PayCard(t, p.ClientSecret, apptest.CardGood)
		}
	}
	if err != nil && !errors.Is(err, checkout.ErrOrdered) {
		return err
	}
	_, err = s.Checkout.Confirm(ctx, who, token)
	return err
}

// Hold, choose a gift card, pay and confirm, killed at every call to the database, before and after it; then the
// customer tries again, or does not. What is sold is paid once by both, and the gift card pays nothing else.
func TestGiftCardPaysKilledAnywhere(t *testing.T) {
	s := open(t)
	d, k := s.doomed(t)
	modes := []struct {
		after, returns bool
		price          int64
	}{
		{true, true, 2200}, {false, false, 2200}, {true, true, 900}, {false, true, 2200}, {true, false, 2200},
		{false, false, 900},
	}
	for _, mode := range modes[:walks.Steps(3, len(modes))] {
		n, sold := 0, 0
		for spared := false; !spared; {
			n++
			made, err := s.Services.GiftSales.Issue(t.Context(), s.Owner, giftcard.IssueInput{
				NewCard: giftcard.NewCard{Amount: 1000}, LocationID: s.Location.ID, Method: tender.Cash,
			})
			card := must(t, made, err).Card.ID
			who, token := s.Customer(t, "Ada"), s.Fill(t, s.class(t, mode.price, 1))
			err = d.withGiftCard(t, k.arm(t.Context(), n, mode.after), who, token, card)
			if spared = k.spared(); spared && err != nil {
				t.Fatalf("nobody was killed, and yet: %v", err)
			}
			if mode.returns {
				if err := s.withGiftCard(t, t.Context(), who, token, card); err != nil {
					t.Errorf("killed at call %d, %+v, then: %v", n, mode, err)
				}
			}
			s.over(t)
			left := apptest.Value[int64](t, s.w, "select balance from gift_cards where id = $1", card)
			got := apptest.Value[string](t, s.w, `select count(*) || ' ' || count(b.id) || ' ' || count(p.id) || ' ' ||
					coalesce(sum(t.amount + coalesce(p.amount, 0)), 0)
				from order_tenders t join orders o on o.id = t.order_id and o.state = 'fulfilled'
				left join bookings b on b.order_id = o.id and b.state = 'confirmed'
				left join payments p on p.order_id = o.id and p.outcome = 'fulfilled'
				where t.source_id = $1 and t.captured_at is not null`, card)
			want := fmt.Sprint("1 1 ", min(1, max(0, mode.price-1000)), " ", mode.price)
			if left == 1000 && !mode.returns {
				want = "0 0 0 0"
			} else if sold++; left != 1000-min(mode.price, 1000) {
				t.Errorf("killed at call %d, %+v: %d left", n, mode, left)
			}
			if got != want {
				t.Errorf("killed at call %d, %+v: %s, want %s", n, mode, got, want)
			}
		}
		t.Logf("%d calls to the database, %+v: %d sold", n-1, mode, sold)
	}
	s.check(t)
}

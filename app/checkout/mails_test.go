package checkout_test

import (
	"log/slog"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/checkout"
	"foyer/app/fault"
	"foyer/app/jobs"
	"foyer/app/mail"
	"foyer/app/order"
	"foyer/app/owed"
	"foyer/app/pg"
)

// A mail is written from the facts as they are when the job runs, and not at all when they no longer hold.
func TestConfirmationMail(t *testing.T) {
	s := open(t)
	ada := s.Customer(t, "Ada")
	s.w.SQL(t, "update persons set locale = 'de', name = 'Ada' where id = $1", ada.Person())
	ada.Actor.Name = "Ada"
	token := s.Fill(t, s.class(t, 0, 1))
	s.hold(t, ada, token)
	got := s.confirm(t, ada, token)
	job := order.ConfirmationJob{Business: s.Business.ID, Order: got.OrderID}
	mailed := func() int { return len(s.Mail.List(ada.Email)) }
	send := func() {
		t.Helper()
		if err := s.Orders.MailConfirmation(t.Context(), job); err != nil {
			t.Fatal(err)
		}
	}
	send()
	if m := s.Mail.List(ada.Email); len(m) != 1 || m[0].Text != "Ada de "+got.Token {
		t.Errorf("%+v", m)
	}
	s.w.SQL(t, "update bookings set state = 'cancelled'")
	if send(); mailed() != 1 {
		t.Error("mailed although nothing stands any more")
	}
	s.w.SQL(t, "update bookings set state = 'confirmed'")
	s.w.SQL(t, "update orders set state = 'refunded'")
	if send(); mailed() != 1 {
		t.Error("mailed although the order was refunded")
	}
	s.w.SQL(t, "update orders set state = 'fulfilled'")
	s.w.SQL(t, "update customers set email = ''")
	if send(); mailed() != 1 {
		t.Error("mailed to nobody")
	}
	job.Order = pg.NewID()
	if err := s.Orders.MailConfirmation(t.Context(), job); !fault.IsKind(err, fault.NotFound) {
		t.Errorf("an unknown order: %v", err)
	}
}

func TestLateRefundMail(t *testing.T) {
	s := open(t)
	o := s.class(t, 2200, 1)
	ada := s.Customer(t, "Ada")
	_, p := s.ready(t, ada, o)
	s.w.Clock.Advance(booking.HoldLife)
	s.hold(t, s.Customer(t, "Bob"), s.Fill(t, o))
	s.PayCard(t, p.ClientSecret, apptest.CardGood)
	s.jobs(t)
	m := s.Mail.List(ada.Email)
	if len(m) != 1 || m[0].Subject != "refunded" {
		t.Fatalf("%+v", m)
	}
	receipt := m[0].Text[strings.LastIndex(m[0].Text, " ")+1:]
	if r, err := s.Orders.Receipt(t.Context(), s.Visitor(), receipt); err != nil || r.State != order.Refunded {
		t.Errorf("the mail leads to %+v (%v)", r, err)
	}
	payment := apptest.Value[uuid.UUID](t, s.w, "select id from payments")
	s.w.SQL(t, "update payments set outcome = 'fulfilled'")
	job := order.LateRefundJob{Business: s.Business.ID, Payment: payment}
	if err := s.Orders.MailLateRefund(t.Context(), job); err != nil || len(s.Mail.List(ada.Email)) != 1 {
		t.Errorf("mailed although it was settled (%v)", err)
	}
}

func TestReceiptRefuses(t *testing.T) {
	s := open(t)
	ada := s.Customer(t, "Ada")
	s.ready(t, ada, s.class(t, 2200, 1))
	order := apptest.Value[uuid.UUID](t, s.w, "select id from orders")
	for name, token := range map[string]string{
		"an order that is being paid": s.Orders.ReceiptToken(order),
		"unknown":                     s.Orders.ReceiptToken(pg.NewID()),
		"no token":                    "x",
		"the order's id":              order.String(),
	} {
		if _, err := s.Orders.Receipt(t.Context(), s.Visitor(), token); !fault.IsKind(err, fault.NotFound) {
			t.Errorf("%s: %v", name, err)
		}
	}
	business, found, err := s.Orders.FindReceipt(t.Context(), s.Orders.ReceiptToken(order))
	if err != nil || !found || business != s.Business.ID {
		t.Errorf("%s %v (%v)", business, found, err)
	}
	if _, found, err := s.Orders.FindReceipt(t.Context(), "x"); found || err != nil {
		t.Errorf("%v (%v)", found, err)
	}
}

// The real worker, as its own database role: the event books, the mail is sent, the late payment is refunded, and
// holds expire, all by themselves.
func TestWorker(t *testing.T) {
	s := open(t)
	worker := s.Sales.On(t, s.w.As(t, "foyer_job"))
	r := jobs.NewRegistry()
	worker.Booking.Register(r)
	worker.Notice.Register(r)
	worker.Billing.Register(r)
	worker.Orders.Register(r)
	worker.Checkout.Register(r)
	worker.Owed.Register(r)
	running, err := jobs.Start(t.Context(), s.w.Worker(t), r, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := running.Stop(t.Context()); err != nil {
			t.Error(err)
		}
	}()
	o, gone := s.class(t, 2200, 1), s.class(t, 2200, 1)
	ada, bob := s.Customer(t, "Ada"), s.Customer(t, "Bob")
	_, p := s.ready(t, ada, o)
	s.PayCard(t, p.ClientSecret, apptest.CardGood)
	token, late := s.ready(t, bob, gone)
	s.PayCard(t, late.ClientSecret, apptest.CardGood) // first: releasing has the worker cancel the payment at once
	if err := s.Checkout.Release(t.Context(), bob, token); err != nil {
		t.Fatal(err)
	}
	held := s.class(t, 2200, 1)
	s.hold(t, s.Customer(t, "Cleo"), s.Fill(t, held))
	s.Sim.Flush(t.Context())
	s.w.Clock.Advance(booking.HoldLife)
	until(t, func() bool {
		return slices.Equal(s.mails(ada), []string{"booked"}) && slices.Equal(s.mails(bob), []string{"refunded"}) && s.taken(t, held) == 0 &&
			apptest.Value[int](t, s.w, "select count(*) from refunds where state = 'succeeded'") == 1
	})
	s.w.CheckBooks(t)
}

// until waits for something that other goroutines bring about.
func until(t *testing.T, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !ok(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("it does not happen")
		}
	}
}

// A missing option of the services of a sale, or a short secret, is found at start.
func TestOptionsAreChecked(t *testing.T) {
	s := open(t)
	needsAll(t, order.New, order.Options{
		DB: s.w.DB, Billing: s.Billing, Secret: apptest.Secret, Mail: s.Mail,
		ConfirmationMail: func(order.Confirmation) mail.Message { return mail.Message{} },
		RefundMail:       func(order.LateRefund) mail.Message { return mail.Message{} },
	})
	needsAll(t, checkout.New, checkout.Options{
		DB: s.w.DB, Booking: s.Booking, Billing: s.Billing, Orders: s.Orders, Plans: s.Services.Plans,
		Secret: apptest.Secret,
	})
	needsAll(t, owed.New, owed.Options{
		DB: s.w.DB, Billing: s.Billing, Orders: s.Orders, Checkout: s.Checkout, Plans: s.Services.Plans,
		Mail:       s.Mail,
		ChargeMail: func(owed.ChargeMail) mail.Message { return mail.Message{} },
	})
}

// needsAll fails the test unless create panics if any one of its options is missing, or its secret is short.
func needsAll[O, S any](t *testing.T, create func(O) S, whole O) {
	t.Helper()
	create(whole)
	for f := range reflect.TypeFor[O]().Fields() {
		without := whole
		option := reflect.ValueOf(&without).Elem().FieldByName(f.Name)
		if option.SetZero(); f.Name == "Secret" {
			option.SetBytes([]byte("short"))
		}
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%T without %s: no panic", without, f.Name)
				}
			}()
			create(without)
		}()
	}
}

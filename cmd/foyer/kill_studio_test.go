package main

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"foyer/app/api"
	"foyer/app/apptest"
	"foyer/app/apptest/contract"
	"foyer/app/availability"
	"foyer/app/business"
	"foyer/app/clock"
	"foyer/app/demo"
	"foyer/app/identity"
	"foyer/app/tenancy"
	"foyer/billing"
)

// killSecret is FOYER_SECRET of all servers of this studio, so that each accepts the tokens of the others.
const killSecret = "0123456789abcdef0123456789abcdef"

// killSealKeys is FOYER_SEAL_KEYS of the same servers.
const killSealKeys = killSecret + killSecret

// killStudio is a studio in a database that outlives every server. The product in this process, which is never
// killed, only sets it up, signs people in, and does the worker's part on request.
type killStudio struct {
	demo.Demo
	x           *product
	clock       *clock.Adjustable
	owner       tenancy.Scope
	locations   []business.Location
	instructors []uuid.UUID
	taxRate     uuid.UUID

	database apptest.Database
	past     *pgxpool.Pool // past every policy: for looking
	stripe   *farStripe
	client   *http.Client
	manager  string // session of the owner, for data checks
	account  string // of the studio, at the processor
	dear     *shelf // things with a price
	free     *shelf

	mu        sync.Mutex
	slots     int // booked times of the one instructor of appointments
	customers int
}

func openKillStudio(t *testing.T) *killStudio {
	t.Helper()
	now := &clock.Adjustable{}
	s := &killStudio{database: apptest.NewDatabase(t), stripe: openFarStripe(t, now)}
	var err error
	if s.past, err = pgxpool.New(t.Context(), s.database.URL("postgres")); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.past.Close)
	c, err := readConfig(func(string) string { return "" }, []string{"FOYER_DATA_DIR=" + t.TempDir(), "FOYER_SECRET=" + killSecret})
	if err != nil {
		t.Fatal(err)
	}
	x, err := buildProduct(t.Context(), parts{
		config: c, clock: now, log: slog.New(slog.DiscardHandler), address: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1},
		worker: true, processor: s.stripe.processor(t, now),
		database: database{app: s.database.URL("foyer_app"), job: s.database.URL("foyer_job")},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(x.close)
	s.x, s.clock, s.Demo = x, now, x.demo(now, s.stripe.sim, func(string) {})
	s.client = truthful(t)
	if err := s.setUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s
}

// truthful is a client that takes no answer which breaks the document. A11. Each request has a connection of its own:
// none ends with the server of the one before.
func truthful(t *testing.T) *http.Client {
	t.Helper()
	body, err := api.Document(api.DocumentURL)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := contract.Read(body)
	if err != nil {
		t.Fatal(err)
	}
	return &http.Client{Transport: contract.Transport{Document: doc, Next: &http.Transport{DisableKeepAlives: true}}, Timeout: time.Minute}
}

// setUp makes the studio: it takes cards, gives classes with one seat, and appointments with one person; both for
// money and for nothing.
func (s *killStudio) setUp(ctx context.Context) error {
	const owner = "owner@ninelives.example.com"
	invite, err := identity.CreateInvite(ctx, s.x.db, owner, "")
	if err != nil {
		return err
	}
	person, err := s.Actor(ctx, owner, uuid.Nil)
	if err != nil {
		return err
	}
	made, err := s.x.Business.Create(ctx, person, business.CreateInput{
		InviteToken: invite.Token, Name: "Nine Lives", Currency: "USD", Zone: "UTC", Location: &business.LocationInput{Name: "Nine Lives"},
	})
	if err != nil {
		return err
	}
	s.locations = []business.Location{*made.Location}
	if s.owner, err = s.Actor(ctx, owner, made.Business.ID); err != nil {
		return err
	}
	if s.manager, err = s.SignIn(ctx, owner); err != nil {
		return err
	}
	for _, step := range []func(context.Context) error{s.places, s.cards, s.giver} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	if s.dear, err = s.publish(ctx, 2200, 1500, 700); err != nil {
		return err
	}
	s.free, err = s.publish(ctx, 0, 0, 0)
	return err
}

// everyDay is when the studio is open.
var everyDay = []time.Weekday{time.Sunday, time.Monday, time.Tuesday, time.Wednesday, time.Thursday, time.Friday, time.Saturday}

// openHours are those of the studio, and of the instructor of its appointments.
func openHours() []business.Interval {
	var week []business.Interval
	for _, day := range everyDay {
		week = append(week, business.Interval{Weekday: day, Opens: 6 * 60, Closes: 22 * 60})
	}
	return week
}

// places gives the studio its tax rate and hours.
func (s *killStudio) places(ctx context.Context) error {
	rate, err := s.x.Business.CreateTaxRate(ctx, s.owner, business.TaxRateInput{Name: "Sales tax", PPM: 88_750})
	if err != nil {
		return err
	}
	s.taxRate = rate.ID
	_, err = s.x.Business.PutHours(ctx, s.owner, business.Hours{LocationID: s.locations[0].ID, Intervals: openHours()})
	return err
}

// cards connects an account that takes cards at once.
func (s *killStudio) cards(ctx context.Context) error {
	_, err := s.x.Billing.Onboard(ctx, s.owner, billing.OnboardInput{Country: "US", ReturnURL: s.x.baseURL + "/", RefreshURL: s.x.baseURL + "/"})
	if err != nil {
		return err
	}
	c, err := s.x.Billing.Connection(ctx, s.owner)
	if err != nil {
		return err
	}
	s.account = c.AccountID
	if err := s.Sim.Activate(simulated(s.account)); err != nil {
		return err
	}
	_, err = s.x.Billing.Refresh(ctx, s.owner)
	return err
}

// giver is the instructor of the appointments.
func (s *killStudio) giver(ctx context.Context) error {
	m, err := s.x.Business.AddMember(ctx, s.owner, business.AddMemberInput{Email: "mia@ninelives.example.com", Bookable: true})
	if err != nil {
		return err
	}
	s.instructors = []uuid.UUID{m.ID}
	_, err = s.x.Availability.PutMemberHours(ctx, s.owner, availability.MemberHours{
		MemberID: m.ID, Locations: []availability.LocationHours{{LocationID: s.locations[0].ID, Intervals: openHours()}},
	})
	return err
}

// customer signs a new customer in.
func (s *killStudio) customer(ctx context.Context) (session string, err error) {
	s.mu.Lock()
	s.customers++
	email := fmt.Sprintf("customer%d@ninelives.example.com", s.customers)
	s.mu.Unlock()
	return s.SignIn(ctx, email)
}

// text reads one value past every policy.
func (s *killStudio) text(ctx context.Context, sql string, args ...any) (out string, err error) {
	err = s.past.QueryRow(ctx, sql, args...).Scan(&out)
	return out, err
}

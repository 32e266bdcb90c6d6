package accounting_test

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"foyer/app/accounting"
	"foyer/app/accounting/ledgeronline"
	"foyer/app/accounting/ledgersim"
	"foyer/app/pg"
	"foyer/app/sealed"
)

// slow answers refreshes after a while, and counts those that wait for an answer at once.
type slow struct {
	*ledgeronline.Client
	mu         sync.Mutex
	open, most int
}

func (s *slow) Refresh(ctx context.Context, refresh sealed.Secret) (ledgeronline.Tokens, error) {
	s.count(1)
	defer s.count(-1)
	time.Sleep(100 * time.Millisecond)
	return s.Client.Refresh(ctx, refresh)
}

func (s *slow) count(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open += n
	s.most = max(s.most, s.open)
}

// TestRefreshesLeaveConnections: after a night the tokens of all companies are old. A refresh holds a connection to the
// database until the provider answers, so that only some are refreshed at once, and all documents are posted.
func TestRefreshesLeaveConnections(t *testing.T) {
	b := open(t)
	provider := &slow{Client: b.Client}
	db, err := pg.Open(t.Context(), pg.Config{URL: b.w.URL("foyer_job"), MaxConns: 16, Clock: b.w.Clock})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	quiet := slog.New(slog.DiscardHandler)
	b.Service = accounting.New(accounting.Options{DB: db, Provider: provider, Keys: b.Keys, Log: quiet})
	studios := []*books{b}
	for len(studios) < 8 {
		other := *b
		other.Studio = b.w.Studio(t)
		studios = append(studios, &other)
	}
	for _, s := range studios {
		s.connect(t, b.Sim.AddCompany("Company", "US", "USD"))
		s.sell(t, 2200)
		s.confirmAll(t)
	}
	b.nextDay(t)
	if err := b.PostDue(t.Context()); err != nil {
		t.Fatal(err)
	}
	for i, s := range studios {
		if p := s.postings(t); len(p) != 1 || p[0].Status != accounting.Posted {
			t.Errorf("studio %d: %+v", i, p)
		}
	}
	if provider.most > 3 {
		t.Errorf("%d refreshes at once", provider.most)
	}
}

// TestLostKey: without the key of its tokens an installation says so, counts no attempt, and continues with the key.
func TestLostKey(t *testing.T) {
	b := open(t)
	b.connect(t, ledgersim.RealmUSD)
	b.sell(t, 2200)
	b.confirmAll(t)
	b.nextDay(t)
	other, err := sealed.Parse(sealed.NewKey())
	if err != nil {
		t.Fatal(err)
	}
	quiet := slog.New(slog.DiscardHandler)
	lost := accounting.New(accounting.Options{DB: b.w.DB, Provider: b.Client, Keys: other, Log: quiet})
	for range 10 { // more than the attempts after which a document fails
		if err := lost.PostDue(t.Context()); err != nil {
			t.Fatal(err)
		}
		p := b.postings(t)
		if len(p) != 1 || p[0].Status != accounting.Pending || !strings.Contains(p[0].LastError, "cannot read its access") {
			t.Fatalf("%+v", p)
		}
		b.w.Clock.Advance(time.Hour + time.Minute)
	}
	if c, err := b.Live(t.Context(), b.Owner); err != nil || c.Status != accounting.Connected || c.LastError == "" {
		t.Errorf("%+v, %v", c, err)
	}
	stored, unsealable, err := lost.StoredTokens(t.Context())
	if err != nil || stored != 1 || unsealable != 1 {
		t.Errorf("%d of %d, %v", unsealable, stored, err)
	}
	if stored, unsealable, err := b.StoredTokens(t.Context()); err != nil || stored != 1 || unsealable != 0 {
		t.Errorf("%d of %d, %v", unsealable, stored, err)
	}
	if err := b.PostDue(t.Context()); err != nil {
		t.Fatal(err)
	}
	if p := b.postings(t); len(p) != 1 || p[0].Status != accounting.Posted || p[0].LastError != "" {
		t.Errorf("%+v", p)
	}
}

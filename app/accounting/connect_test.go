package accounting_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/accounting"
	"foyer/app/accounting/ledgersim"
	"foyer/app/apptest"
	"foyer/app/backup"
	"foyer/app/business"
	"foyer/app/fault"
	"foyer/app/pg/embedded"
	"foyer/app/sealed"
	"foyer/app/tenancy"
	"foyer/policy"
)

// attempt is an attempt of a caller to which the owner of a company agreed.
func (b *books) attempt(t *testing.T, sc tenancy.Scope, company string) uuid.UUID {
	t.Helper()
	url, err := b.Begin(t.Context(), sc)
	to, err2 := b.Returned(t.Context(), b.Agree(t, must(t, url, err), company))
	return must(t, to, err2).Attempt
}

func (b *books) live(t *testing.T) *accounting.Connection {
	t.Helper()
	c, err := b.Live(t.Context(), b.Owner)
	return must(t, c, err)
}

func (b *books) rows(t *testing.T, table string) int {
	t.Helper()
	return apptest.Value[int](t, b.w, "select count(*) from "+table)
}

// An attempt is used once, within fifteen minutes, by the person who began it, and an error leaves what was there. A88,
// A108, A111 to A116, A220, A221.
func TestA88_Attempts(t *testing.T) {
	b := open(t)
	complete := func(sc tenancy.Scope, id uuid.UUID) accounting.Outcome {
		t.Helper()
		o, err := b.Complete(t.Context(), sc, id)
		return must(t, o, err)
	}
	other := b.Join(t, "admin@example.com", apptest.Everywhere(policy.Admin))
	if got := complete(other, b.attempt(t, b.Owner, ledgersim.RealmUSD)); got != accounting.OutcomeError {
		t.Errorf("another person: %s", got)
	}
	late := b.attempt(t, b.Owner, ledgersim.RealmUSD)
	b.w.Clock.Advance(15*time.Minute + time.Second)
	if got := complete(b.Owner, late); got != accounting.OutcomeError {
		t.Errorf("15:01: %s", got)
	}
	url, err := b.Begin(t.Context(), b.Owner)
	denied, err2 := b.Sim.Deny(must(t, url, err))
	to, err3 := b.Returned(t.Context(), accounting.Return{State: stateIn(must(t, denied, err2))})
	if got := complete(b.Owner, must(t, to, err3).Attempt); got != accounting.OutcomeError {
		t.Errorf("denied: %s", got)
	}
	if n := b.rows(t, "accounting_connections"); n != 0 || b.live(t) != nil {
		t.Fatalf("%d connections", n)
	}
	in := b.attempt(t, b.Owner, ledgersim.RealmUSD)
	b.w.Clock.Advance(4 * time.Minute) // the provider's code lives five minutes
	if got := complete(b.Owner, in); got != accounting.OutcomeConnected {
		t.Fatalf("in time: %s", got)
	}
	c := b.live(t)
	if c.Status != accounting.Connected || c.CompanyName != "Demo USD" || c.HomeCurrency != "USD" ||
		c.ExternalCompanyID != ledgersim.RealmUSD || c.StartDate.String() != "2026-06-10" || c.StartDateFrozen ||
		c.PersonID != b.Owner.Person() {
		t.Errorf("%+v", c)
	}
	if got := complete(b.Owner, in); got != accounting.OutcomeError {
		t.Errorf("used: %s", got)
	}
	if after := b.live(t); *after != *c {
		t.Errorf("a failed attempt changed %+v to %+v", c, after)
	}
	if _, err := b.Complete(t.Context(), b.Owner, uuid.New()); !fault.IsKind(err, fault.NotFound) {
		t.Errorf("unknown attempt: %v", err)
	}
	foreign := open(t)
	if _, err := foreign.Complete(t.Context(), foreign.Owner, in); !fault.IsKind(err, fault.NotFound) {
		t.Errorf("foreign attempt: %v", err)
	}
	_, key := b.Key(t, policy.BusinessManage)
	byKey := b.attempt(t, key, ledgersim.RealmUSD)
	if _, err := b.Complete(t.Context(), key, byKey); !fault.IsKind(err, fault.Forbidden) {
		t.Errorf("a key completes: %v", err)
	}
	if got := complete(b.Owner, byKey); got != accounting.OutcomeConnected {
		t.Errorf("the owner of the key: %s", got)
	}
}

// stateIn is the state in a redirect of the provider.
func stateIn(callback string) string {
	_, after, _ := strings.Cut(callback, "state=")
	state, _, _ := strings.Cut(after, "&")
	return state
}

// A redirect connects nothing; a second one, and one with a state that Begin did not make, changes nothing. A109.
func TestA109_Redirects(t *testing.T) {
	b := open(t)
	url, err := b.Begin(t.Context(), b.Owner)
	back := b.Agree(t, must(t, url, err), ledgersim.RealmUSD)
	to, err := b.Returned(t.Context(), back)
	if must(t, to, err).Slug != b.Business.Slug || b.live(t) != nil {
		t.Errorf("%+v", to)
	}
	second := back
	second.Code, second.Company = "another", ledgersim.RealmEUR
	if again, err := b.Returned(t.Context(), second); err != nil || again != to {
		t.Errorf("%+v, %v", again, err)
	}
	outcome, err := b.Complete(t.Context(), b.Owner, to.Attempt)
	if must(t, outcome, err) != accounting.OutcomeConnected || b.live(t).ExternalCompanyID != ledgersim.RealmUSD {
		t.Errorf("%s %+v", outcome, b.live(t))
	}
	flip := []byte(back.State)
	flip[len(flip)-3] ^= 1
	for name, state := range map[string]string{
		"empty": "", "short": "abc", "changed": string(flip), "huge": strings.Repeat("A", 1<<16),
	} {
		if _, err := b.Returned(t.Context(), accounting.Return{
			State: state, Code: "x", Company: "1",
		}); !errors.Is(err, accounting.ErrAttempt) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Of many completes at once one is connected. A117.
func TestA117_TwoComplete(t *testing.T) {
	b := open(t)
	id := b.attempt(t, b.Owner, ledgersim.RealmUSD)
	var wait sync.WaitGroup
	outcomes := make(chan accounting.Outcome, 20)
	for range cap(outcomes) {
		wait.Go(func() {
			o, err := b.Complete(t.Context(), b.Owner, id)
			if err != nil {
				t.Error(err)
			}
			outcomes <- o
		})
	}
	wait.Wait()
	close(outcomes)
	connected := 0
	for o := range outcomes {
		if o == accounting.OutcomeConnected {
			connected++
		}
	}
	if connected != 1 || b.rows(t, "accounting_connections") != 1 {
		t.Errorf("%d connected, %d rows", connected, b.rows(t, "accounting_connections"))
	}
}

// Disconnecting deletes the tokens, whatever the provider says; documents keep their address; connecting again makes a
// new connection that goes on with the map and the start date of the company. A121 to A125, A219.
func TestA121_Disconnect(t *testing.T) {
	for name, prepare := range map[string]func(*books){
		"accepted": func(*books) {}, "refused": func(b *books) {
			_ = b.Sim.Fail(ledgersim.Fault{Kind: ledgersim.ServerError, Times: 9, Op: "revoke"})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := open(t)
			if err := b.Disconnect(t.Context(), b.Owner); !fault.IsKind(err, fault.NotFound) {
				t.Errorf("never connected: %v", err)
			}
			b.connect(t, ledgersim.RealmUSD)
			b.sell(t, 2200)
			b.nextDay(t)
			b.confirmAll(t)
			b.due(t)
			posted, first := b.postings(t)[0], b.live(t)
			prepare(b)
			for range 2 {
				if err := b.Disconnect(t.Context(), b.Owner); err != nil {
					t.Fatal(err)
				}
			}
			c := b.live(t)
			if c.Status != accounting.Disconnected || b.rows(t, "accounting_tokens") != 0 {
				t.Errorf("%+v, %d tokens", c, b.rows(t, "accounting_tokens"))
			}
			if p := b.postings(t); len(p) != 1 || p[0].Status != accounting.Posted || p[0].ExternalURL != posted.ExternalURL {
				t.Errorf("%+v", p)
			}
			b.sell(t, 300)
			b.nextDay(t)
			if p := b.postings(t); len(p) != 2 || p[0].Status != accounting.Skipped ||
				p[0].SkipReason != accounting.NotConnected {
				t.Errorf("while disconnected: %+v", p)
			}
			b.Sim.Heal()
			b.connect(t, ledgersim.RealmUSD)
			again := b.live(t)
			if again.ID == first.ID || again.Status != accounting.Connected ||
				again.StartDate != first.StartDate || !again.StartDateFrozen {
				t.Errorf("again: %+v", again)
			}
			b.due(t)
			if p := b.postings(t); len(p) != 1 || p[0].Status != accounting.Posted { // the new connection's own
				t.Errorf("%+v", p)
			}
			if n := len(b.Sim.Documents(ledgersim.RealmUSD)); n != 2 {
				t.Errorf("%d documents", n)
			}
		})
	}
}

func (b *books) due(t *testing.T) {
	t.Helper()
	if err := b.PostDue(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// A refused refresh token asks for the owner, and the same company renews the row; postings wait and none is lost.
// A124.
func TestA124_Reauthorize(t *testing.T) {
	b := open(t)
	b.connect(t, ledgersim.RealmUSD)
	b.sell(t, 2200)
	b.nextDay(t)
	b.confirmAll(t)
	first := b.live(t)
	if err := b.Sim.Revoke(ledgersim.RealmUSD); err != nil {
		t.Fatal(err)
	}
	b.due(t)
	if c := b.live(t); c.Status != accounting.NeedsReauth || c.LastError == "" {
		t.Fatalf("%+v", c)
	}
	if p := b.postings(t); p[0].Status != accounting.Pending {
		t.Errorf("%+v", p)
	}
	b.connect(t, ledgersim.RealmUSD)
	if c := b.live(t); c.ID != first.ID || c.Status != accounting.Connected || c.LastError != "" {
		t.Errorf("%+v", c)
	}
	b.due(t)
	if p := b.postings(t); p[0].Status != accounting.Posted {
		t.Errorf("%+v", p)
	}
}

// The start date moves until the first post, in both directions, and then no more. A119, A120, A156.
func TestA120_StartDate(t *testing.T) {
	b := open(t)
	if _, err := b.SetStartDate(t.Context(), b.Owner, "2026-06-01"); !fault.IsKind(err, fault.NotFound) {
		t.Errorf("without a connection: %v", err)
	}
	b.sell(t, 2200)
	b.nextDay(t) // closes June 10
	b.connect(t, ledgersim.RealmUSD)
	if p := b.postings(t); len(p) != 0 {
		t.Fatalf("a day before the start: %+v", p)
	}
	set := func(date string) {
		t.Helper()
		if _, err := b.SetStartDate(t.Context(), b.Owner, date); err != nil {
			t.Fatal(err)
		}
	}
	set("2026-06-10")
	if p := b.postings(t); len(p) != 1 || p[0].SkipReason != accounting.MapIncomplete {
		t.Fatalf("%+v", p)
	}
	set("2027-01-01")
	if p := b.postings(t); p[0].SkipReason != accounting.BeforeStartDate {
		t.Errorf("%+v", p)
	}
	set("2026-06-01")
	b.confirmAll(t)
	b.due(t)
	if p := b.postings(t); p[0].Status != accounting.Posted {
		t.Fatalf("%+v", p)
	}
	if _, err := b.SetStartDate(t.Context(), b.Owner, "2026-06-02"); !fault.IsKind(err, fault.Validation) {
		t.Errorf("after the first post: %v", err)
	}
	for _, date := range []string{"", "2026-02-30", "1.6.2026", "2026-6-1"} {
		if _, err := b.SetStartDate(t.Context(), b.Owner, date); !fault.IsKind(err, fault.Validation) {
			t.Errorf("%q: %v", date, err)
		}
	}
}

// Only those with business.manage.
func TestWhoUsesAccounting(t *testing.T) {
	b := open(t)
	for role, may := range map[policy.Role]bool{
		policy.Admin: true, policy.Manager: false, policy.Accountant: false, policy.FrontDesk: false,
	} {
		at := business.RoleAt{Role: role}
		if role == policy.Manager || role == policy.FrontDesk {
			at = apptest.At(role, b.Location.ID)
		}
		sc := b.Join(t, string(role)+"@example.com", at)
		_, err := b.Live(t.Context(), sc)
		_, err2 := b.Postings(t.Context(), sc, nil)
		_, err3 := b.Batches(t.Context(), sc, accounting.BatchFilter{})
		for _, err := range []error{err, err2, err3} {
			if errors.Is(err, policy.ErrMissingFeature) == may {
				t.Errorf("%s: %v", role, err)
			}
		}
	}
}

// Twenty at once refresh an expired token once. A106.
func TestTokensRefreshOnce(t *testing.T) {
	b := open(t)
	b.connect(t, ledgersim.RealmUSD)
	before := b.Sim.Calls("")["token"]
	b.w.Clock.Advance(56 * time.Minute) // less than five minutes are left
	var wait sync.WaitGroup
	for range 20 {
		wait.Go(func() {
			if _, err := b.Map(t.Context(), b.Owner); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	if n := b.Sim.Calls("")["token"] - before; n != 1 {
		t.Errorf("%d refreshes", n)
	}
	if err := b.Sim.ExpireAccess(ledgersim.RealmUSD); err != nil { // before its time
		t.Fatal(err)
	}
	b.w.Clock.Advance(11 * time.Minute) // the chart is read again
	if _, err := b.Map(t.Context(), b.Owner); err != nil {
		t.Error(err)
	}
	if n := b.Sim.Calls("")["token"] - before; n != 2 {
		t.Errorf("%d refreshes", n)
	}
}

// The owners get one mail 30 days before a connection ends.
func TestExpiryIsToldOnce(t *testing.T) {
	b := open(t)
	b.connect(t, ledgersim.RealmUSD)
	jobs := func() int {
		t.Helper()
		if err := b.NoteExpiry(t.Context()); err != nil {
			t.Fatal(err)
		}
		return apptest.Value[int](t, b.w, "select count(*) from river.river_job where kind = 'accounting.expiry'")
	}
	if n := jobs(); n != 0 {
		t.Errorf("%d on the first day", n)
	}
	b.w.Clock.Advance(71 * 24 * time.Hour) // of 100
	if n, again := jobs(), jobs(); n != 1 || again != 1 {
		t.Errorf("%d, then %d", n, again)
	}
}

// No token is in the database, a backup, a log or an error. A106.
func TestA106_TokensAreSealed(t *testing.T) {
	var log bytes.Buffer
	b := open(t)
	var seen []string
	b.Service = accounting.New(accounting.Options{
		DB: b.w.DB, Provider: spy{b.Client, &seen}, Keys: b.Keys,
		Log: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	})
	b.connect(t, ledgersim.RealmUSD)
	b.w.Clock.Advance(2 * time.Hour)
	b.sell(t, 2200)
	b.nextDay(t)
	b.confirmAll(t)
	b.due(t)
	if err := b.Sim.Revoke(ledgersim.RealmUSD); err != nil {
		t.Fatal(err)
	}
	b.w.Clock.Advance(2 * time.Hour)
	_, err := b.Map(t.Context(), b.Owner)
	if len(seen) < 4 {
		t.Fatalf("%d tokens were seen", len(seen))
	}
	var dump strings.Builder
	for _, table := range apptest.Values[string](t, b.w, `select c.relname from pg_class c
		where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'`) {
		for _, row := range apptest.Values[string](t, b.w, fmt.Sprintf("select x::text from %s x", table)) {
			dump.WriteString(row + "\n")
		}
	}
	backedUp := backupOf(t, b.w)
	text := dump.String() + backedUp + log.String() + fmt.Sprintf("%v %+v %#v", err, b.Service, b.live(t))
	for _, token := range seen {
		if strings.Contains(text, token) || strings.Contains(text, fmt.Sprintf("%x", token)) {
			t.Errorf("a token is readable")
		}
	}
	if !strings.Contains(dump.String(), ledgersim.RealmUSD) || !strings.Contains(backedUp, ledgersim.RealmUSD) {
		t.Error("the dump or the backup has no connection")
	}
	// A value moved to the row of another business does not open: that connection stays unusable, and nothing of it is
	// sent.
	other := open(t)
	other.Accounts, other.Service = b.Accounts, accounting.New(accounting.Options{
		DB: other.w.DB, Provider: b.Client, Keys: b.Keys, Log: slog.New(slog.DiscardHandler)})
	other.connect(t, ledgersim.RealmEUR)
	stolen := apptest.Value[[]byte](t, b.w,
		"select coalesce((select access from accounting_tokens limit 1), decode('00', 'hex'))")
	other.w.SQL(t, "update accounting_tokens set access = $1", stolen)
	if _, err := other.Map(t.Context(), other.Owner); !errors.Is(err, sealed.ErrUnsealable) {
		t.Errorf("a moved token opens: %v", err)
	}
}

// backupOf returns the statements of a backup of the database.
func backupOf(t *testing.T, w *apptest.World) string {
	t.Helper()
	programs := backup.Programs{Environ: os.Environ(), Say: func(string) {}}
	source := backup.Source{URL: w.URL("postgres"), Fingerprint: "f00d", Build: "42", Clock: w.Clock}
	path, manifest, err := backup.Write(t.Context(), programs, source, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	file, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	dump, err := file.Open("database.dump")
	if err != nil {
		t.Fatal(err)
	}
	client, err := embedded.FindClient(t.Context(), embedded.Options{}, manifest.DumpMajor)
	if err != nil {
		t.Fatal(err)
	}
	restore := exec.CommandContext(t.Context(), filepath.Join(client.Dir, "pg_restore"), "--file=-")
	restore.Stdin = dump
	text, err := restore.Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

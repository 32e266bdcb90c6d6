package identity_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/fault"
	"foyer/app/identity"
	"foyer/app/tenancy"
)

// A39, A44: one round trip, with or without a renewal.
func TestAuthenticateIsOneTrip(t *testing.T) {
	w := apptest.Open(t)
	p := w.People(t)
	in, who := p.SignIn(t, "ana@example.com")
	for name, ahead := range map[string]time.Duration{"at once": 0, "two hours later": 2 * time.Hour} {
		w.Clock.Advance(ahead)
		n := w.Statements(func() {
			got, err := p.Authenticate(t.Context(), in.Token)
			if err != nil || got != who {
				t.Errorf("%s: %+v (%v)", name, got, err)
			}
		})
		if n != 1 {
			t.Errorf("%s: %d trips", name, n)
		}
	}
}

// A44, A56: every token without a live session is refused in one way; text that cannot be a token costs nothing.
func TestAuthenticateRefuses(t *testing.T) {
	w := apptest.Open(t)
	p := w.People(t)
	in, who := p.SignIn(t, "ana@example.com")
	unknown := strings.Repeat("A", 43)
	for name, c := range map[string]struct {
		token string
		trips int
	}{
		"empty": {"", 0}, "short": {in.Token[1:], 0}, "long": {in.Token + "A", 0}, "not base64url": {strings.Repeat("+", 43), 0},
		"a key": {"bk_" + strings.Repeat("a", 46), 0}, "unknown": {unknown, 1}, "another case": {strings.ToUpper(in.Token), 1},
	} {
		n := w.Statements(func() {
			if _, err := p.Authenticate(t.Context(), c.token); !errors.Is(err, identity.ErrSession) {
				t.Errorf("%s: %v", name, err)
			}
		})
		if n > c.trips {
			t.Errorf("%s: %d trips", name, n)
		}
	}
	if err := p.Logout(t.Context(), who); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Authenticate(t.Context(), in.Token); !errors.Is(err, identity.ErrSession) {
		t.Errorf("after the logout: %v", err)
	}
	if err := p.Logout(t.Context(), who); err != nil {
		t.Errorf("a second logout: %v", err)
	}
}

// A44: thirty days from the last use, ninety at most; renewed at most once an hour. Signing in again works.
func TestSessionsSlide(t *testing.T) {
	w := apptest.Open(t)
	p := w.People(t)
	const day = 24 * time.Hour
	in, who := p.SignIn(t, "ana@example.com")
	ends := func() time.Duration {
		return apptest.Value[time.Time](t, w, "select expires_at from sessions where id = $1", who.Session).Sub(apptest.Start)
	}
	use := func(at time.Duration) error {
		w.Clock.Set(apptest.Start.Add(at))
		_, err := p.Authenticate(t.Context(), in.Token)
		return err
	}
	for _, step := range []struct{ at, end time.Duration }{
		{59 * time.Minute, 30 * day},
		{time.Hour, 30*day + time.Hour},
		{time.Hour + 30*time.Minute, 30*day + time.Hour},
		{29 * day, 59 * day},
		{58 * day, 88 * day},
		{87 * day, 90 * day},
		{90*day - time.Minute, 90 * day},
	} {
		if err := use(step.at); err != nil {
			t.Fatalf("after %v: %v", step.at, err)
		}
		if got := ends(); got != step.end {
			t.Errorf("used after %v, it ends after %v, want %v", step.at, got, step.end)
		}
	}
	if err := use(90 * day); !errors.Is(err, identity.ErrSession) {
		t.Errorf("after ninety days: %v", err)
	}
	in, who = p.SignIn(t, "ana@example.com")
	if err := use(120*day - time.Second); err != nil {
		t.Errorf("a new session, used at its end: %v", err)
	}
	in, _ = p.SignIn(t, "ana@example.com")
	if err := use(150*day + time.Second); !errors.Is(err, identity.ErrSession) {
		t.Errorf("unused for thirty days: %v", err)
	}
}

func TestSessionsAndRevoke(t *testing.T) {
	w := apptest.Open(t)
	p := w.People(t)
	_, old := p.SignIn(t, "ana@example.com")
	w.Clock.Advance(time.Minute)
	lost, gone := p.SignIn(t, "ana@example.com")
	w.Clock.Advance(time.Minute)
	_, who := p.SignIn(t, "ana@example.com")
	_, stranger := p.SignIn(t, "bob@example.com")

	list, err := p.Sessions(t.Context(), who)
	if err != nil || len(list) != 3 || list[0].ID != who.Session || !list[0].Current || list[1].Current || list[2].ID != old.Session {
		t.Fatalf("sessions %+v (%v)", list, err)
	}
	if list[0].Agent != "a test" || !list[2].CreatedAt.Equal(apptest.Start) {
		t.Errorf("a session reads %+v", list[0])
	}
	if err := p.RevokeSession(t.Context(), who, gone.Session); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Authenticate(t.Context(), lost.Token); !errors.Is(err, identity.ErrSession) {
		t.Errorf("the next use of a revoked session: %v", err)
	}
	for name, id := range map[string]uuid.UUID{"unknown": uuid.New(), "a stranger's": stranger.Session, "revoked": gone.Session} {
		err := p.RevokeSession(t.Context(), who, id)
		if f := fault.From(err); f == nil || f.Kind != fault.NotFound || f.Error() != fault.Missing().Error() {
			t.Errorf("%s session: %v", name, err)
		}
	}
	if list, err := p.Sessions(t.Context(), stranger); err != nil || len(list) != 1 {
		t.Errorf("the stranger has %d sessions (%v)", len(list), err)
	}
	w.Clock.Advance(31 * 24 * time.Hour)
	if list, err := p.Sessions(t.Context(), who); err != nil || len(list) != 0 {
		t.Errorf("ended sessions are listed: %+v (%v)", list, err)
	}
}

// A49, A50: a key is refused by 403, a visitor by 401.
func TestVerbsOfAPersonNeedOne(t *testing.T) {
	p := apptest.Open(t).People(t)
	ctx := t.Context()
	for name, c := range map[string]struct {
		who  tenancy.Principal
		want error
	}{
		"nobody": {tenancy.Principal{}, identity.ErrSignIn},
		"a key":  {tenancy.Principal{Actor: tenancy.Actor{Kind: tenancy.ActorKey, ID: uuid.New()}}, identity.ErrKeyRefused},
		"a job":  {tenancy.System(uuid.New(), tenancy.SurfaceJob).Principal, identity.ErrSignIn},
	} {
		_, list := p.Sessions(ctx, c.who)
		_, read := p.Profile(ctx, c.who)
		_, write := p.UpdateProfile(ctx, c.who, identity.ProfileInput{})
		for verb, err := range map[string]error{
			"sessions": list, "profile": read, "update": write, "logout": p.Logout(ctx, c.who),
			"revoke": p.RevokeSession(ctx, c.who, uuid.New()),
		} {
			if !errors.Is(err, c.want) {
				t.Errorf("%s of %s: %v", verb, name, err)
			}
		}
	}
}

// Expired rows are deleted, live ones stay.
func TestTidy(t *testing.T) {
	w := apptest.Open(t)
	p := w.People(t)
	p.SignIn(t, "old@example.com")
	w.Clock.Advance(36 * 24 * time.Hour)
	if err := p.Tidy(t.Context()); err != nil {
		t.Fatal(err)
	}
	if s, c := count(t, w, "select count(*) from sessions"), count(t, w, "select count(*) from challenges"); s != 1 || c != 0 {
		t.Errorf("six days after a session ended: %d sessions, %d challenges", s, c)
	}
	w.Clock.Advance(2 * 24 * time.Hour)
	live, _ := p.SignIn(t, "new@example.com")
	_, gone := p.SignIn(t, "gone@example.com")
	if err := p.Logout(t.Context(), gone); err != nil {
		t.Fatal(err)
	}
	if err := p.Tidy(t.Context()); err != nil {
		t.Fatal(err)
	}
	if s := count(t, w, "select count(*) from sessions"); s != 2 {
		t.Errorf("%d sessions", s)
	}
	if _, err := p.Authenticate(t.Context(), live.Token); err != nil {
		t.Error(err)
	}
}

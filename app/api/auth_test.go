package api_test

import (
	"fmt"
	"net/http"
	"regexp"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/identity"

	"foyer/app/web"
	"foyer/app/web/op"
)

// TestChallenge: the response is exactly a challengeId, the same for known and unknown addresses, and a code of six
// digits is mailed. A34, A36, A64.
func TestChallenge(t *testing.T) {
	h := open(t)
	h.signIn("known@example.com")
	for _, email := range []string{"known@example.com", "unknown@example.com", " Mixed@Example.COM "} {
		a := h.expect(200, call{method: "POST", path: "/auth/challenges", body: js(object{"email": email, "channel": "email_code"})})
		if len(a.data()) != 1 {
			t.Errorf("%s", a)
		}
	}
	if _, code := h.askCode("rosa@example.com"); !regexp.MustCompile(`^[0-9]{6}$`).MatchString(code) {
		t.Errorf("code %q", code)
	}
}

// TestChallengeRefuses: an unknown channel, no channel, no address, an invalid address. A35, A36.
func TestChallengeRefuses(t *testing.T) {
	h := open(t)
	for body, field := range map[string]string{
		`{"email":"rosa@example.com","channel":"pigeon"}`: "body.channel",
		`{"email":"rosa@example.com"}`:                    "body.channel",
		`{"channel":"email_code"}`:                        "body.email",
		`{"email":"rosa","channel":"email_code"}`:         "body.email",
		`{"email":"","channel":"email_code"}`:             "body.email",
		`{"email":7,"channel":"email_code"}`:              "body.email",
	} {
		a := h.expect(400, call{method: "POST", path: "/auth/challenges", body: body})
		if f := a.fields(); len(f) == 0 || f[0] != field {
			t.Errorf("%s: %v", body, f)
		}
	}
}

// TestVerify: the right code signs in and returns exactly a token and its expiry; a wrong one, an unknown challenge
// and a used one are 401 alike. A37, A38.
func TestVerify(t *testing.T) {
	h := open(t)
	challenge, code := h.askCode("rosa@example.com")
	try := func(challenge, code string) answer {
		return h.do(call{method: "POST", path: "/auth/verify", body: js(object{"challengeId": challenge, "code": code})})
	}
	wrong := try(challenge, other(code))
	right := try(challenge, code[:3]+" "+code[3:])
	if data := right.data(); right.status != 200 || len(data) != 2 || right.text("token") == "" || right.text("expiresAt") == "" {
		t.Errorf("%s", right)
	}
	for name, a := range map[string]answer{"wrong": wrong, "used": try(challenge, code), "unknown": try(uuid.NewString(), code), "text": try(challenge, "abc")} {
		if a.status != 401 || string(a.body) != string(wrong.body) {
			t.Errorf("%s: %s", name, a)
		}
	}
	if a := try("nonsense", code); a.status != 400 {
		t.Errorf("%s", a)
	}
}

// other returns a different code.
func other(code string) string {
	if code == "000000" {
		return "000001"
	}
	return "000000"
}

// TestVerifyBounds: five tries, ten minutes. A38.
func TestVerifyBounds(t *testing.T) {
	h := open(t)
	try := func(challenge, code string) int {
		return h.do(call{method: "POST", path: "/auth/verify", body: js(object{"challengeId": challenge, "code": code})}).status
	}
	challenge, code := h.askCode("five@example.com")
	for range identity.CodeTry {
		try(challenge, other(code))
	}
	if got := try(challenge, code); got != 401 {
		t.Errorf("after five tries: %d", got)
	}
	challenge, code = h.askCode("late@example.com")
	h.Clock.Advance(10*time.Minute + time.Second)
	if got := try(challenge, code); got != 401 {
		t.Errorf("after ten minutes: %d", got)
	}
}

// TestChallengeLimits: ten codes per address and, by default, a hundred per visitor in fifteen minutes; then 429 with the
// seconds to wait, the same for known and unknown addresses. A75, A217.
func TestChallengeLimits(t *testing.T) {
	h := open(t, func(o *web.Options) { o.Limits = op.Limits{} })
	ask := func(email, visitor string) answer {
		return h.do(call{method: "POST", path: "/auth/challenges", remote: visitor, body: js(object{"email": email, "channel": "email_code"})})
	}
	for n := range 11 {
		want := map[bool]int{true: 200, false: 429}[n < 10]
		if a := ask("rosa@example.com", fmt.Sprintf("198.51.100.%d", n)); a.status != want {
			t.Fatalf("code %d for one address: %s", n+1, a)
		}
	}
	for n := range 101 {
		want := map[bool]int{true: 200, false: 429}[n < 100]
		if a := ask(fmt.Sprintf("p%d@example.com", n), "203.0.113.9"); a.status != want {
			t.Fatalf("code %d for one visitor: %s", n+1, a)
		}
	}
	h.Clock.Advance(15 * time.Minute)
	if a := ask("rosa@example.com", "203.0.113.9"); a.status != 200 {
		t.Errorf("in the next window: %s", a)
	}
}

// TestProfile: a session reads and changes its own person, and no other credential does. A4, A39, A49, A56.
func TestProfile(t *testing.T) {
	h := open(t)
	rosa := h.signIn("rosa@example.com")
	p := h.expect(200, call{path: "/me/profile", token: rosa})
	if p.text("email") != "rosa@example.com" {
		t.Errorf("%s", p)
	}
	change := func(version int64, body object) answer {
		body["version"] = version
		return h.do(call{method: http.MethodPatch, path: "/me/profile", token: rosa, body: js(body)})
	}
	if a := change(p.number("version"), object{"name": "Rosa", "zone": "Europe/Lisbon"}); a.status != 200 || a.text("name") != "Rosa" {
		t.Errorf("%s", a)
	}
	if a := change(p.number("version"), object{"name": "Late"}); a.status != 409 || a.reason() != "stale_version" {
		t.Errorf("%s", a)
	}
	if a := change(1, object{"zone": "Nowhere"}); a.status != 400 {
		t.Errorf("%s", a)
	}
	h.expect(401, call{path: "/me/profile"})
	key, _ := h.open("Harbour").key()
	h.expect(403, call{path: "/me/profile", token: key})
	h.expect(401, call{path: "/me/profile", token: key + "x"})
}

// TestSessions: a session ends by signing out, by another session of the person, and by time; repeating the sign-in
// works. A44, A56.
func TestSessions(t *testing.T) {
	h := open(t)
	first, second, stranger := h.signIn("rosa@example.com"), h.signIn("rosa@example.com"), h.signIn("ben@example.com")
	list := h.expect(200, call{path: "/auth/sessions", token: second}).list("items")
	if len(list) != 2 || list[0]["current"] != true || list[1]["current"] != false {
		t.Fatalf("%v", list)
	}
	old := "/auth/sessions/" + list[1]["id"].(string)
	h.expect(404, call{method: "DELETE", path: old, token: stranger})
	h.expect(204, call{method: "DELETE", path: old, token: second})
	h.expect(404, call{method: "DELETE", path: old, token: second})
	h.expect(401, call{path: "/me/profile", token: first})
	h.expect(204, call{method: "POST", path: "/auth/logout", token: second})
	h.expect(401, call{path: "/me/profile", token: second})
	h.expect(401, call{method: "POST", path: "/auth/logout", token: second})

	h.Clock.Advance(29 * 24 * time.Hour)
	h.expect(200, call{path: "/me/profile", token: stranger})
	h.Clock.Advance(29 * 24 * time.Hour) // used in between: it slides
	h.expect(200, call{path: "/me/profile", token: stranger})
	h.Clock.Advance(31 * 24 * time.Hour)
	h.expect(401, call{path: "/me/profile", token: stranger})
	h.expect(200, call{path: "/me/profile", token: h.signIn("ben@example.com")})
}

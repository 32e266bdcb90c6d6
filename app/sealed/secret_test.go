package sealed_test

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"html/template"
	"log/slog"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"foyer/app/sealed"
)

// verbs are those of package fmt, and one that it does not have.
var verbs = []string{
	"%v", "%+v", "%#v", "%s", "%q", "%#q", "%x", "%X", "% x", "%d", "%o", "%b", "%c", "%e", "%t", "%p", "%U",
	"%10s", "%.3s", "%T", "%z",
}

// response has a secret as a provider's response has it, and as a domain may.
type response struct {
	Access  sealed.Secret  `json:"access_token"`
	Refresh *sealed.Secret `json:"refresh_token"`
	private sealed.Secret
	list    []sealed.Secret
	named   map[string]sealed.Secret
}

func secrets() []any {
	s := sealed.NewSecret(token)
	r := response{s, &s, s, []sealed.Secret{s}, map[string]sealed.Secret{"a": s}}
	return []any{s, &s, r.list, r.named, r, &r, []any{r}, fmt.Errorf("no: %v", s), struct{ any }{s}}
}

// clean fails the test if text has the token, or its bytes as numbers.
func clean(t *testing.T, how, text string) {
	t.Helper()
	low := strings.ToLower(text)
	part := token[:6]
	decimal := strings.Trim(fmt.Sprintf("%d", []byte(part)), "[]")
	for _, leak := range []string{part, fmt.Sprintf("%x", part), fmt.Sprintf("% x", part), decimal} {
		if strings.Contains(low, strings.ToLower(leak)) {
			t.Errorf("%s: %s", how, text)
		}
	}
}

func TestSecretDoesNotPrint(t *testing.T) {
	s := sealed.NewSecret(token)
	for _, verb := range verbs {
		for _, v := range secrets() {
			clean(t, fmt.Sprintf("%s of %T", verb, v), fmt.Sprintf(verb, v))
		}
		if out := fmt.Sprintf(verb, s); out != "[secret]" && verb != "%T" && verb != "%p" {
			t.Errorf("%s prints %s", verb, out)
		}
	}
	for how, out := range map[string]string{
		"Sprint": fmt.Sprint(s), "String": s.String(), "GoString": s.GoString(), "Errorf": fmt.Errorf("%v", s).Error(),
	} {
		if out != "[secret]" {
			t.Errorf("%s: %s", how, out)
		}
	}
	var page bytes.Buffer
	if err := template.Must(template.New("").Parse("{{.}} {{printf `%s` .}}")).Execute(&page, s); err != nil {
		t.Fatal(err)
	}
	clean(t, "html/template", page.String())
}

func TestSecretDoesNotMarshal(t *testing.T) {
	for _, v := range secrets() {
		body, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		clean(t, fmt.Sprintf("json of %T", v), string(body))
	}
	s := sealed.NewSecret(token)
	if body, err := json.Marshal(s); err != nil || string(body) != `"[secret]"` {
		t.Errorf("json: %s, %v", body, err)
	}
	type element struct{ Token sealed.Secret }
	if body, err := xml.Marshal(element{s}); err != nil || !strings.Contains(string(body), "[secret]") {
		t.Errorf("xml: %s, %v", body, err)
	}
	if v, err := s.Value(); err == nil || v != nil {
		t.Errorf("a statement takes the secret as %v", v)
	}
}

func TestSecretDoesNotLog(t *testing.T) {
	for name, handler := range map[string]func(*bytes.Buffer) slog.Handler{
		"text": func(b *bytes.Buffer) slog.Handler { return slog.NewTextHandler(b, nil) },
		"json": func(b *bytes.Buffer) slog.Handler { return slog.NewJSONHandler(b, nil) },
	} {
		for _, v := range secrets() {
			var out bytes.Buffer
			log := slog.New(handler(&out)).With("with", v)
			log.Info("token", "is", v, slog.Group("in", "a", v))
			log.LogAttrs(context.Background(), slog.LevelError, "token", slog.Any("is", v))
			clean(t, fmt.Sprintf("slog %s of %T", name, v), out.String())
		}
		var out bytes.Buffer
		slog.New(handler(&out)).Info("token", "is", sealed.NewSecret(token))
		if !strings.Contains(out.String(), "[secret]") {
			t.Errorf("%s: %s", name, &out)
		}
	}
}

func TestSecretIsReadAndRevealed(t *testing.T) {
	var r response
	if err := json.Unmarshal([]byte(`{"access_token":"`+token+`","refresh_token":null}`), &r); err != nil {
		t.Fatal(err)
	}
	if r.Access.Reveal() != token || r.Access.IsZero() || r.Refresh != nil {
		t.Errorf("read %q, %v", r.Access.Reveal(), r.Refresh)
	}
	if !r.private.IsZero() || r.private.Reveal() != "" {
		t.Error("the zero value has a token")
	}
	if err := json.Unmarshal([]byte(`{"access_token":"[secret]"}`), &r); err == nil || r.Access.Reveal() != token {
		t.Errorf("%v: a marshaled secret was read as a token", err)
	}
	one, two := sealed.NewSecret(token), sealed.NewSecret(token)
	if !one.Equal(two) || one.Equal(sealed.NewSecret("x")) || one.Equal(sealed.Secret{}) {
		t.Error("Equal compares the tokens")
	}
	if !cmp.Equal(one, two) || !reflect.DeepEqual(one, two) || reflect.TypeFor[sealed.Secret]().Comparable() {
		t.Error("tests compare the tokens, and == does not compile")
	}
}

package op

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/clock"
	"foyer/app/tenancy"
)

// A token keeps the whole call, with the caller and the pin; it is of one deployment, and ends.
func TestUploadTokens(t *testing.T) {
	now := time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
	c := clock.NewFixed(now)
	u := NewUploads(bytes.Repeat([]byte("w"), 32), c)
	want := Upload{
		Operation: "updateAgreement", Business: uuid.New(), Values: []string{uuid.NewString(), "a word", uuid.NewString()},
		Body: json.RawMessage(`{"title":"Hall"}`), Bearer: "secret-token", Surface: tenancy.SurfaceAssistant, Pin: uuid.New(),
		ExpiresAt: now.Add(UploadLife),
	}
	token, err := u.seal(want)
	if err != nil {
		t.Fatal(err)
	}
	got, ok := u.open(token)
	if want.Key = got.Key; len(got.Key) < 16 || !ok || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %t", got, ok)
	}
	in, sent := got.Call(t.Context(), "192.0.2.7", File{Data: []byte("x")})
	if in.Bearer != want.Bearer || in.Pin != want.Pin || in.Surface != want.Surface || in.Visitor != "192.0.2.7" ||
		sent.Key != got.Key || string(sent.Body) != string(want.Body) || string(sent.File.Data) != "x" {
		t.Errorf("%+v %+v", in, sent)
	}
	again, err := u.seal(want)
	if other, _ := u.open(again); err != nil || again == token || other.Key == got.Key {
		t.Error("two tokens of one call are one")
	}
	for name, other := range map[string]*Uploads{
		"another secret": NewUploads(bytes.Repeat([]byte("x"), 32), c),
		"its end":        NewUploads(bytes.Repeat([]byte("w"), 32), clock.NewFixed(want.ExpiresAt)),
	} {
		if got, ok := other.open(token); ok {
			t.Errorf("%s: %+v", name, got)
		}
	}
	for i := range token {
		changed := []byte(token)
		changed[i] ^= 1
		if _, ok := u.open(string(changed)); ok {
			t.Fatalf("byte %d can be changed", i)
		}
	}
}

package identity

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"

	"github.com/google/uuid"

	"foyer/app/tenancy"
)

// Origin is who asks for a code, or gives one back: what limits count by, so that nobody uses up somebody else's.
type Origin struct {
	Visitor  string   // address; those without one count as one visitor together
	SignedIn string   // e-mail of the person whose live session this is; empty without
	Language string   // of the page that asks; empty when unknown. The code comes in it, and it is the person's until they choose one
	Device   string   // SignIn.Device of an earlier sign-in in the same browser; empty without
	At       Location // on whose pages they ask; the zero value on the product's own
}

// Location is a location on whose pages somebody signs in.
type Location struct {
	Business uuid.UUID `json:"business"`
	Location uuid.UUID `json:"location"`
}

// Studio is the location of a Place as a mail shows it; the zero value is the product.
type Studio struct {
	Name    string
	Accent  string // "#rrggbb"
	Country string // ISO 3166-1 alpha-2
	Foot    string // where it is, in one line
}

// source is whose allowance for an address is counted: a device that signed in as that person before and a live session of
// theirs have their own, and everybody else has that of their network. So whoever asks for codes for a stranger, or guesses
// at them, shuts the door to their own network only, and not even there to the stranger. booking.md 1.2.
func (s *Service) source(a Origin, address string) string {
	switch {
	case a.SignedIn == address:
		return "person"
	case s.isDeviceOf(a.Device, address):
		return "device " + a.Device
	}
	network, _ := tenancy.Network(a.Visitor)
	return "network " + network
}

// ofSource names the rate window of an address and a source.
func ofSource(kind, address, source string) string { return bucket(kind, address+"\n"+source) }

// A device's token is a name and the proof that the server made it for that address. It opens nothing.
const deviceBytes = 16

// deviceOf is the token of the device on which a session was opened.
func (s *Service) deviceOf(session, address string) string {
	name := s.mac("identity.device.name", session)
	return base64.RawURLEncoding.EncodeToString(append(name, s.mac("identity.device", string(name)+address)...))
}

func (s *Service) isDeviceOf(token, address string) bool {
	raw, err := base64.RawURLEncoding.DecodeString(token)
	return err == nil && len(raw) == 2*deviceBytes &&
		hmac.Equal(raw[deviceBytes:], s.mac("identity.device", string(raw[:deviceBytes])+address))
}

func (s *Service) mac(purpose, text string) []byte {
	m := hmac.New(sha256.New, s.pepper)
	m.Write([]byte(purpose + "\x00" + text))
	return m.Sum(nil)[:deviceBytes]
}

package identity

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"

	"github.com/google/uuid"

	"foyer/app/tenancy"
)

// Origin is the origin of a request for a code, or of a try of one. Rate limits count by it, so that no caller
// exhausts the limit of another.
type Origin struct {
	Visitor  string   // address; all requests without one share one limit
	SignedIn string   // e-mail of the live session's person; empty without
	Language string   // of the page; empty when unknown. The mail uses it, and a person without a language gets it
	Device   string   // SignIn.Device of an earlier sign-in in the same browser; empty without
	At       Location // location of the page; zero for the product's own pages
}

// Location is a location with a sign-in page.
type Location struct {
	Business uuid.UUID `json:"business"`
	Location uuid.UUID `json:"location"`
}

// Studio is a Location as a mail shows it; the zero value is the product.
type Studio struct {
	Name    string
	Accent  string // "#rrggbb"
	Country string // ISO 3166-1 alpha-2
	Foot    string // its address, in one line
}

// source returns the source under which requests for an address are counted. A device with an earlier sign-in of that
// person, and a live session of theirs, each count on their own; all others count by network. So requesting or
// guessing codes for a stranger blocks one's own network only, and the stranger not even there. booking.md 1.2.
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

// deviceBytes is the size of a device's name. A device's token is its name and a proof that the server made it for
// that address. It grants no access.
const deviceBytes = 16

// deviceOf returns the token of the device of a session.
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

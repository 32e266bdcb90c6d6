package identity

import (
	"context"
	"crypto/subtle"
	"strings"
	"time"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/pg"
)

// ErrCode is returned for every code that does not sign in, whatever the cause. A38.
var ErrCode = fault.New(fault.Unauthorized, "", "This code is not valid. Request a new one.")

// VerifyInput is a code to verify. Spaces and hyphens in Code are ignored.
type VerifyInput struct {
	Challenge uuid.UUID
	Code      string
	Agent     string // the client's user agent, for the list of sessions; cut to MaxAgent
	By        Origin
}

// SignIn is a new session. Token is shown only once; ExpiresAt is the end of the session without further use. Device
// is for the browser to store and send again (Origin): it proves an earlier sign-in of this person there, without
// naming them. A37.
type SignIn struct {
	Token     string
	Device    string
	Locale    string // the person's language; empty while it is unknown
	ExpiresAt time.Time
}

// verdict is the result of a try, as stored for a repetition of the request.
type verdict struct {
	Right     bool
	Token     []byte // sealed, as is Device
	Device    []byte
	Locale    string
	ExpiresAt time.Time
}

// Verify exchanges a code for a session, and creates the person of a new address. It counts the try under a lock of
// the challenge before it compares, and commits the count in any case; hence a wrong code is a result inside the
// transaction and an error outside. The only error is ErrCode. A37, A38.
func (s *Service) Verify(ctx context.Context, in VerifyInput) (SignIn, error) {
	v, err := pg.InTx(ctx, s.db, noBusiness, func(tx *pg.Tx) (verdict, error) {
		c, open, err := countTry(ctx, tx, in.Challenge)
		if err != nil || !open {
			return verdict{}, err
		}
		right, err := s.compare(ctx, tx, c.Email, in)
		if err != nil || !right {
			return verdict{}, err
		}
		return s.signIn(ctx, tx, c, in)
	})
	if err != nil {
		return SignIn{}, err
	}
	if !v.Right {
		return SignIn{}, ErrCode
	}
	token, err := s.seal.Show(v.Token)
	if err != nil {
		return SignIn{}, err
	}
	device, err := s.seal.Show(v.Device)
	return SignIn{Token: token, Device: device, Locale: v.Locale, ExpiresAt: v.ExpiresAt}, err
}

// compare reports whether the code is the challenge's. Every guess is first counted among the day's wrong codes for
// that address and source, and a right one is subtracted again; at the day's limit nothing is compared.
func (s *Service) compare(ctx context.Context, tx *pg.Tx, address string, in VerifyInput) (bool, error) {
	wrong := wrongOf(address, s.source(in.By, address))
	guesses, err := countGuess(ctx, tx, wrong)
	if err != nil || guesses > s.limits.WrongADay {
		return false, err
	}
	given := strings.NewReplacer(" ", "", "-", "").Replace(in.Code)
	if subtle.ConstantTimeCompare([]byte(given), []byte(s.codeOf(in.Challenge))) == 0 {
		return false, nil
	}
	return true, uncountGuess(ctx, tx, wrong)
}

func (s *Service) signIn(ctx context.Context, tx *pg.Tx, c opened, in VerifyInput) (verdict, error) {
	if err := consumeChallenge(ctx, tx, in.Challenge); err != nil {
		return verdict{}, err
	}
	person, err := verifiedPerson(ctx, tx, c.Email, c.Language)
	if err != nil {
		return verdict{}, err
	}
	token, hash := newToken()
	until, err := insertSession(ctx, tx, person.ID, hash, clipLine(in.Agent, MaxAgent))
	if err != nil {
		return verdict{}, err
	}
	return verdict{Right: true, Token: s.seal.Hide(token), Device: s.seal.Hide(s.deviceOf(token, c.Email)), Locale: person.Locale, ExpiresAt: until}, nil
}

package identity

import (
	"context"

	"foyer/app/fault"
	"foyer/app/names"
	"foyer/app/patch"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// Profile returns the signed-in person. Errors: ErrSignIn, ErrKeyRefused. A39.
func (s *Service) Profile(ctx context.Context, p tenancy.Principal) (Person, error) {
	id, err := PersonOf(p)
	if err != nil {
		return Person{}, err
	}
	return personByID(ctx, s.db.View(noBusiness), id)
}

// ProfileInput changes a profile. A nil field is unchanged; an empty Phone or Zone is removed.
type ProfileInput struct {
	Version int64   // of the profile that was read
	Name    *string // 1 to MaxName characters
	Phone   *string
	Locale  *string // "pt-BR"; empty: as the studio writes
	Zone    *string // "America/Sao_Paulo"
}

// Validate trims the texts and checks them. The fields of an error are name, phone, locale, zone.
func (in *ProfileInput) Validate() error {
	var c fault.Checks
	for _, f := range []struct {
		name string
		text *string
		ok   func(string) bool
		say  string
	}{
		{"name", in.Name, func(s string) bool { return s != "" && IsLine(s, MaxName) }, "Enter a name of at most 120 characters, on one line."},
		{"phone", in.Phone, func(s string) bool { return s == "" || KnownPhone(s) }, "Enter a phone number, like +1 555 010 9999."},
		{"locale", in.Locale, func(s string) bool { return s == "" || KnownLocale(s) }, "Write a language tag, like en or pt-BR."},
		{"zone", in.Zone, func(s string) bool { return s == "" || KnownZone(s) }, "Write a time zone of the IANA list, like Europe/Lisbon."},
	} {
		if f.text != nil {
			*f.text = names.Clean(*f.text)
			c.That(f.ok(*f.text), f.name, f.say)
		}
	}
	return c.Err()
}

// UpdateProfile changes the signed-in person's own profile and returns it. The address cannot change: the codes
// verify it. Errors:
//
//   - Validation
//   - fault.ErrStale
//   - ErrSignIn
//   - ErrKeyRefused
func (s *Service) UpdateProfile(ctx context.Context, p tenancy.Principal, in ProfileInput) (Person, error) {
	id, err := PersonOf(p)
	if err != nil {
		return Person{}, err
	}
	if err := in.Validate(); err != nil {
		return Person{}, err
	}
	return pg.InTx(ctx, s.db, noBusiness, func(tx *pg.Tx) (Person, error) {
		person, err := lockPerson(ctx, tx, id)
		if err != nil {
			return Person{}, err
		}
		if err := fault.Stale(in.Version, person.Version); err != nil {
			return Person{}, err
		}
		patch.Set(&person.Name, in.Name)
		patch.Set(&person.Phone, in.Phone)
		patch.Set(&person.Locale, in.Locale)
		patch.Set(&person.Zone, in.Zone)
		return saveProfile(ctx, tx, person)
	})
}

package business

import (
	"context"
	"crypto/rand"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// Errors about addresses.
var (
	// ErrSlugTaken is the same for every owner of the address, and for current and former addresses.
	ErrSlugTaken = fault.New(fault.Conflict, "slug_taken", "This address is already in use. Choose another one.")
	// ErrTooManySlugs is returned when a record has had its maximum of addresses.
	ErrTooManySlugs = fault.New(fault.Conflict, "too_many_slugs", "The address has changed too often. Use a former one.")
)

// Found is the target of a root slug.
type Found struct {
	Business uuid.UUID
	Location uuid.UUID // uuid.Nil: the business itself
	Slug     string    // the current address
	Redirect bool      // the slug is a former address or another spelling: redirect to Slug
}

// FindSlug finds the business or location at the first part of a public address, in one round trip and without a
// known business. Errors: fault.Missing.
func (s *Service) FindSlug(ctx context.Context, first string) (Found, error) {
	slug := strings.ToLower(first)
	if tenancy.CheckSlug(slug) != nil {
		return Found{}, fault.Missing()
	}
	f, err := findSlug(ctx, s.o.DB.View(uuid.Nil), slug)
	f.Redirect = f.Slug != first
	return f, err
}

// takeSlug sets the first address of a new record: the wanted one, or the first free one derived from its name.
// Another record may take a free one in between, hence the rounds. owner is the location, nil for the business. near
// is the city of a location: it distinguishes a chain's second location better than a number.
func takeSlug(ctx context.Context, tx *pg.Tx, owner *uuid.UUID, wanted, name, near string) (string, error) {
	if wanted != "" {
		ok, err := occupySlug(ctx, tx, owner, wanted)
		return wanted, fault.When(!ok, ErrSlugTaken, err)
	}
	for range 3 {
		free, err := freeSlugs(ctx, tx, proposals(name, near, randomSuffix()))
		if err != nil {
			return "", err
		}
		for _, slug := range free {
			if ok, err := occupySlug(ctx, tx, owner, slug); ok || err != nil {
				return slug, err
			}
		}
	}
	return "", ErrSlugTaken
}

// ProposeSlug returns the address that a new business of that name would get: the first free one derived from the
// name. Another business may take it meanwhile.
func (s *Service) ProposeSlug(ctx context.Context, name string) (string, error) {
	free, err := freeSlugs(ctx, s.o.DB.View(uuid.Nil), proposals(name, "", randomSuffix()))
	if err != nil || len(free) == 0 {
		return "", err
	}
	return free[0], nil
}

// LocationLabel returns the name from which a location's address is derived: the studio's name, followed by those
// words of the location's name that the studio's does not have. "Hill Pilates" and "Hilltop" are "Hill Pilates
// Hilltop".
func LocationLabel(studio, location string) string {
	if strings.Contains(strings.ToLower(location), strings.ToLower(studio)) {
		return location
	}
	return studio + " " + location
}

// moveSlug changes a record's address. A former address of its own becomes current again; the present one stays as a
// redirect.
func moveSlug(ctx context.Context, tx *pg.Tx, owner *uuid.UUID, to string) error {
	back, err := leaveSlug(ctx, tx, owner, to)
	if err != nil || back {
		return err
	}
	n, err := countSlugs(ctx, tx, owner)
	if err := fault.When(n >= MaxSlugs, ErrTooManySlugs, err); err != nil {
		return err
	}
	ok, err := occupySlug(ctx, tx, owner, to)
	return fault.When(!ok, ErrSlugTaken, err)
}

// proposals returns the addresses derived from a name, in the order of attempts: the name itself, the name with its
// city, numbered ones, and one with a suffix that is almost always free.
func proposals(name, near, suffix string) []string {
	base := tenancy.Slugify(name, suffix)
	list := []string{base}
	if near != "" {
		if with := tenancy.Slugify(name+" "+near, suffix); with != base {
			list = append(list, with)
		}
	}
	for n := 2; n <= 9; n++ {
		list = append(list, withSuffix(base, strconv.Itoa(n)))
	}
	return append(list, withSuffix(base, suffix))
}

func withSuffix(base, suffix string) string {
	if most := tenancy.SlugMax - 1 - len(suffix); len(base) > most {
		base = strings.TrimRight(base[:most], "-")
	}
	return base + "-" + suffix
}

// randomSuffix returns four letters and digits that are hard to confuse.
func randomSuffix() string { return strings.ToLower(rand.Text()[:4]) }

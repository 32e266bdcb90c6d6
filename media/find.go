package media

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/app/tenancy"
	"foyer/policy"
)

// Sort is an order of photos.
type Sort string

// The orders: newest first, most used first, by title (A200).
const (
	Recent Sort = "recent"
	Used   Sort = "used"
	Name   Sort = "name"
)

// All lists the orders.
func (Sort) All() []Sort { return []Sort{Recent, Used, Name} }

// QueryMax is the maximum length of a search text, in characters.
const QueryMax = 100

// ListInput is a query for photos. A199.
type ListInput struct {
	Query    string // in the title, the alternative text or a tag, in any letter case
	Tag      string // exactly
	Unused   bool   // only those without a placement
	Archived bool   // archived ones, instead of the others
	Sort     Sort   // empty: Recent
	Limit    int    // 1 to 200; 0: 50
	Offset   int
}

// Page is a part of the photos. Total is the number of all matches.
type Page struct {
	Assets               []Asset
	Total, Limit, Offset int
}

// List lists photos of the business. The list is the same for every actor. It needs location.view somewhere.
func (s *Service) List(ctx context.Context, sc tenancy.Scope, in ListInput) (Page, error) {
	if err := policy.RequireAny(sc, policy.LocationView); err != nil {
		return Page{}, err
	}
	in.Query, in.Tag = strings.TrimSpace(in.Query), strings.TrimSpace(in.Tag)
	if in.Sort == "" {
		in.Sort = Recent
	}
	var c fault.Checks
	paging.Check(&c, in.Limit)
	c.That(in.Offset >= 0, "offset", "Use 0 or more.")
	c.That(isLine(in.Query, QueryMax), "q", fmt.Sprintf("Write at most %d characters.", QueryMax))
	c.That(isLine(in.Tag, QueryMax), "tag", fmt.Sprintf("Write at most %d characters.", QueryMax))
	_, known := orders[in.Sort]
	c.That(known, "sort", "Use recent, used or name.")
	if err := c.Err(); err != nil {
		return Page{}, err
	}
	in.Limit = paging.Size(in.Limit)
	rows, total, err := list(ctx, s.db.View(sc.Tenant), in)
	return Page{Assets: rows, Total: total, Limit: in.Limit, Offset: in.Offset}, err
}

// Detail is a photo and its placements.
type Detail struct {
	Asset
	Placements []Placement `json:"placements"`
}

// Get returns a photo, archived or not, and the records that it is attached to (A205). It needs location.view
// somewhere. Error: not found.
func (s *Service) Get(ctx context.Context, sc tenancy.Scope, id uuid.UUID) (Detail, error) {
	if err := policy.RequireAny(sc, policy.LocationView); err != nil {
		return Detail{}, err
	}
	return detail(ctx, s.db.View(sc.Tenant), id)
}

// Tags lists the tags of the business's photos that are not archived, each once, by name; at most 200. It needs
// location.view somewhere.
func (s *Service) Tags(ctx context.Context, sc tenancy.Scope) ([]string, error) {
	if err := policy.RequireAny(sc, policy.LocationView); err != nil {
		return nil, err
	}
	return tags(ctx, s.db.View(sc.Tenant))
}

// originalFor is the lifetime of an original's address.
const originalFor = 15 * time.Minute

// Original returns the download address of the uploaded file, valid for a quarter of an hour. It needs catalog.manage
// somewhere: a camera may have written the place and the time into it. Errors: not found; ErrStoreDown.
func (s *Service) Original(ctx context.Context, sc tenancy.Scope, id uuid.UUID) (string, error) {
	if err := policy.RequireAny(sc, policy.CatalogManage); err != nil {
		return "", err
	}
	a, err := find(ctx, s.db.View(sc.Tenant), id)
	if err != nil {
		return "", err
	}
	address, err := s.store.SignedURL(ctx, originalKey(sc.Tenant, a.ID, a.SHA256), fileName(a), originalFor)
	if err != nil {
		s.log.Error("signing the address of an original failed", "business", sc.Tenant, "photo", id, "error", err)
		return "", ErrStoreDown
	}
	return address, nil
}

// fileName is the file name of an original: its title, without characters that file names do not allow.
func fileName(a Asset) string {
	name := strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\"`, r) {
			return '-'
		}
		return r
	}, a.Title)
	const most = 200 // bytes
	for len(name) > most {
		_, size := utf8.DecodeLastRuneInString(name)
		name = name[:len(name)-size]
	}
	return name + "." + string(a.Format)
}

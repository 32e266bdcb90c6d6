package desk

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/console/ui"
	"foyer/app/fault"
	"foyer/app/tenancy"
	"foyer/app/web/op"
	rights "foyer/policy"
)

// Call is one request of a member of the team.
type Call struct {
	*fiber.Ctx
	Desk      *Desk
	Scope     tenancy.Scope
	Workspace business.Workspace
	Location  *business.Location // the selected one; nil: all of them
	UI        ui.Shell
	again     bool     // a form is to be shown as typed, and not run
	apart     []string // fields that are not part of a quote
	file      *op.File
	spoil     error // the form was incomplete, or had more than one file
}

// Context returns the request's context; a form's verb uses the one given to Form.Do.
func (c *Call) Context() context.Context { return c.UserContext() }

// May reports whether the caller holds the feature of an operation at some location of the business. Screens hide
// actions by it. It grants nothing: the verb checks again.
func (c *Call) May(operation string) bool {
	return c.Desk.web.Operations.Admits(operation, c.Scope.Grants) == nil
}

// MayAt is May at one location.
func (c *Call) MayAt(operation string, place uuid.UUID) bool {
	there := c.Scope.Grants
	there.AtLocation = map[uuid.UUID]tenancy.FeatureSet{place: there.AtLocation[place]}
	return c.Desk.web.Operations.Admits(operation, there) == nil
}

// MayReschedule reports whether the caller may reschedule a booking at a location: its other times are read there.
func (c *Call) MayReschedule(place uuid.UUID) bool {
	return c.MayAt("rescheduleBooking", place) && c.Scope.Grants.At(rights.LocationView, place)
}

// Customer returns the address of a customer's record, by a location of theirs; empty without the right to open it.
func (c *Call) Customer(id, place uuid.UUID) string {
	if !c.MayAt("getCustomer", place) {
		return ""
	}
	return c.To("/customers/" + id.String())
}

// AddsAt returns the location at which an operation adds a record: the selected one, if the caller may add one there.
func (c *Call) AddsAt(operation string) uuid.UUID {
	if c.Location != nil && c.MayAt(operation, c.Location.ID) {
		return c.Location.ID
	}
	return uuid.Nil
}

// To returns the address of a page of this business, from a path below it and pairs of parameters; an empty value
// omits its parameter.
func (c *Call) To(path string, params ...string) string { return c.UI.To(path, params...) }

// ID returns a record's id from the address. Text that is no id is not found.
func (c *Call) ID(name string) (uuid.UUID, error) {
	id, err := uuid.Parse(c.Params(name))
	if err != nil {
		return uuid.Nil, fault.Missing()
	}
	return id, nil
}

// Value returns a field of the posted form, or else a parameter of the address, without surrounding blanks.
func (c *Call) Value(name string) string {
	if c.Method() == fiber.MethodPost {
		return strings.TrimSpace(c.FormValue(name))
	}
	return strings.TrimSpace(c.Query(name))
}

// Values returns all values of a name.
func (c *Call) Values(name string) []string { return c.Inputs()[name] }

// Ticked reports whether a box is ticked.
func (c *Call) Ticked(name string) bool { return c.Value(name) != "" }

// Silent reports whether a box that is ticked by default (ui.Told) was unticked. A form without the box leaves it
// ticked.
func (c *Call) Silent(name string) bool { return c.Inputs().Has(ui.ToldMark(name)) && !c.Ticked(name) }

// UUID returns a field with a record's id; Nil when it is empty or no id.
func (c *Call) UUID(name string) uuid.UUID {
	id, _ := uuid.Parse(c.Value(name))
	return id
}

// UUIDs returns all values of a name that are ids.
func (c *Call) UUIDs(name string) []uuid.UUID {
	var out []uuid.UUID
	for _, v := range c.Values(name) {
		if id, err := uuid.Parse(v); err == nil {
			out = append(out, id)
		}
	}
	return out
}

// Number returns a field with a whole number. ok is false for other text.
func (c *Call) Number(name string) (n int, ok bool) {
	n, err := strconv.Atoi(c.Value(name))
	return n, err == nil
}

// Version returns the version of the form's record.
func (c *Call) Version() int64 {
	n, _ := strconv.ParseInt(c.Value("version"), 10, 64)
	return n
}

// Inputs returns the parameters of the address or the form, without those common to all forms: these begin with an
// underscore.
func (c *Call) Inputs() url.Values {
	out := url.Values{}
	args := c.Request().URI().QueryArgs()
	if c.Method() == fiber.MethodPost {
		args = c.Request().PostArgs()
	}
	for key, value := range args.All() {
		if name := string(key); !strings.HasPrefix(name, "_") {
			out.Add(name, string(value))
		}
	}
	return out
}

// File returns the uploaded file of the form. Error: Validation, on the field "file".
func (c *Call) File() (op.File, error) {
	if c.file == nil {
		return op.File{}, fault.Invalid("file", "Choose a file first.")
	}
	return *c.file, nil
}

// GivenFile is File of a form with an optional file; nil without one.
func (c *Call) GivenFile() *op.File { return c.file }

// OneLocation returns the location of a screen about one: the selected one, else the one that the address or the form
// has as "location". Nil: not chosen yet.
func (c *Call) OneLocation() *business.Location {
	if c.Location != nil {
		return c.Location
	}
	if i := slices.IndexFunc(c.Workspace.Locations, func(l business.Location) bool { return l.ID.String() == c.Value("location") }); i >= 0 {
		return &c.Workspace.Locations[i]
	}
	return nil
}

// LocationID returns the id of the selected location; Nil for all.
func (c *Call) LocationID() uuid.UUID {
	if c.Location == nil {
		return uuid.Nil
	}
	return c.Location.ID
}

// Together runs independent reads in parallel and waits for all of them.
func Together(reads ...func() error) error {
	errs := make([]error, len(reads))
	var all sync.WaitGroup
	for i, read := range reads[1:] {
		all.Go(func() { errs[i+1] = read() })
	}
	errs[0] = reads[0]()
	all.Wait()
	return errors.Join(errs...)
}

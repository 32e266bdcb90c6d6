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

// Call is one request of somebody of the team.
type Call struct {
	*fiber.Ctx
	Desk      *Desk
	Scope     tenancy.Scope
	Workspace business.Workspace
	Location  *business.Location // the one that the screens are about; nil: all of them
	UI        ui.Shell
	again     bool     // a form is to be shown as it was typed, and not done
	apart     []string // fields that are no part of a promise
	file      *op.File
	spoil     error // the form did not arrive whole, or with more than one file
}

// Context is the request's; verbs of a form take the one that Form.Do is given.
func (c *Call) Context() context.Context { return c.UserContext() }

// May tells whether the caller holds the feature of an operation somewhere in the business: what they may not do is not
// shown to them. It opens nothing: the verb asks again.
func (c *Call) May(operation string) bool {
	return c.Desk.web.Operations.Admits(operation, c.Scope.Grants) == nil
}

// MayAt is May at one place.
func (c *Call) MayAt(operation string, place uuid.UUID) bool {
	there := c.Scope.Grants
	there.AtLocation = map[uuid.UUID]tenancy.FeatureSet{place: there.AtLocation[place]}
	return c.Desk.web.Operations.Admits(operation, there) == nil
}

// MayMove tells whether the caller may reschedule a booking at a place: its other times are read there.
func (c *Call) MayMove(place uuid.UUID) bool {
	return c.MayAt("rescheduleBooking", place) && c.Scope.Grants.At(rights.LocationView, place)
}

// Customer is the way to a customer's record from what they have at a location; empty where the caller's role does not open it.
func (c *Call) Customer(id, place uuid.UUID) string {
	if !c.MayAt("getCustomer", place) {
		return ""
	}
	return c.To("/customers/" + id.String())
}

// AddsAt is the location at which a record is added by an operation: the one that the screens are about, if the caller may there.
func (c *Call) AddsAt(operation string) uuid.UUID {
	if c.Location != nil && c.MayAt(operation, c.Location.ID) {
		return c.Location.ID
	}
	return uuid.Nil
}

// To is the address of a page of this business, from a path below it and pairs of parameters; an empty value leaves its
// parameter out.
func (c *Call) To(path string, params ...string) string { return c.UI.To(path, params...) }

// ID is a part of the address that names a record. What is no id is nobody's: not found.
func (c *Call) ID(name string) (uuid.UUID, error) {
	id, err := uuid.Parse(c.Params(name))
	if err != nil {
		return uuid.Nil, fault.Missing()
	}
	return id, nil
}

// Value is a field of the form that was posted, else a parameter of the address; without blanks around it.
func (c *Call) Value(name string) string {
	if c.Method() == fiber.MethodPost {
		return strings.TrimSpace(c.FormValue(name))
	}
	return strings.TrimSpace(c.Query(name))
}

// Values are all of a name.
func (c *Call) Values(name string) []string { return c.Asked()[name] }

// Ticked tells whether a box was ticked.
func (c *Call) Ticked(name string) bool { return c.Value(name) != "" }

// Silent reports whether a box that is ticked unless somebody unticks it (ui.Told) was unticked. A form without the box leaves it
// ticked.
func (c *Call) Silent(name string) bool { return c.Asked().Has(ui.ToldMark(name)) && !c.Ticked(name) }

// UUID is a field that names a record; Nil when it is empty or names none.
func (c *Call) UUID(name string) uuid.UUID {
	id, _ := uuid.Parse(c.Value(name))
	return id
}

// UUIDs are all of a name.
func (c *Call) UUIDs(name string) []uuid.UUID {
	var out []uuid.UUID
	for _, v := range c.Values(name) {
		if id, err := uuid.Parse(v); err == nil {
			out = append(out, id)
		}
	}
	return out
}

// Number is a field with a whole number. ok is false when something else is written there.
func (c *Call) Number(name string) (n int, ok bool) {
	n, err := strconv.Atoi(c.Value(name))
	return n, err == nil
}

// Version is the version that the form's record had.
func (c *Call) Version() int64 {
	n, _ := strconv.ParseInt(c.Value("version"), 10, 64)
	return n
}

// Asked is what the address or the form asks for, without the fields that every form has: theirs begin with an underscore.
func (c *Call) Asked() url.Values {
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

// File is the file that came with the form. Error: Validation, on the field "file".
func (c *Call) File() (op.File, error) {
	if c.file == nil {
		return op.File{}, fault.Invalid("file", "Choose a file first.")
	}
	return *c.file, nil
}

// GivenFile is File of a form that may come without: nil then.
func (c *Call) GivenFile() *op.File { return c.file }

// OneLocation is the place of a screen that is about one: that of all screens, else the one that the address or the form names as
// "location". Nil: it is yet to be chosen.
func (c *Call) OneLocation() *business.Location {
	if c.Location != nil {
		return c.Location
	}
	if i := slices.IndexFunc(c.Workspace.Locations, func(l business.Location) bool { return l.ID.String() == c.Value("location") }); i >= 0 {
		return &c.Workspace.Locations[i]
	}
	return nil
}

// LocationID is the place that the screens are about; Nil when they are about all.
func (c *Call) LocationID() uuid.UUID {
	if c.Location == nil {
		return uuid.Nil
	}
	return c.Location.ID
}

// Together runs reads that do not need each other and waits for all of them: whoever looks waits for the slowest only.
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

package policy_test

import (
	"errors"
	"testing"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"foyer/app/fault"
	"foyer/app/tenancy"
	"foyer/policy"
)

var (
	north     = uuid.MustParse("01900000-0000-7000-8000-000000000001")
	south     = uuid.MustParse("01900000-0000-7000-8000-000000000002")
	elsewhere = uuid.MustParse("01900000-0000-7000-8000-000000000009")
	whole     = uuid.Nil
)

func grants(a ...policy.Assignment) tenancy.Grants { return policy.GrantsFor(a) }

func role(r policy.Role, location uuid.UUID) policy.Assignment {
	return policy.Assignment{Role: r, Location: location}
}

// The grants of a set of assignments at a place, computed a second time and the slow way: the best of its parts.
func modelAt(as []policy.Assignment, f tenancy.Feature, location uuid.UUID) (at, unlimited, own bool) {
	for _, a := range as {
		permit := policy.RoleBundle(a.Role)[f]
		own = own || permit.Reach == policy.ReachOwn
		if permit.Reach > policy.ReachOwn && (a.Location == whole || a.Location == location) {
			at = true
			unlimited = unlimited || !permit.Limited
		}
	}
	return at, unlimited, own
}

// Nothing is wider than the assignments made it, and nothing gets lost: any set of assignments grants at any place
// exactly the best of its parts.
func TestGrantsAreTheBestOfTheirParts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		assignment := rapid.Custom(func(t *rapid.T) policy.Assignment {
			return role(rapid.SampledFrom(policy.Roles()).Draw(t, "role"),
				rapid.SampledFrom([]uuid.UUID{whole, north, south}).Draw(t, "location"))
		})
		as := rapid.SliceOfN(assignment, 0, 4).Draw(t, "assignments")
		g := policy.GrantsFor(as)
		for _, d := range policy.All {
			f, anywhere := d.Feature, false
			for _, place := range []uuid.UUID{whole, north, south, elsewhere} {
				at, unlimited, own := modelAt(as, f, place)
				if g.At(f, place) != at || g.Unlimited(f, place) != unlimited || g.Own.Has(f) != own {
					t.Fatalf("%s at %s: %v %v %v, want %v %v %v", f, place,
						g.At(f, place), g.Unlimited(f, place), g.Own.Has(f), at, unlimited, own)
				}
				anywhere = anywhere || at || own
			}
			if g.Any(f) != anywhere {
				t.Fatalf("%s anywhere: %v, want %v", f, g.Any(f), anywhere)
			}
		}
	})
}

func TestPlaceOfTheAssignmentDecides(t *testing.T) {
	everywhere := grants(role(policy.Manager, whole))
	if !everywhere.At(policy.CatalogManage, north) || !everywhere.At(policy.CatalogManage, whole) {
		t.Error("a manager of the whole business does not manage every location")
	}
	here := grants(role(policy.Manager, north))
	if !here.At(policy.CatalogManage, north) || here.At(policy.CatalogManage, south) || here.At(policy.CatalogManage, whole) {
		t.Error("a manager of one location manages something else")
	}
	// An accountant is made for the whole business; given for one location, the role is that location's alone.
	books := grants(role(policy.Accountant, north))
	if !books.At(policy.PaymentView, north) || books.At(policy.PaymentView, south) || len(books.All) != 0 {
		t.Errorf("an accountant of one location: %+v", books)
	}
	if ids, all := grants(role(policy.Viewer, south), role(policy.FrontDesk, north)).Locations(policy.BookingView); all ||
		len(ids) != 2 || ids[0] != north || ids[1] != south {
		t.Errorf("locations: %v %v", ids, all)
	}
}

func TestOwnRowsFollowThePerson(t *testing.T) {
	g := grants(role(policy.Instructor, north))
	if !g.Own.Has(policy.BookingView) || g.At(policy.BookingView, north) || !g.Any(policy.BookingView) {
		t.Error("an instructor sees more or less than their own sessions")
	}
	if !g.At(policy.LocationView, north) || g.At(policy.LocationView, south) {
		t.Error("an instructor of one location sees another")
	}
}

func TestFullFormLiftsTheLimitAtItsPlace(t *testing.T) {
	for name, as := range map[string][]policy.Assignment{
		"desk first":    {role(policy.FrontDesk, whole), role(policy.Manager, north)},
		"manager first": {role(policy.Manager, north), role(policy.FrontDesk, whole)},
	} {
		g := grants(as...)
		if !g.Unlimited(policy.PaymentRefund, north) || g.Unlimited(policy.PaymentRefund, south) || !g.At(policy.PaymentRefund, south) {
			t.Errorf("%s: %+v", name, g.Limited)
		}
	}
}

func TestOwnerIsOwnerOfTheWholeBusiness(t *testing.T) {
	if !grants(role(policy.Owner, whole)).Owner {
		t.Error("an owner is not")
	}
	for name, a := range map[string]policy.Assignment{
		"of one location": role(policy.Owner, north),
		"admin":           role(policy.Admin, whole),
		"unknown":         role("owners", whole),
	} {
		if grants(a).Owner {
			t.Errorf("%s: an owner", name)
		}
	}
	if g := grants(role("no-such-role", whole)); len(g.All)+len(g.Own)+len(g.AtLocation) != 0 {
		t.Errorf("an unknown role gives %+v", g)
	}
}

func TestCanAssign(t *testing.T) {
	owner, admin := grants(role(policy.Owner, whole)), grants(role(policy.Admin, whole))
	local := grants(role(policy.Admin, north))
	for _, r := range policy.Roles() {
		if err := policy.CanAssign(owner, r, whole); err != nil {
			t.Errorf("owner gives %s: %v", r, err)
		}
		for place, ok := range map[uuid.UUID]bool{whole: r != policy.Owner, north: r != policy.Owner} {
			if err := policy.CanAssign(admin, r, place); (err == nil) != ok {
				t.Errorf("admin gives %s at %s: %v", r, place, err)
			}
		}
		if err := policy.CanAssign(local, r, north); (err == nil) != (r != policy.Owner) {
			t.Errorf("admin of a location gives %s there: %v", r, err)
		}
		for _, place := range []uuid.UUID{south, whole} {
			if policy.CanAssign(local, r, place) == nil {
				t.Errorf("admin of a location gives %s at %s", r, place)
			}
		}
		for _, g := range []policy.Role{policy.Manager, policy.FrontDesk, policy.Instructor, policy.Accountant, policy.Marketer, policy.Viewer} {
			if policy.CanAssign(grants(role(g, whole)), r, whole) == nil {
				t.Errorf("%s gives %s", g, r)
			}
		}
	}
	if err := policy.CanAssign(admin, policy.Owner, whole); !errors.Is(err, policy.ErrOwnerOnly) {
		t.Errorf("admin makes an owner: %v", err)
	}
	for name, err := range map[string]error{
		"location": policy.CanAssign(owner, policy.Owner, north),
		"role":     policy.CanAssign(owner, "boss", whole),
	} {
		if f := fault.From(err); f == nil || f.Kind != fault.Validation || f.Fields[0].Field != name {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A person cannot pass on a feature they do not hold, nor the full form of one they hold limited, nor all rows of
// their own ones.
func TestCanAssignPassesOnWhatIsHeld(t *testing.T) {
	lead := func(r policy.Role) tenancy.Grants { // also runs the team at that location
		g := grants(role(r, north))
		g.AtLocation[north][policy.TeamManage] = struct{}{}
		return g
	}
	limited, own, less := lead(policy.Manager), lead(policy.Manager), lead(policy.Manager)
	limited.Limited[north] = tenancy.NewFeatureSet(policy.PaymentRefund)
	delete(own.AtLocation[north], policy.BookingView)
	own.Own[policy.BookingView] = struct{}{}
	delete(less.AtLocation[north], policy.BookingView)
	for name, c := range map[string]struct {
		granter tenancy.Grants
		given   policy.Role
		place   uuid.UUID
		miss    tenancy.Feature
	}{
		"held, limited as limited":   {lead(policy.FrontDesk), policy.FrontDesk, north, ""},
		"held, own rows":             {lead(policy.Manager), policy.Instructor, north, ""},
		"own rows as own rows":       {own, policy.Instructor, north, ""},
		"full as limited":            {lead(policy.Manager), policy.FrontDesk, north, ""},
		"limited where it is wanted": {limited, policy.FrontDesk, north, ""},
		"not held":                   {lead(policy.FrontDesk), policy.Manager, north, policy.BalanceAdjust},
		"not held, own rows":         {less, policy.Instructor, north, policy.BookingView},
		"limited as full":            {limited, policy.Manager, north, policy.PaymentRefund},
		"own rows as all rows":       {own, policy.Manager, north, policy.BookingView},
		"at another location":        {lead(policy.FrontDesk), policy.FrontDesk, south, policy.TeamManage},
		"in the whole business":      {lead(policy.FrontDesk), policy.FrontDesk, whole, policy.TeamManage},
	} {
		err := policy.CanAssign(c.granter, c.given, c.place)
		if c.miss == "" && err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if c.miss != "" && (!errors.Is(err, policy.ErrMissingFeature) || fault.From(err).Details["feature"] != string(c.miss)) {
			t.Errorf("%s: %+v", name, err)
		}
	}
}

// A newly assigned role grants nothing at any place that the granter does not hold there.
func TestAssigningNeverWidens(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		places := rapid.SampledFrom([]uuid.UUID{whole, north, south})
		pick := rapid.SampledFrom(policy.Roles())
		giver := grants(role(pick.Draw(t, "giver"), places.Draw(t, "at")), role(pick.Draw(t, "also"), places.Draw(t, "also at")))
		given := role(pick.Draw(t, "given"), places.Draw(t, "given at"))
		if policy.CanAssign(giver, given.Role, given.Location) != nil {
			return
		}
		got := grants(given)
		for _, d := range policy.All {
			for _, place := range []uuid.UUID{whole, north, south} {
				if got.At(d.Feature, place) && !giver.At(d.Feature, place) ||
					got.Unlimited(d.Feature, place) && !giver.Unlimited(d.Feature, place) ||
					got.Own.Has(d.Feature) && !giver.Any(d.Feature) {
					t.Fatalf("%s at %s", d.Feature, place)
				}
			}
		}
		if got.Owner && !giver.Owner {
			t.Fatal("an owner made by somebody who is none")
		}
	})
}

package policy_test

import (
	"errors"
	"testing"

	"foyer/app/fault"
	"foyer/app/tenancy"
	"foyer/policy"
)

// A216: without features, all that the creator holds except those that 5.14 marks '-'; always the contract's six.
func TestKeyWithoutFeatures(t *testing.T) {
	for _, r := range []policy.Role{policy.Owner, policy.Admin} {
		set, err := policy.KeyGrants(grants(role(r, whole)), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range policy.All {
			want := d.Key != policy.Never && policy.RoleBundle(r)[d.Feature].Reach != policy.ReachNone
			if set.Has(d.Feature) != want || d.Contract && !set.Has(d.Feature) {
				t.Errorf("key of %s: %s is %v", r, d.Feature, set.Has(d.Feature))
			}
		}
	}
	for _, d := range policy.All {
		if d.Contract && d.Key == policy.Never {
			t.Errorf("%s is a contract feature that keys may never hold", d.Feature)
		}
	}
}

// A key acts everywhere and without limits: features held less widely are not passed on.
func TestKeyIsNeverWiderThanItsCreator(t *testing.T) {
	creator := grants(role(policy.FrontDesk, whole), role(policy.Manager, north), role(policy.Instructor, whole))
	set, err := policy.KeyGrants(creator, nil)
	if err != nil {
		t.Fatal(err)
	}
	for f, want := range map[tenancy.Feature]bool{
		policy.BookingManage: true,  // whole business
		policy.CatalogManage: false, // one location
		policy.PaymentView:   false, // limited
		policy.CRMManage:     false, // limited, and full at one location
		policy.ReportView:    false, // own rows
	} {
		if set.Has(f) != want {
			t.Errorf("%s: %v", f, set.Has(f))
		}
	}
}

func TestKeyFeaturesOnlyNarrow(t *testing.T) {
	owner := grants(role(policy.Owner, whole))
	set, err := policy.KeyGrants(owner, []tenancy.Feature{policy.CRMView, policy.CRMView})
	if err != nil || len(set) != 1 || !set.Has(policy.CRMView) {
		t.Errorf("%v %v", set, err)
	}
	for name, asked := range map[string][]tenancy.Feature{
		"features":    {},
		"features[1]": {policy.CRMView, "no.such"},
		"features[0]": {policy.PaymentRefund, policy.CRMView},
	} {
		_, err := policy.KeyGrants(owner, asked)
		if f := fault.From(err); f == nil || f.Kind != fault.Validation || len(f.Fields) != 1 || f.Fields[0].Field != name {
			t.Errorf("%s: %+v", name, f)
		}
	}
	_, err = policy.KeyGrants(grants(role(policy.Viewer, whole)), []tenancy.Feature{policy.BookingView, policy.CatalogManage})
	if !errors.Is(err, policy.ErrMissingFeature) || fault.From(err).Details["feature"] != "catalog.manage" {
		t.Errorf("more than the creator holds: %v", err)
	}
}

package policy

import (
	"fmt"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/tenancy"
)

// KeyDefault says whether an API key may hold f; Never for what is no feature.
func KeyDefault(f tenancy.Feature) KeyRule {
	if d, ok := described[f]; ok {
		return d.Key
	}
	return Never
}

// KeyGrants returns what a new API key holds (A216). With asked nil: all that its creator holds in the whole business,
// except what keys may never hold. Otherwise exactly asked, which can only be narrower. A key acts in the whole business
// and without limits, so what the creator holds at some locations, for own rows or in the limited form is not passed on.
// Errors: Validation on body.features for an empty list, an unknown feature or one that is never for keys;
// ErrMissingFeature for one that the creator does not hold.
func KeyGrants(creator tenancy.Grants, asked []tenancy.Feature) (tenancy.FeatureSet, error) {
	if asked == nil {
		set := tenancy.FeatureSet{}
		for _, d := range All {
			if d.Key != Never && creator.Unlimited(d.Feature, uuid.Nil) {
				set[d.Feature] = struct{}{}
			}
		}
		return set, nil
	}
	var checks fault.Checks
	checks.That(len(asked) > 0, "features", "Name at least one feature, or leave features out.")
	for i, f := range asked {
		field := fmt.Sprintf("features[%d]", i)
		checks.That(Known(f), field, "There is no such feature.")
		checks.That(!Known(f) || KeyDefault(f) != Never, field, "An API key cannot have this feature.")
	}
	if err := checks.Err(); err != nil {
		return nil, err
	}
	for _, f := range asked {
		if !creator.Unlimited(f, uuid.Nil) {
			return nil, missing(f)
		}
	}
	return tenancy.NewFeatureSet(asked...), nil
}

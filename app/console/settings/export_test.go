package settings

import (
	"foyer/app/tenancy"
	"foyer/policy"
)

// The words of what is written down, for the tests that compare them with the product.

func RecordKnown(record string) bool { return recordWords()[record] != "" }

func FieldKnown(field string) bool { return fieldWord(field) != "" }

func CheckKnown(name string) bool { return checkTold(name).Name != "" && checkTold(name).About != "" }

func RoleKnown(role policy.Role) bool {
	return roleWords[role].Name != "" && roleWords[role].About != ""
}

// Grouped counts how often a feature stands in the table, with words.
func Grouped(f tenancy.Feature) (n int) {
	for _, g := range featureGroups {
		for _, one := range g.Features {
			if one == f && featureWords[f].Name != "" && featureWords[f].About != "" {
				n++
			}
		}
	}
	return n
}

// Told reports whether the limited form and the own rows of a feature have words.
func Told(f tenancy.Feature) (limited, own bool) { return limits[f] != "", owned[f] != "" }

package settings

import (
	"foyer/app/tenancy"
	"foyer/policy"
)

// RecordKnown reports whether a kind of audited record has a name.

func RecordKnown(record string) bool { return recordWords()[record] != "" }

func FieldKnown(field string) bool { return fieldWord(field) != "" }

func CheckKnown(name string) bool { return checkTold(name).Name != "" && checkTold(name).About != "" }

func RoleKnown(role policy.Role) bool {
	return roleWords[role].Name != "" && roleWords[role].About != ""
}

// Grouped returns the number of times a feature is in the table, with a name.
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

// Told reports whether the limited form and the own rows of a feature have descriptions.
func Told(f tenancy.Feature) (limited, own bool) { return limits[f] != "", owned[f] != "" }

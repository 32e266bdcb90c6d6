package op

import (
	"reflect"
	"testing"

	"github.com/google/uuid"

	"foyer/app/fault"
)

func TestNullIsNotLeftOut(t *testing.T) {
	type inner struct {
		Note *string `json:"note,omitempty"`
	}
	type body struct {
		Name    *string             `json:"name,omitempty"`
		Space   Nullable[uuid.UUID] `json:"space,omitzero"`
		Ends    *string             `json:"ends"`
		Version int64               `json:"version"`
		List    []inner             `json:"list,omitempty"`
		Deep    *inner              `json:"deep,omitempty"`
	}
	for in, want := range map[string]string{
		`{"name":"null","version":1}`:            "",
		`{"space":null,"ends":null,"version":1}`: "",
		`{"name":null,"version":1}`:              "body.name",
		`{"version":null}`:                       "body.version",
		`{"list":[{"note":"x"},{"note":null}]}`:  "body.list[1].note",
		`{"list":[null]}`:                        "body.list[0]",
		`{"list":null}`:                          "body.list",
		`{"deep":{"note":null}}`:                 "body.deep.note",
		`{"unknown":null}`:                       "",
		`null`:                                   "body",
		`[null`:                                  "",
	} {
		got := ""
		if f := fault.From(refuseNulls([]byte(in), reflect.TypeFor[*body]())); f != nil {
			got = f.Fields[0].Field
		}
		if got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
}

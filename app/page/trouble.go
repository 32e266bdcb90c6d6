package page

import (
	"slices"

	"foyer/app/fault"
	"foyer/app/view"
)

// TroubleOf returns a refusal as its form shows it. inputs are the form's inputs, named as the verb names its fields;
// errors of other fields are in the text. If inputs is nil, all fields are inputs. ok is false for an error that is
// no refusal, or that concerns more than this form (no session, too many calls).
func TroubleOf(w view.Words, err error, inputs []string) (tr *view.Trouble, ok bool) {
	f := fault.From(err)
	if f == nil || f.Kind != fault.Validation && f.Kind != fault.Conflict {
		return nil, false
	}
	tr = &view.Trouble{}
	for _, wrong := range f.Fields {
		if inputs == nil || slices.Contains(inputs, wrong.Field) {
			tr.Fields = append(tr.Fields, fault.Field{Field: wrong.Field, Message: w.Message(wrong.Message)})
		} else {
			tr.Text = view.Joined(" ", tr.Text, w.Message(wrong.Message))
		}
	}
	if len(f.Fields) == 0 {
		tr.Text = w.Refusal(f)
	}
	return tr, true
}

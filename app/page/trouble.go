package page

import (
	"slices"

	"foyer/app/fault"
	"foyer/app/view"
)

// TroubleOf is a refusal as its form shows it: inputs are the form's, named as the verb names its fields, and what is wrong with
// anything else stands in the text; nil: all that is named are inputs. An error that is no refusal, or one that is about more than
// this form (nobody is signed in, too many calls), is not the form's: ok is false.
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

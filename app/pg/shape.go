package pg

import (
	"strconv"
	"strings"
)

// Shape is a statement with only the requested conditions, composed of constant texts. Each combination is a
// statement of its own with a plan of its own. One statement for all of them, with conditions like "$2 or …", has no
// plan that is good for all, so Postgres makes a new one at every call.
type Shape struct {
	text strings.Builder
	args []any
}

// NewShape begins a statement. Its text and all additions may refer to these arguments as $1, $2 and so on.
func NewShape(text string, args ...any) *Shape {
	s := &Shape{args: args[:len(args):len(args)]}
	s.text.WriteString(text)
	return s
}

// Add adds text. Each ? in it stands for one of args, in their order.
func (s *Shape) Add(text string, args ...any) {
	for _, arg := range args {
		before, after, _ := strings.Cut(text, "?")
		s.args = append(s.args, arg)
		s.text.WriteString(before + "$" + strconv.Itoa(len(s.args)))
		text = after
	}
	s.text.WriteString(text)
}

// And adds a condition.
func (s *Shape) And(condition string, args ...any) { s.Add(" and "+condition, args...) }

// AndIf adds a condition if asked is true.
func (s *Shape) AndIf(asked bool, condition string, args ...any) {
	if asked {
		s.And(condition, args...)
	}
}

// SQL returns the text of the statement.
func (s *Shape) SQL() string { return s.text.String() }

// Args returns its arguments.
func (s *Shape) Args() []any { return s.args }

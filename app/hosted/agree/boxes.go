package agree

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"foyer/app/agreement"
	"foyer/app/fault"
	"foyer/app/hosted/kit"
	"foyer/app/view"
)

const boxPrefix = "agree."

// box is a box to tick: with it a customer agrees to the text of one copy, and to nothing written since, for one
// person.
type box struct {
	copy uuid.UUID
	whom string // the person, without their name, as it stands in addresses; empty: the customer themselves
}

// boxFor is the box of a copy for another attendee, or for the customer.
func boxFor(copy uuid.UUID, name string) box {
	if name == "" {
		return box{copy, ""}
	}
	sum := sha256.Sum256([]byte(name))
	return box{copy, hex.EncodeToString(sum[:6])}
}

func (b box) String() string {
	if b.whom == "" {
		return b.copy.String()
	}
	return b.copy.String() + "." + b.whom
}

func (b box) name() string { return boxPrefix + b.String() }

func parseBox(s string) (box, bool) {
	copy, whom, _ := strings.Cut(s, ".")
	id, err := uuid.Parse(copy)
	return box{id, whom}, err == nil
}

// boxes are the ticked boxes of a form.
func boxes(c *fiber.Ctx) (out []box) {
	for name, value := range c.Request().PostArgs().All() {
		rest, is := strings.CutPrefix(string(name), boxPrefix)
		if b, ok := parseBox(rest); ok && is && string(value) == "1" {
			out = append(out, b)
		}
	}
	return out
}

// fieldTicked carries the ticked boxes to the page of a document and back: leaving to read agrees to nothing.
const fieldTicked = "ticked"

// ticked are the boxes that were ticked before the customer left to read.
func ticked(c *fiber.Ctx) (out []box) {
	for part := range strings.SplitSeq(kit.Carried(c, fieldTicked), ",") {
		if b, ok := parseBox(part); ok {
			out = append(out, b)
		}
	}
	return out
}

// carrying is an address that keeps the ticked boxes.
func carrying(to string, ticked []box) string {
	if len(ticked) == 0 {
		return to
	}
	return kit.Query(to, fieldTicked, joined(ticked))
}

func joined(boxes []box) string {
	parts := make([]string, len(boxes))
	for i, b := range boxes {
		parts[i] = b.String()
	}
	return strings.Join(parts, ",")
}

// agreeFor are the boxes of a document that lacks an acceptance for another attendee; none if only the customer's is
// required.
func agreeFor(k agreement.Requirement, ticked []box) (out []view.AgreeFor) {
	if !slices.ContainsFunc(k.Attendees, func(name string) bool { return name != "" }) {
		return nil
	}
	for _, name := range k.Attendees {
		b := boxFor(k.Copy.ID, name)
		out = append(out, view.AgreeFor{Who: name, Box: b.name(), Ticked: slices.Contains(ticked, b)})
	}
	return out
}

// acceptedBy are the acceptances of the ticked boxes. A box of a person who no longer attends is not sent; one of an
// outdated text is, to be refused.
func (a *Signing) acceptedBy(ticked []box) (out []agreement.Accepted) {
	for _, k := range agreement.Open(a.Required) {
		whose := slices.DeleteFunc(slices.Clone(k.Attendees), func(name string) bool { return !slices.Contains(ticked, boxFor(k.Copy.ID, name)) })
		if len(whose) > 0 {
			out = append(out, agreement.Accepted{ContentID: k.Copy.ID, Shown: agreement.ShownCheckbox, Attendees: whose})
		}
	}
	for _, b := range ticked {
		if !slices.ContainsFunc(a.Required, func(k agreement.Requirement) bool { return k.Copy.ID == b.copy }) {
			out = append(out, agreement.Accepted{ContentID: b.copy, Shown: agreement.ShownCheckbox})
		}
	}
	return out
}

// unticked are the missing ticks of a document for these people.
func (a *Signing) unticked(k agreement.Requirement, people []string) (out []fault.Field) {
	for _, name := range people {
		out = append(out, fault.Field{Field: boxFor(k.Copy.ID, name).name(), Message: a.Lacking})
	}
	return out
}

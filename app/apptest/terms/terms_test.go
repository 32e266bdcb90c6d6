package terms_test

import (
	"testing"

	"foyer/app/apptest/terms"
)

// TestRead: the first part of a sentence is what holds now.
func TestRead(t *testing.T) {
	for sentence, want := range map[string]terms.Told{
		"Until Thu 11 Jun, 18:00 free; after that you lose $23.95 and pay $5.00.":                                                                   {},
		"Until Fri 12 Jun, 6:00 you lose $23.95; after that you also pay $5.00.":                                                                    {Lost: "$23.95"},
		"Until Thu 11 Jun, 18:00 you lose only the service fee of $0.49; after that you lose $24.44.":                                               {Lost: "$0.49"},
		"If you cancel, you lose €1,000.50 and pay €5.00.":                                                                                          {Lost: "€1,000.50", Fee: "€5.00"},
		"If you cancel, you pay $5.00.":                                                                                                             {Fee: "$5.00"},
		"If you cancel, you lose $23.95, and the $5.00 fee is forgiven (once in 30 days, and this would be the first).":                             {Lost: "$23.95", Forgiven: "$5.00"},
		"If you cancel, you lose $80.00; less than 24 hours before each date you also pay $5.00.":                                                   {Lost: "$80.00"},
		"If you cancel, you lose $80.00; less than 24 hours before each date, as now, you also pay $5.00.":                                          {Lost: "$80.00", Fee: "$5.00"},
		"Free to withdraw until the studio answers; once confirmed, if you cancel, you lose $80.00 and pay $5.00.":                                  {},
		"Free to cancel, but less than 24 hours before each date you pay $5.00.":                                                                    {},
		"Free to cancel, but less than 24 hours before each date, as now, you pay $5.00.":                                                           {Fee: "$5.00"},
		"Until Fri 12 Jun, 6:00 the price comes back; after that you lose $80.00; less than 24 hours before each date, as now, you also pay $5.00.": {Fee: "$5.00"},
		"This cannot be cancelled online.":                                                                                                          {Refused: true},
		"Until Fri 12 Jun, 16:00 you pay $5.00; after that the $5.00 fee is forgiven (once in 30 days, and this would be the first).":               {Fee: "$5.00"},
	} {
		if got := terms.Read(sentence); got != want {
			t.Errorf("%q: %+v, want %+v", sentence, got, want)
		}
	}
}

// TestAgree notices every amount that one page has and the other has not.
func TestAgree(t *testing.T) {
	booking := `<ul class="terms hint"><li>If you cancel, you lose $22.00 and pay $5.00.</li><li>It cannot be moved to another time online.</li></ul>`
	asks := func(outcomes string) string { return `<dl class="outcome">` + outcomes + `</dl>` }
	const lost, fee = `<div><dt>Not paid back</dt><dd><strong class="num bad">$22.00</strong> <span>The price came back until Fri.</span></dd></div>`,
		`<div><dt>Fee</dt><dd><strong class="num bad">$5.00</strong> <span>Due.</span></dd></div>`
	if err := terms.Agree(booking, asks(lost+fee)); err != nil {
		t.Error(err)
	}
	for name, page := range map[string]string{
		"no fee": asks(lost), "nothing lost": asks(fee), "refused": `<p>This cannot be cancelled here</p>`,
		"forgiven": asks(lost + `<div><dt>Fee</dt><dd><span>None this time: the fee of $5.00 is forgiven.</span></dd></div>`),
	} {
		if terms.Agree(booking, page) == nil {
			t.Errorf("%s: it is not noticed", name)
		}
	}
	if terms.Agree(`<ul class="terms hint"><li>Cancelling is for the whole course.</li></ul>`, asks(lost+fee)) == nil {
		t.Error("a page without the sentence agrees")
	}
}

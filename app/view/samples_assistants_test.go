package view_test

import (
	"github.com/a-h/templ"
	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/hosted/connect"
	"foyer/app/hosted/kit"
	"foyer/app/view"
	"foyer/app/words"
)

// mayDo are the abilities of an owner, as the consent lists them.
var mayDo = []words.Text{
	"See the schedule, prices and team", "See bookings, and who comes", "Book, reschedule, cancel and check in customers",
	"See and change customers’ details and notes", "Change classes, prices, hours and the branding of the pages",
	"See payments and reports", "Record payments, refund them and change balances",
	"Change the team, its roles and its pay", "Change the settings of the business, and see its activity log",
}

// consent is the request of a client that chose its name itself, to a person with one business.
func consent(sh view.Shell) connect.Consent {
	const base = "/oauth/authorize/abc"
	v := connect.Consent{
		Form: post(base + "/allow"), Leave: post(base + "/leave"), Base: base, Client: "Claude",
		Host: "assistant.example", Email: "ana@example.com", Business: &business.Membership{},
	}
	v.Business.Business = business.Business{ID: uuid.UUID{1}, Name: "Harbour Yoga"}
	for _, text := range mayDo {
		v.May = append(v.May, sh.T(text))
	}
	return v
}

// assistants are the pages on which a person connects an assistant.
func assistants() map[string]templ.Component {
	sh, de := house(), house()
	de.Locale = "de"
	known, local, several, fewer, german := consent(sh), consent(sh), consent(sh), consent(sh), consent(de)
	known.Document, known.Host = "claude.example", "claude.example"
	local.Host, local.Local = "127.0.0.1", true
	several.Client, several.Several, several.Business.Business.Name = hostile, true, hostile
	several.Choices = []business.Membership{*consent(sh).Business, *several.Business}
	several.Choices[1].Business.ID = uuid.UUID{2}
	fewer.May = fewer.May[:2]
	german.Several, german.Host, german.Local = true, "127.0.0.1", true
	german.Choices = several.Choices
	none := kit.Problem{
		Title: "There is no business to connect", Form: post("/oauth/authorize/abc/leave"),
		Text: "You are signed in as ana@example.com, and have no role in a business here.", Button: "Use another address",
	}
	refused := kit.Problem{
		Title: "This assistant cannot be connected",
		Text: "Its request is not valid, so nothing was connected. Start again in the assistant. " +
			"For its developers: This client may not send you to that address.",
	}
	signIn := kit.SignIn{Form: post("/oauth/authorize/abc"), Email: "ana@", Trouble: wrong("email")}
	return map[string]templ.Component{
		"assistant-sign-in":         connect.StartPage(sh, kit.SignIn{Form: signIn.Form}, "Claude"),
		"assistant-sign-in-again":   connect.StartPage(de, signIn, hostile),
		"assistant-business":        connect.BusinessPage(sh, several),
		"assistant-business-german": connect.BusinessPage(de, german),
		"assistant-consent":         connect.ConsentPage(sh, consent(sh)),
		"assistant-consent-known":   connect.ConsentPage(sh, known),
		"assistant-consent-local":   connect.ConsentPage(sh, local),
		"assistant-consent-several": connect.ConsentPage(sh, several),
		"assistant-consent-viewer":  connect.ConsentPage(sh, fewer),
		"assistant-consent-german":  connect.ConsentPage(de, german),
		"assistant-no-business":     kit.ProblemPage(sh, none),
		"assistant-refused":         kit.ProblemPage(sh, refused),
	}
}

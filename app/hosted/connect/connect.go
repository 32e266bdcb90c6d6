// Package connect is the consent of package oauth: pages on which a person signs in, chooses a business and allows an
// assistant to act for them there. A61.
//
//	/oauth/authorize?… ─▶ base (e-mail) ─▶ base/code ─▶ base/allow (business, consent) ─▶ the client's address
//
// base has the request of the client in its path, so that it stays through the sign-in; each step checks it again. The
// pages are never framed, and the client's name is text, as it comes from anybody.
package connect

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/url"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/fault"
	"foyer/app/hosted/kit"
	"foyer/app/oauth"
	"foyer/app/paging"
	"foyer/app/tenancy"
	"foyer/app/view"
	"foyer/app/web/op"
)

// Path is the address to which clients send people.
const Path = "/oauth/authorize"

// fields of the forms.
const (
	fieldBusiness = "business"
	fieldDecision = "decision"
	decisionAllow = "allow"
)

// site is the surface, for the handlers of this area.
type site struct{ *kit.Site }

// Register mounts the pages.
func Register(k *kit.Site) {
	h := &site{k}
	h.Get(Path, h.limited(h.begin))
	d := &kit.SignInFlow{Site: k}
	d.Base = func(c *fiber.Ctx) string { return Path + "/" + c.Params("request") }
	d.Shell = func(c *fiber.Ctx, page func(sh view.Shell, o *view.Order) error) error {
		return page(h.PlatformShell(c), nil)
	}
	d.First = func(c *fiber.Ctx, v kit.SignIn) error {
		return h.checked(func(c *fiber.Ctx, p oauth.Pending) error {
			sh := h.PlatformShell(c)
			return kit.Show(c, sh, StartPage(sh, v, p.Client.Name))
		})(c)
	}
	d.Next = func(c *fiber.Ctx) error { return c.Redirect(d.Base(c)+"/allow", fiber.StatusSeeOther) }
	h.Get(Path+"/:request", h.limited(h.checked(func(c *fiber.Ctx, _ oauth.Pending) error { return d.Enter(c) })))
	d.Hang(Path+"/:request", func(run fiber.Handler) fiber.Handler {
		return h.checked(func(c *fiber.Ctx, _ oauth.Pending) error { return run(c) })
	})
	h.Get(Path+"/:request/allow", h.limited(h.checked(h.signedIn(h.ask))))
	h.Post(Path+"/:request/allow", op.RateStorefrontWrite, h.checked(h.signedIn(h.decide)))
	h.Post(Path+"/:request/leave", op.RateStorefrontWrite, h.checked(h.leave))
}

// limited counts a page as one of the public: it can make us fetch a client's document.
func (h *site) limited(run fiber.Handler) fiber.Handler {
	return func(c *fiber.Ctx) error {
		if err := h.Limiter.Allow(c.UserContext(), op.RateStorefront, h.Visitor(c)); err != nil {
			return err
		}
		return run(c)
	}
}

// begin checks the parameters of a client, and puts them into the path.
func (h *site) begin(c *fiber.Ctx) error {
	query := c.Request().URI().QueryArgs()
	for _, name := range []string{
		"client_id", "redirect_uri", "response_type", "code_challenge", "code_challenge_method", "resource", "state",
	} {
		if len(query.PeekMulti(name)) > 1 {
			return h.stop(c, oauth.ErrRedirect) // which of them is meant, nobody can know
		}
	}
	r := oauth.Request{
		ClientID: c.Query("client_id"), RedirectURI: c.Query("redirect_uri"), ResponseType: c.Query("response_type"),
		Challenge: c.Query("code_challenge"), Method: c.Query("code_challenge_method"), Resource: c.Query("resource"),
		State: c.Query("state"),
	}
	if _, done, err := h.check(c, r); done {
		return err
	}
	raw, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return c.Redirect(Path+"/"+base64.RawURLEncoding.EncodeToString(raw), fiber.StatusSeeOther)
}

// check checks a request. With done, the person was told, or sent back to the client with the refusal.
func (h *site) check(c *fiber.Ctx, r oauth.Request) (p oauth.Pending, done bool, err error) {
	p, err = h.OAuth.Check(c.UserContext(), h.Visitor(c), h.BaseURL, r)
	var refusal *oauth.Refusal
	switch {
	case err == nil:
		return p, false, nil
	case errors.As(err, &refusal):
		return p, true, c.Redirect(p.Refuse(h.BaseURL, refusal), fiber.StatusSeeOther)
	}
	return p, true, h.stop(c, err)
}

// stop tells the person that the request cannot be answered.
func (h *site) stop(c *fiber.Ctx, err error) error {
	sh := h.PlatformShell(c)
	f := fault.From(err)
	if f == nil || !errors.Is(err, oauth.ErrRedirect) && !errors.Is(err, oauth.ErrUnknownClient) {
		return err
	}
	c.Status(fiber.StatusBadRequest)
	return kit.Show(c, sh, kit.ProblemPage(sh, kit.Problem{
		Title: sh.T("This assistant cannot be connected"),
		Text: sh.T("Its request is not valid, so nothing was connected. Start again in the assistant.") + " " +
			sh.T("For its developers: {reason}", "reason", f.Message),
	}))
}

// checked runs a step with the request in its path. A form of another site stops before a document is fetched for it.
func (h *site) checked(run func(c *fiber.Ctx, p oauth.Pending) error) fiber.Handler {
	return func(c *fiber.Ctx) error {
		if c.Method() == fiber.MethodPost {
			if err := h.Forms.Check(c); err != nil {
				return err
			}
		}
		var r oauth.Request
		raw, err := base64.RawURLEncoding.DecodeString(c.Params("request"))
		if err != nil || json.Unmarshal(raw, &r) != nil {
			return fault.Missing()
		}
		p, done, err := h.check(c, r)
		if done {
			return err
		}
		return run(c, p)
	}
}

// signedIn runs a step for the person signed in in this browser; anybody else signs in first.
func (h *site) signedIn(
	run func(c *fiber.Ctx, p oauth.Pending, who tenancy.Principal) error,
) func(c *fiber.Ctx, p oauth.Pending) error {
	return func(c *fiber.Ctx, p oauth.Pending) error {
		who, err := h.Person(c)
		if err != nil {
			return err
		}
		if who.Person() == uuid.Nil {
			return c.Redirect(Path+"/"+c.Params("request"), fiber.StatusSeeOther)
		}
		return run(c, p, who)
	}
}

// ask shows the choice of the business when there are several, and then the consent. A61.
func (h *site) ask(c *fiber.Ctx, p oauth.Pending, who tenancy.Principal) error {
	sh := h.PlatformShell(c)
	list, err := h.businesses(c, who)
	if err != nil {
		return err
	}
	base := Path + "/" + c.Params("request")
	v := Consent{Client: p.Client.Name, Email: who.Email, Base: base, Leave: kit.FormTo(base + "/leave")}
	if len(list) == 0 {
		c.Status(fiber.StatusForbidden)
		return kit.Show(c, sh, kit.ProblemPage(sh, kit.Problem{
			Title: sh.T("There is no business to connect"),
			Text:  sh.T("You are signed in as {email}, and have no role in a business here.", "email", who.Email),
			Form:  v.Leave, Button: sh.T("Use another address"),
		}))
	}
	chosen := c.Query(fieldBusiness)
	for i, m := range list {
		if m.Business.ID.String() == chosen || len(list) == 1 {
			v.Business = &list[i]
		}
	}
	if v.Business == nil {
		v.Choices = list
		return kit.Show(c, sh, BusinessPage(sh, v))
	}
	v.Several = len(list) > 1
	v.Host, v.Local = oauth.RedirectHost(p.RedirectURI), oauth.Local(p.RedirectURI)
	if p.Client.Kind == oauth.ClientDocument {
		v.Document = oauth.RedirectHost(p.Client.ClientID)
	}
	v.May = abilities(sh.Words, v.Business.Features)
	v.Form = kit.FormTo(base+"/allow", view.Param{Name: fieldBusiness, Value: v.Business.Business.ID.String()})
	// The answer to the form leads to the client, and browsers hold redirects to form-action.
	return kit.ShowUnder(c, view.PolicyToward(schemeOf(p.RedirectURI)), ConsentPage(sh, v))
}

func schemeOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "https" // it was checked
	}
	return u.Scheme
}

func (h *site) businesses(c *fiber.Ctx, who tenancy.Principal) ([]business.Membership, error) {
	page, err := h.Business.Mine(c.UserContext(), tenancy.Visitor(who, uuid.Nil, tenancy.SurfaceHosted),
		paging.In[uuid.UUID]{Limit: paging.Max})
	return page.Items, err
}

// decide sends the person back to the client: with a code if they agree.
func (h *site) decide(c *fiber.Ctx, p oauth.Pending, who tenancy.Principal) error {
	if c.FormValue(fieldDecision) != decisionAllow {
		return c.Redirect(p.Refuse(h.BaseURL, &oauth.Refusal{
			Code: oauth.AccessDenied, Description: "The person did not agree.",
		}), fiber.StatusSeeOther)
	}
	id, err := uuid.Parse(c.FormValue(fieldBusiness))
	if err != nil {
		return fault.Missing()
	}
	sc := tenancy.Visitor(who, id, tenancy.SurfaceHosted)
	code, err := h.OAuth.Allow(c.UserContext(), sc, id, p)
	if err != nil {
		return err
	}
	c.Set(fiber.HeaderReferrerPolicy, "no-referrer")
	return c.Redirect(p.Answer(h.BaseURL, url.Values{"code": {code}}), fiber.StatusSeeOther)
}

// leave signs out, to sign in with another address.
func (h *site) leave(c *fiber.Ctx, _ oauth.Pending) error {
	if err := h.SignOut(c); err != nil {
		return err
	}
	return c.Redirect(Path+"/"+c.Params("request"), fiber.StatusSeeOther)
}

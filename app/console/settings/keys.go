package settings

import (
	"context"
	"regexp"
	"time"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/civil"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/fault"
	"foyer/app/tenancy"
	"foyer/app/view"
	"foyer/policy"
)

// keys mounts the API keys. A key is shown once; to replace one, create another with the same features, deploy it,
// and revoke the old one.
func (s *screens) keys() {
	const path = "/settings/keys"
	s.Page("listApiKeys", path, s.showKeys)
	s.Page("createApiKey", path+"/new", s.showNewKey)
	s.Form("createApiKey", path+"/new", desk.Form{Do: s.makeKey, Show: s.showNewKey, Inputs: keyInputs})
	s.Page("createApiKey", path+"/:key/replace", s.showReplaceKey)
	s.Form("createApiKey", path+"/:key/replace", desk.Form{Do: s.replaceKey, Show: s.showReplaceKey, Inputs: keyInputs})
	s.Page("deleteApiKey", path+"/:key/revoke", s.showRevokeKey)
	s.Form("deleteApiKey", path+"/:key/revoke", desk.Form{Do: s.revokeKey, Show: s.showRevokeKey})
}

var keyInputs = []string{"name", "features", "expiresOn"}

// allKeys returns those not revoked, latest first.
func (s *screens) allKeys(c *desk.Call) (list []business.APIKey, err error) {
	for in := most; ; {
		page, err := s.Business.Keys(c.Context(), c.Scope, in)
		if err != nil {
			return nil, err
		}
		for _, k := range page.Items {
			list = append([]business.APIKey{k}, list...)
		}
		if page.Next == nil {
			return list, nil
		}
		in.After = page.Next
	}
}

// key reads the key of the address. A revoked one is not found.
func (s *screens) key(c *desk.Call) (business.APIKey, error) {
	id, err := c.ID("key")
	if err != nil {
		return business.APIKey{}, err
	}
	list, err := s.allKeys(c)
	if err != nil {
		return business.APIKey{}, err
	}
	for _, k := range list {
		if k.ID == id {
			return k, nil
		}
	}
	return business.APIKey{}, fault.Missing()
}

func (s *screens) showKeys(c *desk.Call) (ui.Screen, error) {
	var list []business.APIKey
	var people []business.Member
	err := desk.Together(
		func() (err error) { list, err = s.allKeys(c); return err },
		func() (err error) { people, err = s.everybody(c); return err },
	)
	screen := ui.Screen{
		Title: c.UI.T("API keys"), Area: area, Up: up(c, c.UI.T("Settings"), "/settings"), Body: keysBody(c, list, people),
		Lead: c.UI.T("Apps use API keys to access your business. Anyone who has a key can use its permissions from anywhere."),
	}
	if len(list) > 0 {
		screen.Acts = ui.Go(c.To("/settings/keys/new"), ui.Button{Text: c.UI.T("New key"), Icon: "plus"})
	}
	return screen, err
}

func (s *screens) showNewKey(c *desk.Call) (ui.Screen, error) {
	return ui.Screen{
		Title: c.UI.T("New key"), Area: area, Up: up(c, c.UI.T("API keys"), "/settings/keys"), Body: newKeyBody(c),
		Lead: c.UI.T("The key is shown once, on the next page. We store only what is needed to verify it."),
	}, nil
}

// keyTyped reads the form of a new key.
func keyTyped(c *desk.Call) (business.CreateKeyInput, error) {
	in := business.CreateKeyInput{Name: c.Value("name")}
	if c.Value("expiresOn") != "" {
		day, err := civil.ParseDate(c.Value("expiresOn"))
		if err != nil {
			return in, fault.Invalid("expiresOn", "Choose a day, or leave it empty.")
		}
		_, end := civil.DayBounds(day, c.Zone())
		in.ExpiresAt = &end
	}
	if c.Value("reach") == "some" {
		in.Features = []tenancy.Feature{}
		for _, f := range c.Values("features") {
			in.Features = append(in.Features, tenancy.Feature(f))
		}
	}
	return in, nil
}

var indexedFeature = regexp.MustCompile(`^features\[\d+\]$`)

// keyField returns the input of a field of the verb.
func keyField(field string) string {
	if field == "expiresAt" {
		return "expiresOn"
	}
	return indexedFeature.ReplaceAllString(field, "features")
}

func (s *screens) makeKey(c *desk.Call, ctx context.Context) (desk.Done, error) {
	in, err := keyTyped(c)
	if err != nil {
		return desk.Done{}, err
	}
	k, err := s.Business.CreateKey(ctx, c.Scope, in)
	if err != nil {
		return desk.Done{}, at(err, keyField)
	}
	return desk.Done{Once: s.newKey(c, k, nil)}, nil
}

// newKey is the page that shows a key. old is the key that it replaces, not revoked yet.
func (s *screens) newKey(c *desk.Call, k business.NewKey, old *business.APIKey) *ui.Screen {
	c.UI.Self = c.To("/settings/keys") // this page cannot be returned to
	return &ui.Screen{
		Title: c.UI.T("Your new key"), Area: area, Up: up(c, c.UI.T("API keys"), "/settings/keys"), Body: keyOnceBody(c, k, old),
		Lead: c.UI.T("Copy it now. It is not shown again."),
	}
}

func (s *screens) showReplaceKey(c *desk.Call) (ui.Screen, error) {
	k, err := s.key(c)
	return ui.Screen{
		Title: c.UI.T("Replace {key}", "key", keyName(c.UI, k)), Area: area, Up: up(c, c.UI.T("API keys"), "/settings/keys"), Body: replaceKeyBody(c, k),
		Lead: c.UI.T("The old key works until you revoke it, on the next page or later, so your app is not interrupted."),
	}, err
}

func (s *screens) replaceKey(c *desk.Call, ctx context.Context) (desk.Done, error) {
	old, err := s.key(c)
	if err != nil {
		return desk.Done{}, err
	}
	in, err := keyTyped(c)
	if err != nil {
		return desk.Done{}, err
	}
	in.Features = passedOn(old.Features)
	k, err := s.Business.CreateKey(ctx, c.Scope, in)
	if err != nil {
		return desk.Done{}, at(err, keyField)
	}
	return desk.Done{Once: s.newKey(c, k, &old)}, nil
}

// passedOn returns the features of a key that keys may still have.
func passedOn(list []tenancy.Feature) []tenancy.Feature {
	out := []tenancy.Feature{}
	for _, f := range list {
		if policy.KeyDefault(f) != policy.Never {
			out = append(out, f)
		}
	}
	return out
}

func (s *screens) showRevokeKey(c *desk.Call) (ui.Screen, error) {
	k, err := s.key(c)
	return ui.Screen{
		Title: c.UI.T("Revoke {key}", "key", keyName(c.UI, k)), Area: area, Up: up(c, c.UI.T("API keys"), "/settings/keys"), Body: revokeKeyBody(c, k),
		Lead: c.UI.T("Revoking a key cannot be undone."),
	}, err
}

func (s *screens) revokeKey(c *desk.Call, ctx context.Context) (desk.Done, error) {
	id, err := c.ID("key")
	if err != nil {
		return desk.Done{}, err
	}
	return desk.Done{To: c.To("/settings/keys"), Said: c.UI.T("Key revoked. Requests that use it are refused.")}, s.Business.RevokeKey(ctx, c.Scope, id)
}

// keyName returns the name of a key, else its beginning.
func keyName(sh ui.Shell, k business.APIKey) string {
	if k.Name != "" {
		return k.Name
	}
	return view.Joined("", k.Prefix, "…")
}

// keyMay renders the features of a key, in a line.
func keyMay(sh ui.Shell, list []tenancy.Feature) string {
	all, err := policy.KeyGrants(policy.GrantsFor([]policy.Assignment{{Role: policy.Owner}}), nil)
	if err == nil && len(passedOn(list)) >= len(all) {
		return sh.T("All API key permissions")
	}
	if len(list) > 3 {
		return sh.N(len(list), "{n} permission", "{n} permissions")
	}
	text := ""
	for _, f := range list {
		text = view.Joined(", ", text, featureName(sh, f))
	}
	return text
}

func featureName(sh ui.Shell, f tenancy.Feature) string {
	if w, ok := featureWords[f]; ok {
		return sh.T(w.Name)
	}
	return string(f)
}

// keyUse renders the last use of a key.
func keyUse(sh ui.Shell, k business.APIKey) string {
	if k.UsedAt == nil {
		return sh.T("Never used")
	}
	return sh.ShortWhen(*k.UsedAt)
}

// keyEnd renders the expiry of a key.
func keyEnd(sh ui.Shell, k business.APIKey) (text string, tone ui.Tone) {
	if k.ExpiresAt == nil {
		return "", ""
	}
	switch left := k.ExpiresAt.Sub(sh.Now); {
	case left <= 0:
		return sh.T("Expired {when}", "when", lastDay(sh, k)), "bad"
	case left < 14*24*time.Hour:
		tone = "warn"
	}
	return sh.T("Until {when}", "when", lastDay(sh, k)), tone
}

// lastDay renders the last valid day of a key.
func lastDay(sh ui.Shell, k business.APIKey) string {
	return sh.ShortDate(k.ExpiresAt.Add(-time.Second))
}

// sameLife returns the last day of a key with the lifetime of an old one; empty for one without an end.
func sameLife(c *desk.Call, k business.APIKey) string {
	if k.ExpiresAt == nil {
		return ""
	}
	return civil.LocalDate(c.UI.Now.Add(k.ExpiresAt.Sub(k.CreatedAt)), c.Zone()).String()
}

func maker(people []business.Member, id uuid.UUID) string {
	for _, m := range people {
		if m.ID == id {
			return m.Name
		}
	}
	return ""
}

// keyFeatures returns those to choose from: the caller's in the whole business that keys may have.
func keyFeatures(c *desk.Call) []ui.Option {
	held, err := policy.KeyGrants(c.Scope.Grants, nil)
	if err != nil {
		return nil
	}
	var out []ui.Option
	for _, g := range featureGroups {
		for _, f := range g.Features {
			if held.Has(f) {
				out = append(out, ui.Option{Value: string(f), Text: featureName(c.UI, f), Hint: c.UI.T(featureWords[f].About)})
			}
		}
	}
	return out
}

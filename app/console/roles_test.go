package console_test

import (
	"bytes"
	"image"
	"image/png"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/console/consoletest"
	"foyer/app/web"
	"foyer/app/web/op"
	"foyer/media"
	"foyer/policy"
)

// TestEveryActionAnswersAsItsOperation: a caller without an operation cannot use it in the console, and a caller with
// it is not refused there: every address of the console, for each of the roles, beside the operation that it is
// registered under.
func TestEveryActionAnswersAsItsOperation(t *testing.T) {
	t.Parallel()
	s := consoletest.Open(t)
	offering := s.AddOffering(t)
	s.AddGoods(t)
	goods := apptest.Value[string](t, s.World, "select id::text from products where name = 'Cork mat'")
	variant := apptest.Value[string](t, s.World, "select min(id::text) from product_variants where product_id = $1", goods)
	operations := map[string]op.Spec{}
	for _, spec := range s.Server.Operations.Operations() {
		operations[spec.ID] = spec
	}
	place := strings.NewReplacer("{businessId}", s.Studio.Business.ID.String(), "/businesses/{id}", "/businesses/"+s.Studio.Business.ID.String(),
		"/locations/{id}", "/locations/"+s.Location.ID.String(), "/offerings/{id}", "/offerings/"+offering.ID.String(),
		"{productId}", goods, "{variantId}", variant)
	if len(s.Desk.Routes()) < 20 {
		t.Fatalf("only %d addresses", len(s.Desk.Routes()))
	}
	for _, role := range policy.Roles() {
		t.Run(string(role), func(t *testing.T) {
			c := s.As(t, role)
			token := c.Token()
			photo := uploaded(t, s, role)
			refused := map[string]bool{} // by operation, as the API responds
			for _, route := range s.Desk.Routes() {
				want, asked := refused[route.Op]
				if !asked {
					spec := operations[route.Op]
					path := anyID(strings.Replace(place.Replace(spec.Path), "/assets/{id}", "/assets/"+photo, 1), "{", "}")
					want = c.Call(spec.Method, path) == http.StatusForbidden
					refused[route.Op] = want
				}
				path := strings.TrimPrefix(route.Path, "/:business")
				path = strings.NewReplacer(":location", s.Location.ID.String(), ":offering", offering.ID.String(), ":asset", photo,
					":product", goods, ":variant", variant, ":kind/:subject", "offering/"+offering.ID.String()).Replace(path)
				path = anyID(path, ":", "/")
				var status int
				if route.Method == http.MethodGet {
					status = c.Get(path).Status
				} else {
					status = c.Post(path, url.Values{web.FieldToken: {token}, web.FieldKey: {"0123456789012345678901"}}).Status
				}
				// A caller with a feature for own rows is refused at the row: an unknown record is not found first.
				unknown := want && role == policy.Instructor && status == http.StatusNotFound
				// A caller with a limited feature is refused by the verb, which a call without a body does not reach.
				limited := !want && role == policy.FrontDesk && unlimited[route.Op] && status == http.StatusForbidden
				if got := status == http.StatusForbidden; got != want && !unknown && !limited {
					t.Errorf("%s %s answers %d; %s is refused: %v", route.Method, route.Path, status, route.Op, want)
				}
				if status >= http.StatusInternalServerError {
					t.Errorf("%s %s answers %d", route.Method, route.Path, status)
				}
			}
		})
	}
}

// unlimited are operations with a body that the limited form of their feature does not open, or not for every change.
var unlimited = map[string]bool{"saveDisputeEvidence": true, "submitDisputeEvidence": true, "changeStock": true}

// uploaded returns a photo for each role: roles with the right delete it.
func uploaded(t *testing.T, s *consoletest.Studio, role policy.Role) string {
	t.Helper()
	img := image.NewGray(image.Rect(0, 0, 16, 16))
	for i := range img.Pix {
		img.Pix[i] = role[i%len(role)]
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	up, err := s.Media.Upload(t.Context(), s.Owner, media.UploadInput{Data: b.Bytes(), Name: string(role)})
	if err != nil {
		t.Fatal(err)
	}
	return up.Asset.ID.String()
}

// anyID puts an unknown id in the place of every parameter.
func anyID(path, before, after string) string {
	parts := strings.Split(path, "/")
	for i, part := range parts {
		if strings.HasPrefix(part, before) && (after == "/" || strings.HasSuffix(part, after)) {
			parts[i] = uuid.NewString()
		}
	}
	return strings.Join(parts, "/")
}

// TestFormsOfOtherSites: no form of the console has an effect when another site sends it, for any signed-in member.
func TestFormsOfOtherSites(t *testing.T) {
	t.Parallel()
	s := consoletest.Open(t)
	c := s.As(t, consoletest.Owner)
	token := c.Token()
	paths := []string{"/manage/sign-in", "/manage/sign-in/code", "/manage/sign-out", "/manage/lock", "/manage/preferences"}
	for _, route := range s.Desk.Routes() {
		if route.Method == http.MethodPost {
			paths = append(paths, anyID(strings.TrimPrefix(route.Path, "/:business"), ":", "/"))
		}
	}
	if len(paths) < 15 {
		t.Fatalf("only %d forms", len(paths))
	}
	for _, path := range paths {
		for _, header := range [][2]string{{"Origin", "https://elsewhere.example"}, {"Sec-Fetch-Site", "cross-site"}} {
			page := c.Post(path, url.Values{web.FieldToken: {token}, web.FieldKey: {"0123456789012345678901"}}, header[0], header[1])
			page.Is(t, http.StatusForbidden).Shows(t, "This form has expired")
		}
		c.Post(path, url.Values{web.FieldKey: {"0123456789012345678901"}}).Is(t, http.StatusForbidden)
	}
}

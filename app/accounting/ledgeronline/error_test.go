package ledgeronline_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"foyer/app/accounting/ledgeronline"
	"foyer/app/clock"
	"foyer/app/sealed"
)

// fault is an answer of the ledger, gateway one of the gateway in front of it.
func fault(kind, code, message, detail string) string {
	raw, _ := json.Marshal(map[string]any{"Fault": map[string]any{
		"Error": []any{map[string]string{"Message": message, "Detail": detail, "code": code, "element": ""}}, "type": kind,
	}, "time": "2026-11-21T01:00:00.000-08:00"})
	return string(raw)
}

func gateway(kind, code, message, detail string) string {
	raw, _ := json.Marshal(map[string]any{"warnings": nil, "intuitObject": nil, "fault": map[string]any{
		"error": []any{map[string]any{"message": message, "detail": detail, "code": code, "element": nil}}, "type": kind,
	}, "report": nil, "queryResponse": nil, "time": 1629905161081})
	return string(raw)
}

func TestClasses(t *testing.T) {
	const page = "<html><body><h1>503 Service Temporarily Unavailable</h1></body></html>"
	const token = "message=AuthenticationFailed; errorCode=003200; statusCode=401"
	const rights = "message=ApplicationAuthorizationFailed; errorCode=003100; statusCode=403"
	validation := func(code, message, detail string) string { return fault("ValidationFault", code, message, detail) }
	for name, c := range map[string]struct {
		status  int
		body    string
		class   ledgeronline.Class
		unknown bool
		code    string
	}{
		"expired token": {
			401, gateway("AUTHENTICATION", "3200", token, "Token expired: AB01"), ledgeronline.Token, false, "3200",
		},
		"expired token, upper case, zeros": {
			401, fault("AuthenticationFault", "003200", token, ""), ledgeronline.Token, false, "3200",
		},
		"401 without a body":     {401, "", ledgeronline.Token, false, ""},
		"401 in HTML":            {401, page, ledgeronline.Token, false, ""},
		"authentication by type": {400, fault("AuthenticationFault", "100", "General", ""), ledgeronline.Token, false, "100"},
		"401 of lost rights": {
			401, validation("120", "Authorization Failure", "AuthorizationFailure: --11014"), ledgeronline.Rights, false, "120",
		},
		"3100":                  {403, gateway("AUTHORIZATION", "3100", rights, ""), ledgeronline.Rights, false, "3100"},
		"3100 with 401":         {401, gateway("AUTHORIZATION", "003100", rights, ""), ledgeronline.Rights, false, "3100"},
		"authorization by type": {400, fault("AuthorizationFault", "", "no", ""), ledgeronline.Rights, false, ""},
		"403 in JSON":           {403, `{"message":"Forbidden"}`, ledgeronline.Rights, false, ""},
		"403 of a gateway":      {403, "<html>Access denied</html>", ledgeronline.Misconfigured, false, ""},
		"429":                   {429, "", ledgeronline.Throttled, false, ""},
		"429 in JSON": {
			429, gateway("SERVICE", "003001", "message=ThrottleExceeded", ""), ledgeronline.Throttled, false, "3001",
		},
		"throttled with 400": {
			400, fault("ValidationFault", "3001", "ThrottleExceeded", ""), ledgeronline.Throttled, false, "3001",
		},
		"500": {
			500, fault("SystemFault", "10000", "An application error", "x"), ledgeronline.Transient, true, "10000",
		},
		"system fault in 200": {
			200, fault("SystemFault", "10000", "An application error", "x"), ledgeronline.Transient, true, "10000",
		},
		"system fault in 400": {
			400, fault("SystemFault", "", "An application error", "x"), ledgeronline.Transient, true, "",
		},
		"502 in HTML":            {502, page, ledgeronline.Transient, true, ""},
		"503 in HTML":            {503, page, ledgeronline.Transient, true, ""},
		"504 empty":              {504, "", ledgeronline.Transient, true, ""},
		"500 of another refusal": {500, validation("2010", "Unsupported", ""), ledgeronline.Transient, true, "2010"},
		"HTML with 200":          {200, "<html>Maintenance</html>", ledgeronline.Transient, true, ""},
		"cut off":                {200, `{"JournalEntry":{"Id":"12`, ledgeronline.Transient, true, ""},
		"empty":                  {200, ``, ledgeronline.Transient, true, ""},
		"another object":         {200, `{"Deposit":{"Id":"1"}}`, ledgeronline.Transient, true, ""},
		"no id":                  {200, `{"JournalEntry":{}}`, ledgeronline.Transient, true, ""},
		"null":                   {200, `null`, ledgeronline.Transient, true, ""},
		"a list":                 {200, `[]`, ledgeronline.Transient, true, ""},
		"6140": {400, validation("6140", "Duplicate Document Number Error", "… DocNumber=BK-1 is assigned to "+
			"TxnType=Journal Entry with TxnId=3632"), ledgeronline.DuplicateDocument, false, "6140"},
		"6140 in French": {400, validation("6140", "Numéro de document en double", "Vous devez indiquer un nombre "+
			"différent. DocNumber=BK-1 is assigned to TxnType=Facture with TxnId=3632"), ledgeronline.DuplicateDocument, false,
			"6140"},
		"6210 of a number": {
			400, validation("6210", "Duplicate Document Number Error", ""), ledgeronline.DuplicateDocument, false, "6210",
		},
		"6210 of a period": {
			400, validation("6210", "Account Period Closed", "The account period has closed"), ledgeronline.BooksClosed, false,
			"6210",
		},
		"6200": {400, validation("6200", "Account Period Closed", ""), ledgeronline.BooksClosed, false, "6200"},
		"6210 in French": {
			400, validation("6210", "Période comptable fermée", ""), ledgeronline.BooksClosed, false, "6210",
		},
		"610": {
			400, validation("610", "Object Not Found", "made inactive"), ledgeronline.AccountUnusable, false, "610",
		},
		"2500": {
			400, validation("2500", "Invalid Reference Id", "Accounts element id 91 not found"), ledgeronline.AccountUnusable,
			false, "2500",
		},
		"2500 of a currency": {
			400, validation("2500", "Invalid Reference Id", "Currency ZZZ"), ledgeronline.Invalid, false, "2500",
		},
		"6190": {
			400, validation("6190", "Invalid Company Status", "Subscription period has ended"),
			ledgeronline.SubscriptionLapsed, false, "6190",
		},
		"6240": {
			400, validation("6240", "Duplicate Name Exists Error", "The name supplied already exists. : Id=46"),
			ledgeronline.DuplicateName, false, "6240",
		},
		"6000": {
			400, validation("6000", "A business validation error", "Select a customer"), ledgeronline.Invalid, false, "6000",
		},
		"2020": {400, validation("2020", "Required param missing", ""), ledgeronline.Invalid, false, "2020"},
		"2010": {400, validation("2010", "Invalid property", ""), ledgeronline.Invalid, false, "2010"},
		"2170": {400, validation("2170", "Invalid Enumeration", ""), ledgeronline.Invalid, false, "2170"},
		"refusal in 200": {
			200, validation("6000", "A business validation error", "x"), ledgeronline.Invalid, false, "6000",
		},
		"code as a number": {
			400, `{"Fault":{"Error":[{"Message":"m","code":6140}],"type":"ValidationFault"}}`, ledgeronline.DuplicateDocument,
			false, "6140",
		},
		"one error, no list": {
			400, `{"fault":{"error":{"message":"m","code":"6190"}}}`, ledgeronline.SubscriptionLapsed, false, "6190",
		},
		"an error as text": {400, `{"fault":{"error":"ThrottleExceeded"}}`, ledgeronline.Throttled, false, ""},
		"a fault without errors": {
			400, `{"Fault":{"type":"SystemFault"}}`, ledgeronline.Transient, true, "",
		},
		"two errors, the number second": {
			400, `{"Fault":{"Error":[{"Message":"Required param missing","code":"2020"},` +
				`{"Message":"Duplicate Document Number Error",` +
				`"Detail":"TxnId=3632","code":"6140"}],"type":"ValidationFault"}}`, ledgeronline.DuplicateDocument, false, "6140",
		},
		"404":             {404, "<html>Not Found</html>", ledgeronline.Misconfigured, false, ""},
		"404 of a ledger": {404, validation("6000", "no such company", ""), ledgeronline.Invalid, false, "6000"},
		"400 in HTML":     {400, "<html>Bad Request</html>", ledgeronline.Misconfigured, false, ""},
		"400 in JSON":     {400, `{}`, ledgeronline.Invalid, false, ""},
		"redirect":        {302, "", ledgeronline.Misconfigured, false, ""},
		"408":             {408, "", ledgeronline.Transient, true, ""},
	} {
		t.Run(name, func(t *testing.T) {
			api := &canned{status: c.status, body: c.body}
			client, _ := open(t, api)
			_, err := client.PostJournal(t.Context(), conn(), usd(), "id")
			var e *ledgeronline.Error
			if !errors.As(err, &e) {
				t.Fatalf("%v", err)
			}
			if e.Class != c.class || e.Unknown != c.unknown || e.Code != c.code {
				t.Errorf("class %s, unknown %v, code %q; want %s, %v, %q", e.Class, e.Unknown, e.Code, c.class, c.unknown, c.code)
			}
			if e.Status != c.status || e.Op != "post journal" || e.Trace != "1-tid-7" || e.Message == "" {
				t.Errorf("%+v", e)
			}
			if ledgeronline.ClassOf(fmt.Errorf("wrapped: %w", err)) != c.class || ledgeronline.Unknown(err) != c.unknown {
				t.Error("the helpers disagree")
			}
			if api.count() != 1 {
				t.Errorf("%d requests", api.count())
			}
			if e.Class == ledgeronline.DuplicateDocument && strings.Contains(c.body, "3632") && e.ExistingID != "3632" {
				t.Errorf("existing %q", e.ExistingID)
			}
			if strings.Contains(c.body, "element id 91") && e.AccountID != "91" {
				t.Errorf("account %q", e.AccountID)
			}
			if resting := client.Resting(realm); (c.class == ledgeronline.Throttled) != resting.Equal(start.Add(time.Minute)) {
				t.Errorf("rests until %v", resting)
			}
		})
	}
}

// A read changes nothing, so its outcome is never unknown.
func TestReadsAreNeverUnknown(t *testing.T) {
	for _, status := range []int{200, 500} {
		client, _ := open(t, &canned{status: status, body: "<html>"})
		_, err := client.FreshAccounts(t.Context(), conn())
		if ledgeronline.ClassOf(err) != ledgeronline.Transient || ledgeronline.Unknown(err) {
			t.Errorf("%d: %v", status, err)
		}
	}
}

func TestUnknownOutcomes(t *testing.T) {
	patience := func(o *ledgeronline.Options) { o.Patience = 50 * time.Millisecond }
	post := func(t *testing.T, c *ledgeronline.Client, unknown bool) *ledgeronline.Error {
		t.Helper()
		_, err := c.PostJournal(t.Context(), conn(), usd(), "id")
		var e *ledgeronline.Error
		if !errors.As(err, &e) || e.Class != ledgeronline.Transient || e.Unknown != unknown {
			t.Fatalf("%v, unknown %v", err, ledgeronline.Unknown(err))
		}
		return e
	}
	hijacked := func(answer string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			c, _, err := w.(http.Hijacker).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			_, _ = io.WriteString(c, answer)
			_ = c.Close()
		})
	}
	t.Run("nobody listens", func(t *testing.T) {
		c, srv := at(t, http.NotFoundHandler())
		srv.Close()
		post(t, c, false)
	})
	t.Run("no such host", func(t *testing.T) {
		c, _ := open(t, nil, func(o *ledgeronline.Options) {
			o.HTTPClient = nil
			o.Settings.APIBase = "https://ledger.invalid/v3/company"
		})
		post(t, c, false)
	})
	t.Run("no answer in time", func(t *testing.T) {
		stop := make(chan struct{})
		c, _ := at(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			<-stop
		}), patience)
		defer close(stop)
		if e := post(t, c, true); !errors.Is(e, context.DeadlineExceeded) || e.Message != "no answer in time" {
			t.Errorf("%v", e)
		}
	})
	t.Run("no connection in time", func(t *testing.T) {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close() // accepts, and never answers the handshake
		c, _ := open(t, nil, patience, func(o *ledgeronline.Options) {
			o.HTTPClient = nil
			o.Settings.APIBase = "https://" + l.Addr().String() + "/v3/company"
		})
		post(t, c, false)
	})
	t.Run("connection cut before the answer", func(t *testing.T) {
		c, _ := at(t, hijacked(""))
		post(t, c, true)
	})
	t.Run("answer cut off", func(t *testing.T) {
		c, _ := at(t, hijacked("HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{\"JournalEntry\":{"))
		if e := post(t, c, true); e.Status != http.StatusOK {
			t.Errorf("%v", e)
		}
	})
	t.Run("an endless answer", func(t *testing.T) {
		c, _ := open(t, &canned{content: io.NopCloser(endless{})})
		post(t, c, true)
	})
	t.Run("a transport of another kind", func(t *testing.T) {
		c, _ := open(t, &canned{err: errors.New("broken pipe")})
		post(t, c, true)
	})
	t.Run("ended before it was sent", func(t *testing.T) {
		api := &canned{}
		c, _ := open(t, api)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := c.PostJournal(ctx, conn(), usd(), "id")
		if ledgeronline.ClassOf(err) != ledgeronline.Transient || ledgeronline.Unknown(err) ||
			!errors.Is(err, context.Canceled) ||
			api.count() != 0 {
			t.Errorf("%v", err)
		}
	})
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

// A redirect could send the token elsewhere, and a redirected POST becomes a GET.
func TestRedirectsAreNotFollowed(t *testing.T) {
	reached := false
	other := http.NewServeMux()
	other.HandleFunc("/", func(http.ResponseWriter, *http.Request) { reached = true })
	_, elsewhere := at(t, other)
	for _, status := range []int{301, 302, 307, 308} {
		c, _ := at(t, http.RedirectHandler(elsewhere.URL+"/v3/company/1/journalentry", status))
		_, err := c.PostJournal(t.Context(), conn(), usd(), "id")
		if ledgeronline.ClassOf(err) != ledgeronline.Misconfigured || reached {
			t.Errorf("%d: %v, reached %v", status, err, reached)
		}
	}
}

func TestRetryAfter(t *testing.T) {
	for raw, want := range map[string]time.Duration{
		"": time.Minute, "5": time.Minute, "120": 2 * time.Minute, "999999999": 15 * time.Minute, "-1": time.Minute,
		"1e3": time.Minute, "x": time.Minute, start.Add(5 * time.Minute).Format(http.TimeFormat): 5 * time.Minute,
		start.Add(-time.Hour).Format(http.TimeFormat): time.Minute,
	} {
		c, _ := open(t, &canned{status: 429, header: http.Header{"Retry-After": {raw}}})
		_, err := c.PostJournal(t.Context(), conn(), usd(), "id")
		var e *ledgeronline.Error
		if !errors.As(err, &e) || e.RetryAfter != want || !c.Resting(realm).Equal(start.Add(want)) {
			t.Errorf("%q: %v, rests until %v", raw, err, c.Resting(realm))
		}
	}
	c, _ := open(t, &canned{status: 503, header: http.Header{"Retry-After": {"30"}}})
	_, err := c.PostJournal(t.Context(), conn(), usd(), "id")
	var e *ledgeronline.Error
	if !errors.As(err, &e) || e.RetryAfter != 30*time.Second || !c.Resting(realm).IsZero() {
		t.Errorf("503: %v", err)
	}
}

// The provider quotes the token in its refusal, whole, cut off, or that of another request; so does a proxy. Neither an
// error nor a log line has one.
func TestTokensStayOut(t *testing.T) {
	const access, refresh, code = "access-token-canary-0123456789", "refresh-token-canary-0123456789",
		"code-canary-0123456789-0123"
	secrets := []string{access, refresh, code, "client-secret-canary-0123456789",
		"Y2xpZW50OmNsaWVudC1zZWNyZXQtY2FuYXJ5LTAxMjM0NTY3ODk",
		"AB01629616862oj1SBIYYkD4qmTYCdcbhGWtOzizsMKpJNDXhU"}
	echo := strings.Join(secrets, " and ")
	for name, api := range map[string]*canned{
		"fault":     {status: 400, body: fault("ValidationFault", "6000", echo, echo)},
		"401":       {status: 401, body: gateway("AUTHENTICATION", "3200", "Token expired", "Token expired: "+echo)},
		"html":      {status: 503, body: "<html>" + echo},
		"transport": {err: errors.New("proxy says " + echo)},
		"oauth":     {status: 400, body: `{"error":"invalid_grant","error_description":"` + echo + `"}`},
		"odd code":  {status: 400, body: `{"error":"` + echo + `"}`},
	} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			c, _ := open(t, api, func(o *ledgeronline.Options) {
				o.Log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
			})
			calls := []func() error{
				func() error { _, err := c.PostJournal(t.Context(), conn(), usd(), "id"); return err },
				func() error { _, err := c.FreshAccounts(t.Context(), conn()); return err },
				func() error { _, err := c.Refresh(t.Context(), sealed.NewSecret(refresh)); return err },
				func() error { _, err := c.Exchange(t.Context(), code, realm); return err },
			}
			for _, call := range calls {
				err := call()
				if err == nil {
					t.Fatal("no error")
				}
				fmt.Fprintf(&log, "%v %+v %q", err, err, err)
				raw, _ := json.Marshal(err)
				log.Write(raw)
			}
			fmt.Fprintf(&log, "%v %+v %#v", conn(), conn(), conn())
			for _, s := range secrets {
				if strings.Contains(log.String(), s) {
					t.Errorf("%q is in: %.2000s", s, &log)
				}
			}
			if !strings.Contains(log.String(), "ledger online request failed") {
				t.Errorf("not logged: %s", &log)
			}
		})
	}
}

// A text of the provider is one line of a limited length.
func TestTextsOfTheProviderAreLimited(t *testing.T) {
	c, _ := open(t, &canned{status: 400, body: fault("ValidationFault", "6000", "one\ntwo\x00"+strings.Repeat("x ",
		5000), "\t")})
	_, err := c.PostJournal(t.Context(), conn(), usd(), "id")
	var e *ledgeronline.Error
	if !errors.As(err, &e) || !strings.HasPrefix(e.Message, "one two x x") || len(e.Message) > 600 || e.Detail != "" {
		t.Errorf("%q", err)
	}
}

// A call waits for the requests of its company before it no longer than for an answer. Nothing was sent then.
func TestABusyCompany(t *testing.T) {
	pace := ledgeronline.NewPace(ledgeronline.PaceOptions{Clock: clock.NewFixed(start)})
	sharing := func(patience time.Duration) func(*ledgeronline.Options) {
		return func(o *ledgeronline.Options) { o.Pace, o.Patience = pace, patience }
	}
	reached, stop := make(chan struct{}), make(chan struct{})
	slow, _ := at(t, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		close(reached)
		<-stop
	}), sharing(time.Minute))
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = slow.FreshAccounts(t.Context(), conn())
	}()
	<-reached
	api := &canned{}
	c, _ := open(t, api, sharing(20*time.Millisecond))
	_, err := c.PostJournal(t.Context(), conn(), usd(), "id")
	var e *ledgeronline.Error
	if !errors.As(err, &e) || e.Class != ledgeronline.Throttled || e.RetryAfter != time.Second || e.Unknown {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	_, err = c.PostJournal(ctx, conn(), usd(), "id")
	if ledgeronline.ClassOf(err) != ledgeronline.Transient || ledgeronline.Unknown(err) ||
		!errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
	if api.count() != 0 || !c.Resting(realm).IsZero() {
		t.Errorf("%d requests, rests until %v", api.count(), c.Resting(realm))
	}
	close(stop)
	<-done
}

package ledgersim

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"foyer/app/money"
)

// answer is the answer to a request.
type answer struct {
	Status int    `json:"status"`
	Type   string `json:"type,omitempty"` // the media type; empty for JSON
	Trace  string `json:"trace"`
	Body   []byte `json:"body"`
}

func (a answer) write(w http.ResponseWriter) {
	h := w.Header()
	h.Set("Content-Type", "application/json;charset=UTF-8")
	if a.Type != "" {
		h.Set("Content-Type", a.Type)
	}
	if a.Trace != "" {
		h.Set("intuit_tid", a.Trace)
	}
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(a.Status)
	_, _ = w.Write(a.Body) // the client has gone
}

// call is a request of a client that may use the company.
type call struct {
	*Server
	company *company
	money   money.Info // of the company's home currency
	query   string     // the parameter query
	id      string     // in the path
	body    []byte
}

func (s *Server) apiRoutes() {
	for _, rt := range []struct {
		pattern, op string
		run         func(*call) answer
	}{
		{"GET /companyinfo/{id}", "companyinfo", readCompany},
		{"GET /preferences", "preferences", readPreferences},
		{"GET /query", "query", runQuery},
		{"POST /account", "account", createAccount},
		{"GET /account/{id}", "account", readAccount},
		{"POST /journalentry", "journalentry", createJournal},
		{"GET /journalentry/{id}", "journalentry", readJournal},
		{"POST /deposit", "deposit", createDeposit},
		{"GET /deposit/{id}", "deposit", readDeposit},
	} {
		method, path, _ := strings.Cut(rt.pattern, " ")
		s.mux.HandleFunc(method+" "+Prefix+"/v3/company/{realm}"+path, func(w http.ResponseWriter, r *http.Request) {
			s.api(rt.op, rt.run, w, r)
		})
	}
	for _, method := range []string{"GET ", "POST "} {
		s.mux.HandleFunc(method+Prefix+"/v3/", func(w http.ResponseWriter, _ *http.Request) {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.refuse("500", "Unsupported Operation", "Operation is not supported.").write(w)
		})
	}
}

// api carries one request through its fault, the checks, the replay and its handler.
func (s *Server) api(op string, run func(*call) answer, w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	a, f := func() (answer, Fault) {
		s.mu.Lock()
		defer s.mu.Unlock()
		defer s.commit()
		f := s.takeFault(r.PathValue("realm"), op)
		if f.Kind == Cut {
			return answer{}, f
		}
		if a, fails := s.before(f); fails {
			return a, f
		}
		c, a := s.enter(r, body)
		if c == nil {
			return a, f
		}
		return c.once(r, f, run), f
	}()
	after(w, r, f, a)
}

// once carries out a request, or replays the answer to an earlier one with the same id.
func (c *call) once(r *http.Request, f Fault, run func(*call) answer) answer {
	id := r.URL.Query().Get("requestid")
	if r.Method != http.MethodPost || id == "" || f.Kind == ForgetID {
		return run(c)
	}
	if len(id) > 50 {
		return c.refuse("2010", "Request has invalid or unsupported property",
			"Property Name:requestid has more than 50 characters")
	}
	if first, ok := c.company.Answers[id]; ok {
		return *first
	}
	a := run(c)
	if a.Status == http.StatusOK || c.opt.ReplayFaults {
		c.company.Answers[id] = &a
		c.dirty = true
	}
	return a
}

// enter checks the token and the company of a request.
func (s *Server) enter(r *http.Request, body []byte) (*call, answer) {
	token, bearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	t := s.st.Access[token]
	if !bearer || t == nil || !s.now().Before(t.Until) {
		// The original quotes the token like this.
		return nil, s.gatewayFault(http.StatusUnauthorized, "AUTHENTICATION", "3200",
			"message=AuthenticationFailed; errorCode=003200; statusCode=401", "Token expired: "+token)
	}
	c := s.company(r.PathValue("realm"))
	if c == nil || c.Realm != t.Realm || c.Forbidden {
		return nil, s.gatewayFault(http.StatusForbidden, "AUTHORIZATION", "3100",
			"message=ApplicationAuthorizationFailed; errorCode=003100; statusCode=403",
			"You do not have access to this company.")
	}
	if c.Lapsed && r.Method == http.MethodPost {
		return nil, s.fault(http.StatusBadRequest, "ValidationFault", "6190", "Invalid Company Status",
			"Invalid Company Status : You can't add data to Ledger Online because your trial or subscription period ended.")
	}
	info, _ := money.Lookup(money.Currency(c.Currency)) // the charts have known currencies
	return &call{
		Server: s, company: c, money: info, query: r.URL.Query().Get("query"), id: r.PathValue("id"), body: body,
	}, answer{}
}

// object answers with an object under its name, and the time.
func (s *Server) object(name string, v any) answer {
	return s.render(http.StatusOK, map[string]any{name: v, "time": s.stamp()})
}

func (s *Server) render(status int, v any) answer {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err) // an object of ours that JSON cannot hold
	}
	return answer{Status: status, Trace: newTrace(), Body: raw}
}

// newTrace is the id of an answer. It follows from no seed: it is no part of the state.
func newTrace() string { return "1-sim-" + rand.Text() }

func (s *Server) stamp() string { return s.now().Format("2006-01-02T15:04:05.000-07:00") }

// fault is a refusal of the ledger.
func (s *Server) fault(status int, kind, code, message, detail string) answer {
	return s.render(status, map[string]any{
		"Fault": map[string]any{
			"Error": []any{map[string]string{"Message": message, "Detail": detail, "code": code, "element": ""}},
			"type":  kind,
		},
		"time": s.stamp(),
	})
}

// refuse is a refusal of the content.
func (s *Server) refuse(code, message, detail string) answer {
	return s.fault(http.StatusBadRequest, "ValidationFault", code, message, detail)
}

// business is the refusal for most reasons that have no code of their own.
func (s *Server) business(detail string) answer {
	return s.refuse("6000", "A business validation error has occurred while processing your request",
		"Business Validation Error: "+detail)
}

func (s *Server) missing(what string) answer {
	return s.refuse("2020", "Required param missing, need to supply the required value for the API",
		"Required parameter "+what+" is missing in the request")
}

// gatewayFault is a refusal of the gateway in front of the ledger, which writes its members in lower case.
func (s *Server) gatewayFault(status int, kind, code, message, detail string) answer {
	return s.render(status, map[string]any{
		"warnings": nil, "intuitObject": nil,
		"fault": map[string]any{
			"error": []any{map[string]any{"message": message, "detail": detail, "code": code, "element": nil}},
			"type":  kind,
		},
		"report": nil, "queryResponse": nil, "batchItemResponse": []any{}, "attachableResponse": []any{},
		"syncErrorResponse": nil, "requestId": nil, "time": s.now().UnixMilli(), "status": nil, "cdcresponse": []any{},
	})
}

// members are the names that a body can have, at any depth. The original refuses others, and another letter case.
var members = []string{
	"AccountRef", "AccountSubType", "AccountType", "AcctNum", "Adjustment", "Amount", "CurrencyRef", "DepositLineDetail",
	"DepositToAccountRef", "Description", "DetailType", "DocNumber", "Id", "JournalEntryLineDetail", "Line", "LineNum",
	"Name", "PostingType", "PrivateNote", "TxnDate", "domain", "name", "sparse", "type", "value",
}

// read decodes a body, or answers with the refusal.
func (c *call) read(into any) (answer, bool) {
	d := json.NewDecoder(bytes.NewReader(c.body))
	d.UseNumber()
	var tree any
	if d.Decode(&tree) != nil || d.More() {
		return c.refuse("2000", "Request validation failure", "Invalid JSON in the request"), false
	}
	if name := unknownMember(tree); name != "" {
		return c.refuse("2010", "Request has invalid or unsupported property",
			"Property Name:"+name+" specified is unsupported or invalid"), false
	}
	if err := json.Unmarshal(c.body, into); err != nil {
		return c.refuse("2010", "Request has invalid or unsupported property", err.Error()), false
	}
	return answer{}, true
}

func unknownMember(v any) string {
	switch v := v.(type) {
	case map[string]any:
		for name, inner := range v {
			if !slices.Contains(members, name) {
				return name
			}
			if found := unknownMember(inner); found != "" {
				return found
			}
		}
	case []any:
		for _, inner := range v {
			if found := unknownMember(inner); found != "" {
				return found
			}
		}
	}
	return ""
}

// ref is a reference to another object.
type ref struct {
	Value string `json:"value"`
	Name  string `json:"name,omitempty"`
}

func currencyRef(code string) ref {
	names := map[string]string{"USD": "United States Dollar", "EUR": "Euro", "GBP": "British Pound Sterling"}
	return ref{Value: code, Name: names[code]}
}

// meta are the members that every object has.
func (c *call) meta(id string, made time.Time, more map[string]any) map[string]any {
	stamp := made.Format(time.RFC3339)
	more["Id"], more["SyncToken"], more["domain"], more["sparse"] = id, "0", "QBO", false
	more["MetaData"] = map[string]string{"CreateTime": stamp, "LastUpdatedTime": stamp}
	return more
}

func readCompany(c *call) answer {
	return c.object("CompanyInfo", c.meta("1", c.now(), map[string]any{
		"CompanyName": c.company.Name, "LegalName": c.company.Name, "Country": c.company.Country,
		"CompanyAddr":          map[string]string{"Id": "1", "Country": c.company.Country},
		"FiscalYearStartMonth": "January", "SupportedLanguages": "en",
		"NameValue": []any{map[string]string{"Name": "OfferingSku", "Value": "Ledger Online Plus"}},
	}))
}

func readPreferences(c *call) answer {
	accounting := map[string]any{
		"FirstMonthOfFiscalYear": "January", "UseAccountNumbers": true, "TaxYearMonth": "January",
		"ClassTrackingPerTxn": false, "TrackDepartments": false, "CustomerTerminology": "Customers",
	}
	if c.company.Closed != "" {
		accounting["BookCloseDate"] = c.company.Closed
	}
	return c.object("Preferences", c.meta("1", c.now(), map[string]any{
		"AccountingInfoPrefs": accounting,
		"CurrencyPrefs": map[string]any{
			"MultiCurrencyEnabled": c.company.Multi, "HomeCurrency": ref{Value: c.company.Currency},
		},
	}))
}

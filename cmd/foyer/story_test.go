package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/rogpeppe/go-internal/testscript"

	"foyer/app/api"
	"foyer/app/apptest"
	"foyer/app/apptest/contract"
)

func TestMain(m *testing.M) {
	apptest.FreshDatabases() // whole programs connect
	testscript.Main(m, map[string]func(){
		"foyer":      main,
		"foyer-hand": workByHand,
	})
}

// TestStories runs the whole program, as its users do: testdata/script/*.txtar. Every answer of the API on the way is
// validated against the document. A11. The program follows the settings of its environment: A15, A80, A81, A83, A217.
func TestStories(t *testing.T) {
	believeTheDocument(t)
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(e *testscript.Env) error {
			d := apptest.BareDatabase(t)
			e.Setenv("DB", d.Name)
			for _, role := range []string{"postgres", "foyer_owner", "foyer_app", "foyer_job"} {
				e.Setenv("URL_"+role, d.URL(role))
			}
			// A short data directory: the path of a Unix socket is limited, and Postgres must reach it as another user.
			dir, err := os.MkdirTemp("", "foyer-story")
			if err != nil {
				return err
			}
			e.Defer(func() { _ = os.RemoveAll(dir) })
			e.Setenv("DATA", filepath.Join(dir, "data"))
			e.Setenv("FOYER_DATA_DIR", filepath.Join(dir, "data"))
			e.Setenv("HOME", dir)
			return os.Chmod(dir, 0o755)
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"start": cmdStart, "stop": cmdStop, "kill": cmdKill, "api": cmdAPI, "keep": cmdKeep, "form": cmdForm,
			"code": cmdCode, "until": cmdUntil, "field": cmdField, "invited": cmdInvited, "date": cmdDate, "onboard": cmdOnboard,
			"readme": cmdReadme, "sql": cmdSQL, "freeaddr": cmdFreeAddr, "said": cmdSaid, "grab": cmdGrab,
		},
	})
}

// believeTheDocument puts the check below every HTTP call of this test's process, whichever client makes it.
func believeTheDocument(t *testing.T) {
	t.Helper()
	body, err := api.Document(api.DocumentURL)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := contract.Read(body)
	if err != nil {
		t.Fatal(err)
	}
	plain := http.DefaultTransport
	http.DefaultTransport = contract.Transport{Document: doc, Next: plain}
	t.Cleanup(func() { http.DefaultTransport = plain })
}

// servers are the programs that scripts have started, by script.
type server struct {
	cmd  *exec.Cmd
	done chan error
}

var state = map[*testscript.TestScript]*struct {
	server *server
	answer []byte
}{}

// start runs "foyer ARGS" in the background until it prints its line of JSON, whose members become variables: $baseUrl,
// $inviteUrl and so on. With "start -plain URL ARGS" it waits for URL to answer instead.
func cmdStart(ts *testscript.TestScript, neg bool, args []string) {
	var wait string
	if args[0] == "-plain" {
		wait, args = args[1], args[2:]
	}
	path, err := exec.LookPath("foyer")
	if err != nil {
		path = filepath.Join(filepath.SplitList(ts.Getenv("PATH"))[0], "foyer")
	}
	cmd := exec.Command(path, args...)
	cmd.Dir, cmd.Env = ts.MkAbs("."), environ(ts)
	out, err := cmd.StdoutPipe()
	ts.Check(err)
	log, err := os.Create(ts.MkAbs("server.log"))
	ts.Check(err)
	cmd.Stderr = log
	ts.Check(cmd.Start())
	s := &server{cmd: cmd, done: make(chan error, 1)}
	setServer(ts, s)
	ts.Defer(func() { _ = s.end(syscall.SIGKILL) })
	line := make(chan []byte, 1)
	go func() {
		r := bufio.NewReader(out)
		first, _ := r.ReadBytes('\n')
		line <- first
		_, _ = io.Copy(io.Discard, r)
		s.done <- cmd.Wait()
	}()
	if wait != "" {
		ts.Check(poll(30*time.Second, func() error { return answers(wait) }))
		return
	}
	select {
	case first := <-line:
		var ready map[string]any
		if err := json.Unmarshal(first, &ready); err != nil {
			body, _ := os.ReadFile(ts.MkAbs("server.log"))
			ts.Fatalf("the program printed %q and said: %s", first, body)
		}
		for name, v := range ready {
			if text, ok := v.(string); ok {
				ts.Setenv(name, text)
			}
		}
		ts.Check(os.WriteFile(ts.MkAbs("ready.json"), first, 0o600))
	case <-time.After(90 * time.Second):
		ts.Fatalf("the program is not ready after 90 s")
	}
}

func environ(ts *testscript.TestScript) []string {
	env := []string{"PATH=" + ts.Getenv("PATH"), "HOME=" + ts.Getenv("HOME"), "FOYER_DATA_DIR=" + ts.Getenv("DATA"), "TMPDIR=" + os.TempDir()}
	for _, name := range []string{"DATABASE_URL", "DATABASE_JOB_URL", "DATABASE_OWNER_URL", "FOYER_SECRET",
		"FOYER_SEAL_KEYS", "BASE_URL", "STRIPE_SECRET_KEY",
		"STRIPE_API_BASE", "STOREFRONT_RATE_LIMIT_MAX", "STOREFRONT_RATE_LIMIT_WINDOW_MS", "CHALLENGES_PER_ADDRESS_MAX", "CHALLENGES_PER_VISITOR_MAX", "TRUSTED_PROXIES",
		"STOREFRONT_WRITE_RATE_LIMIT_MAX", "WRONG_CODES_PER_ADDRESS_MAX",
		"LEDGER_ONLINE_AUTHORIZE_URL", "LEDGER_ONLINE_TOKEN_URL", "LEDGER_ONLINE_REVOKE_URL", "LEDGER_ONLINE_API_BASE",
		"LEDGER_ONLINE_APP_BASE", "LEDGER_ONLINE_CLIENT_ID", "LEDGER_ONLINE_CLIENT_SECRET", "LEDGER_ONLINE_SCOPE",
		"FOYER_PG_BIN", "GOCOVERDIR", "SIM_WEBHOOK_DUPLICATE", "SIM_WEBHOOK_SHUFFLE"} {
		if v := ts.Getenv(name); v != "" {
			env = append(env, name+"="+v)
		}
	}
	return env
}

func answers(address string) error {
	r, err := http.Get(address)
	if err != nil {
		return err
	}
	defer r.Body.Close()
	if r.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answers %d", address, r.StatusCode)
	}
	return nil
}

func poll(most time.Duration, try func() error) error {
	end := time.Now().Add(most)
	for {
		err := try()
		if err == nil || time.Now().After(end) {
			return err
		}
		time.Sleep(50 * time.Millisecond)
	}
}

func setServer(ts *testscript.TestScript, s *server) {
	if state[ts] == nil {
		state[ts] = &struct {
			server *server
			answer []byte
		}{}
	}
	state[ts].server = s
}

func (s *server) end(sig syscall.Signal) error {
	_ = s.cmd.Process.Signal(sig)
	select {
	case err := <-s.done:
		s.done <- err
		return err
	case <-time.After(40 * time.Second):
		_ = s.cmd.Process.Kill()
		return fmt.Errorf("it did not end")
	}
}

// stop tells the program to end and requires exit code 0.
func cmdStop(ts *testscript.TestScript, neg bool, args []string) {
	ts.Check(state[ts].server.end(syscall.SIGTERM))
}

// kill ends it at once, as a power cut would.
func cmdKill(ts *testscript.TestScript, neg bool, args []string) {
	_ = state[ts].server.end(syscall.SIGKILL)
}

// readme runs the calls of the README with bash, against $baseUrl; its last line is the last answer.
func cmdReadme(ts *testscript.TestScript, neg bool, args []string) {
	text, err := os.ReadFile(filepath.Join("..", "..", "README.md")) // of the package's folder, where tests run
	ts.Check(err)
	_, block, found := strings.Cut(string(text), "```bash\n")
	block, _, whole := strings.Cut(block, "```")
	base := "base=http://127.0.0.1:8080\n"
	if !found || !whole || !strings.HasPrefix(block, base) {
		ts.Fatalf("the README has no calls that begin with %s", base)
	}
	cmd := exec.Command("bash", "-c", "base="+ts.Getenv("baseUrl")+"\n"+strings.TrimPrefix(block, base))
	cmd.Env = []string{"PATH=" + ts.Getenv("PATH")}
	out, err := cmd.CombinedOutput()
	ts.Check(err)
	lines := bytes.Split(bytes.TrimSpace(out), []byte("\n"))
	state[ts].answer = lines[len(lines)-1]
}

// api STATUS METHOD PATH [BODY] calls the API at $baseUrl as $TOKEN. The last answer can be looked into with keep.
func cmdAPI(ts *testscript.TestScript, neg bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	var body io.Reader
	if len(args) > 3 {
		body = strings.NewReader(args[3])
	}
	r, err := http.NewRequest(args[1], ts.Getenv("baseUrl")+args[2], body)
	ts.Check(err)
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	if token := ts.Getenv("TOKEN"); token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	answer, err := http.DefaultClient.Do(r)
	ts.Check(err)
	defer answer.Body.Close()
	got, err := io.ReadAll(answer.Body)
	ts.Check(err)
	state[ts].answer = got
	ts.Logf("%s %s -> %d %s", args[1], args[2], answer.StatusCode, got)
	if answer.StatusCode != want {
		ts.Fatalf("%s %s answered %d, want %d: %s", args[1], args[2], answer.StatusCode, want, got)
	}
}

// keep NAME PATH puts a value of the last answer into a variable: keep ID data.items.0.id
func cmdKeep(ts *testscript.TestScript, neg bool, args []string) {
	ts.Setenv(args[0], look(ts, args[1]))
}

// field PATH VALUE compares a value of the last answer.
func cmdField(ts *testscript.TestScript, neg bool, args []string) {
	if got := look(ts, args[0]); (got == args[1]) == neg {
		ts.Fatalf("%s is %q", args[0], got)
	}
}

func look(ts *testscript.TestScript, path string) string {
	var v any
	d := json.NewDecoder(bytes.NewReader(state[ts].answer))
	d.UseNumber()
	ts.Check(d.Decode(&v))
	for _, step := range strings.Split(path, ".") {
		switch x := v.(type) {
		case map[string]any:
			v = x[step]
		case []any:
			if step == "length" {
				v = len(x)
				continue
			}
			n, err := strconv.Atoi(step)
			if err != nil || n >= len(x) {
				ts.Fatalf("%s: no %s among %d", path, step, len(x))
			}
			v = x[n]
		default:
			ts.Fatalf("%s: nothing at %s", path, step)
		}
	}
	if v == nil {
		return "null"
	}
	return fmt.Sprint(v)
}

// code EMAIL signs in: it requests a code, reads it in the mailbox and stores the session in $TOKEN.
func cmdCode(ts *testscript.TestScript, neg bool, args []string) {
	ts.Setenv("TOKEN", "")
	cmdAPI(ts, false, []string{"200", "POST", "/auth/challenges", fmt.Sprintf(`{"email":%q,"channel":"email_code"}`, args[0])})
	challenge := look(ts, "data.challengeId")
	var code string
	ts.Check(poll(time.Minute, func() error {
		r, err := http.Get(ts.Getenv("baseUrl") + "/dev/mailbox.json?to=" + url.QueryEscape(args[0]))
		if err != nil {
			return err
		}
		defer r.Body.Close()
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return err
		}
		found := regexp.MustCompile(`\b(\d{6}) is your code`).FindSubmatch(body)
		if found == nil || string(found[1]) == ts.Getenv("LASTCODE_"+args[0]) {
			return fmt.Errorf("no code in %s", body)
		}
		code = string(found[1])
		return nil
	}))
	ts.Setenv("LASTCODE_"+args[0], code)
	cmdAPI(ts, false, []string{"200", "POST", "/auth/verify", fmt.Sprintf(`{"challengeId":%q,"code":%q}`, challenge, code)})
	ts.Setenv("TOKEN", look(ts, "data.token"))
}

// form PATH NAME=VALUE … posts a form to $baseUrl, as a browser does, and wants a redirect.
func cmdForm(ts *testscript.TestScript, neg bool, args []string) {
	values := url.Values{}
	for _, a := range args[1:] {
		name, value, _ := strings.Cut(a, "=")
		values.Set(name, value)
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	r, err := client.PostForm(ts.Getenv("baseUrl")+args[0], values)
	ts.Check(err)
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	ts.Check(err)
	if r.StatusCode != http.StatusSeeOther {
		ts.Fatalf("%s answered %d: %s", args[0], r.StatusCode, body)
	}
}

// until STATUS METHOD PATH FIELD VALUE repeats a call for up to a minute until it returns a value: for the effects of
// jobs.
func cmdUntil(ts *testscript.TestScript, neg bool, args []string) {
	ts.Check(poll(time.Minute, func() error {
		cmdAPI(ts, false, args[:3])
		if got := look(ts, args[3]); got != args[4] {
			return fmt.Errorf("%s is %q, want %q", args[3], got, args[4])
		}
		return nil
	}))
}

// invited NAME keeps the token of the invite link that the last command printed.
func cmdInvited(ts *testscript.TestScript, neg bool, args []string) {
	link := strings.TrimSpace(ts.ReadFile("stdout"))
	ts.Setenv(args[0], link[strings.LastIndexByte(link, '/')+1:])
}

// said NAME keeps the line that the last command printed.
func cmdSaid(ts *testscript.TestScript, neg bool, args []string) {
	ts.Setenv(args[0], strings.TrimSpace(ts.ReadFile("stdout")))
}

// grab NAME FILE stores the content of a file.
func cmdGrab(ts *testscript.TestScript, neg bool, args []string) {
	ts.Setenv(args[0], ts.ReadFile(args[1]))
}

// date NAME N keeps the date N days from now.
func cmdDate(ts *testscript.TestScript, neg bool, args []string) {
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	ts.Setenv(args[0], time.Now().AddDate(0, 0, n).Format(time.DateOnly))
}

// onboard URL opens the processor's page and presses its button.
func cmdOnboard(ts *testscript.TestScript, neg bool, args []string) {
	r, err := http.Get(args[0])
	ts.Check(err)
	defer r.Body.Close()
	u, err := url.Parse(args[0])
	ts.Check(err)
	cmdForm(ts, false, []string{u.Path, "link=" + u.Query().Get("link")})
}

// sql URL FILE runs the statements of a file.
func cmdSQL(ts *testscript.TestScript, neg bool, args []string) {
	conn, err := pgx.Connect(context.Background(), args[0])
	ts.Check(err)
	defer conn.Close(context.Background())
	_, err = conn.Exec(context.Background(), ts.ReadFile(args[1]))
	ts.Check(err)
}

// freeaddr NAME stores an unused address of this machine. It is below the ports that the system assigns: one of those
// could go to another program's call before the script's server has it.
func cmdFreeAddr(ts *testscript.TestScript, neg bool, args []string) {
	for range 100 {
		ln, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", 20000+rand.IntN(12000)))
		if err != nil {
			continue
		}
		ts.Setenv(args[0], ln.Addr().String())
		ts.Check(ln.Close())
		return
	}
	ts.Fatalf("no free port was found")
}

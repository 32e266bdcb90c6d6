package bench

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// pgbench runs scripts as foyer_app.
type pgbench struct {
	path    string
	dir     string // for scripts
	config  *pgx.ConnConfig
	clients int
	threads int
	cpu     cpuOf

	latencies bool // p50 is followed, too
}

// findPgbench looks beside the server's own programs first, so that both are of one version.
func findPgbench(ctx context.Context, super *pgx.Conn) (string, error) {
	var dir string
	if err := super.QueryRow(ctx, "select setting from pg_config where name = 'BINDIR'").Scan(&dir); err != nil {
		return "", err
	}
	beside := filepath.Join(dir, "pgbench")
	if _, err := os.Stat(beside); err == nil {
		return beside, nil
	}
	path, err := exec.LookPath("pgbench")
	if err != nil {
		return "", fmt.Errorf("bench: there is no pgbench in %s nor in PATH; install it with: apt-get install postgresql-contrib", dir)
	}
	return path, nil
}

// run runs a script and returns its speed in the window and its cost, pgbench itself included. done is the total
// number of iterations. The times are whole seconds, because pgbench reports its progress by the second.
func (p pgbench) run(ctx context.Context, t timing, s script, defines ...string) (out sample, done int64, err error) {
	file := filepath.Join(p.dir, "script.sql")
	if err := os.WriteFile(file, []byte(s.text), 0o600); err != nil {
		return sample{}, 0, err
	}
	warm, window := int(t.warm/time.Second), int(t.window/time.Second)
	args := []string{
		"--no-vacuum", "--protocol=prepared", "--progress=1", "--file=" + file,
		"--client=" + strconv.Itoa(p.clients), "--jobs=" + strconv.Itoa(p.threads), "--time=" + strconv.Itoa(warm+window+1),
		"--host=" + p.config.Host, "--port=" + strconv.Itoa(int(p.config.Port)), "--username=" + p.config.User,
	}
	if p.latencies {
		args = append(args, "--log", "--log-prefix="+filepath.Join(p.dir, latencyLog))
	}
	for _, d := range append(s.defines, defines...) {
		args = append(args, "--define="+d)
	}
	cmd := exec.CommandContext(ctx, p.path, append(args, p.config.Database)...) //nolint:gosec // the server's own program
	var summary bytes.Buffer
	cmd.Stdout = &summary
	progress, err := cmd.StderrPipe()
	if err != nil {
		return sample{}, 0, err
	}
	if err := cmd.Start(); err != nil {
		return sample{}, 0, err
	}
	w := watch{cpu: p.cpu.and(cmd.Process.Pid), warm: warm, last: warm + window}
	for lines := bufio.NewScanner(progress); lines.Scan(); {
		w.line(lines.Text())
	}
	if err := cmd.Wait(); err != nil {
		return sample{}, 0, fmt.Errorf("pgbench: %w: %s", err, strings.Join(w.other, "\n"))
	}
	if out, err = w.sample(); err != nil {
		return sample{}, 0, err
	}
	if p.latencies {
		if out.p50, err = p.readLatencies(t.warm); err != nil {
			return sample{}, 0, err
		}
	}
	done, err = processed(summary.String())
	return out, done, err
}

// watch follows pgbench's progress. The seconds of connecting and preparing are not counted.
type watch struct {
	cpu        cpuOf
	warm, last int
	seen       int
	rates      series
	began, end time.Time
	used       time.Duration
	other      []string
}

func (w *watch) line(text string) {
	rest, ok := strings.CutPrefix(text, "progress: ")
	if !ok {
		w.other = append(w.other, text)
		return
	}
	w.seen++
	if fields := strings.Fields(rest); w.seen > w.warm && w.seen <= w.last && len(fields) > 2 {
		rate, _ := strconv.ParseFloat(fields[2], 64) // "1.0 s, 5432.1 tps, lat …"; an unreadable number is a rate of 0
		w.rates = append(w.rates, rate)
	}
	switch w.seen {
	case w.warm:
		w.began, w.used = time.Now(), w.cpu.now() // real time: it is measured
	case w.last:
		w.end, w.used = time.Now(), w.cpu.now()-w.used // real time
	}
}

func (w *watch) sample() (sample, error) {
	sum := w.rates.sum()
	if w.end.IsZero() || sum == 0 {
		return sample{}, fmt.Errorf("pgbench reported no progress: %s", strings.Join(w.other, "\n"))
	}
	rate := sum / float64(len(w.rates))
	each := w.used.Seconds() / (rate * w.end.Sub(w.began).Seconds())
	return sample{rate: rate, cpu: time.Duration(each * float64(time.Second))}, nil
}

var processedLine = regexp.MustCompile(`(?m)^number of (transactions actually processed|failed transactions): (\d+)`)

// processed reads the number of iterations from pgbench's summary. One that failed spoils the run.
func processed(summary string) (n int64, err error) {
	for _, m := range processedLine.FindAllStringSubmatch(summary, -1) {
		count, err := strconv.ParseInt(m[2], 10, 64)
		if err != nil {
			return 0, err
		}
		if m[1] == "failed transactions" && count > 0 {
			return 0, fmt.Errorf("pgbench: %d transactions failed", count)
		}
		n = max(n, count)
	}
	if n == 0 {
		return 0, errors.New("pgbench did nothing")
	}
	return n, nil
}

// latencyLog is how the names of pgbench's logs begin.
const latencyLog = "latency"

// readLatencies removes the logs of a run and returns the p50 of the iterations that began after warm.
func (p pgbench) readLatencies(warm time.Duration) (time.Duration, error) {
	files, err := filepath.Glob(filepath.Join(p.dir, latencyLog+".*"))
	if err != nil {
		return 0, err
	}
	var took []time.Duration
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return 0, err
		}
		more, err := latenciesOf(text, warm)
		if err != nil {
			return 0, err
		}
		took = append(took, more...)
		if err := os.Remove(file); err != nil {
			return 0, err
		}
	}
	if len(took) == 0 {
		return 0, errors.New("pgbench reported no latencies")
	}
	return percentile(took, 50), nil
}

// latenciesOf reads a log of pgbench: "client transaction µs script second µs-of-it", in the order of the ends.
func latenciesOf(text []byte, warm time.Duration) (took []time.Duration, err error) {
	var began time.Time
	for line := range bytes.Lines(text) {
		var client, transaction, script, micros, s, us int64
		if _, err := fmt.Sscan(string(line), &client, &transaction, &micros, &script, &s, &us); err != nil {
			return nil, fmt.Errorf("line %q of pgbench's log: %w", line, err)
		}
		each := time.Duration(micros) * time.Microsecond
		start := time.Unix(s, us*1000).Add(-each)
		if began.IsZero() {
			began = start
		}
		if start.Sub(began) >= warm {
			took = append(took, each)
		}
	}
	return took, nil
}

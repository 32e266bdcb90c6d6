// Command times measures test programs: what each took of the clock and of the processors, in three parts.
//
//	go test -p 1 -exec '/path/to/times -into FILE' ./...    runs each program, and adds its line to FILE
//	times -table FILE                                       prints the table, the dearest first
//
// The parts are the test program itself; the servers of Postgres on this machine, whoever started them; and all other programs
// that the test program started: Chromium above all, MinIO, exiftool, the product. What one package costs is exact only while
// no other runs, hence -p 1. It reads /proc, so it needs Linux.
package main

import (
	"bufio"
	"cmp"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

func main() {
	into := flag.String("into", "", "run a test program, and add what it took to this `file`")
	table := flag.String("table", "", "print what stands in this `file`")
	flag.Parse()
	switch {
	case *table != "":
		if err := show(*table); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	case *into != "" && flag.NArg() > 0:
		os.Exit(run(*into, flag.Args()))
	default:
		flag.Usage()
		os.Exit(2)
	}
}

// cost is what a test program took.
type cost struct {
	pkg                            string
	clock, program, server, others time.Duration
}

// run runs a test program as if it had been started without times in between, and returns its exit code.
func run(into string, args []string) int {
	// Who is left behind by a browser that was killed becomes a child of this process, which can then tell what it took.
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		fmt.Fprintln(os.Stderr, "times:", err)
		return 2
	}
	c := cost{pkg: packageOf(args[0])}
	servers, began := postgres(), time.Now()
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := cmd.Start(); err != nil {
		fmt.Fprintln(os.Stderr, "times:", err)
		return 2
	}
	// It is looked at when it has ended and nobody has been told yet: then it still says what it took without its children.
	for {
		err := unix.Waitid(unix.P_PID, cmd.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if !errors.Is(err, unix.EINTR) {
			break
		}
	}
	c.clock = time.Since(began)
	p, _ := processOf(cmd.Process.Pid)
	c.program, c.others = p.own, p.ended
	err := cmd.Wait()
	c.others += orphans()
	c.server = max(0, postgres()-servers)
	if err := c.add(into); err != nil {
		fmt.Fprintln(os.Stderr, "times:", err)
		return 2
	}
	var failed *exec.ExitError
	switch {
	case errors.As(err, &failed):
		return max(1, failed.ExitCode())
	case err != nil:
		fmt.Fprintln(os.Stderr, "times:", err)
		return 2
	}
	return 0
}

// orphans is what the programs took that the test program left behind and that have ended.
func orphans() (sum time.Duration) {
	for {
		var u unix.Rusage
		pid, err := unix.Wait4(-1, nil, unix.WNOHANG, &u)
		if err != nil || pid <= 0 {
			return sum
		}
		sum += time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
}

// packageOf is the package that a test program tests: go test starts it in its folder.
func packageOf(program string) string {
	dir, err := os.Getwd()
	if err != nil {
		return program
	}
	for root := dir; root != "/"; root = filepath.Dir(root) {
		if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
			if name, err := filepath.Rel(root, dir); err == nil {
				return name
			}
		}
	}
	return program
}

// process is what /proc says of one.
type process struct {
	name       string
	own, ended time.Duration // of itself, and of its children that it has waited for
}

// tick is the unit of /proc, the same on every Linux that Go runs on.
const tick = time.Second / 100

func processOf(pid int) (p process, ok bool) {
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return p, false
	}
	text := string(data)
	open, closed := strings.IndexByte(text, '('), strings.LastIndexByte(text, ')')
	fields := strings.Fields(text[closed+1:])
	if open < 0 || closed < open || len(fields) < 15 {
		return p, false
	}
	ticks := func(i int) time.Duration { n, _ := strconv.ParseInt(fields[i], 10, 64); return time.Duration(n) * tick }
	p.name = text[open+1 : closed]
	p.own, p.ended = ticks(11)+ticks(12), ticks(13)+ticks(14)
	return p, true
}

// postgres is what all servers on this machine have taken. A backend that ends is in its postmaster's account from then on.
func postgres() (sum time.Duration) {
	all, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range all {
		pid, _ := strconv.Atoi(filepath.Base(dir))
		if p, ok := processOf(pid); ok && p.name == "postgres" {
			sum += p.own + p.ended
		}
	}
	return sum
}

// add adds a line: the package and four durations.
func (c *cost) add(file string) error {
	f, err := os.OpenFile(file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(f, c.pkg, c.clock, c.program, c.server, c.others)
	return errors.Join(err, f.Close())
}

// show prints the table as Markdown. A package that ran more than once is one row.
func show(file string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	rows := map[string]*cost{}
	total := &cost{pkg: "all"}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		if len(fields) != 5 {
			return fmt.Errorf("times: %s: %q is no line of mine", file, lines.Text())
		}
		row := rows[fields[0]]
		if row == nil {
			row = &cost{pkg: fields[0]}
			rows[row.pkg] = row
		}
		for i, field := range fields[1:] {
			d, err := time.ParseDuration(field)
			if err != nil {
				return fmt.Errorf("times: %s: %w", file, err)
			}
			*[]*time.Duration{&row.clock, &row.program, &row.server, &row.others}[i] += d
			*[]*time.Duration{&total.clock, &total.program, &total.server, &total.others}[i] += d
		}
	}
	sorted := make([]*cost, 0, len(rows))
	for _, row := range rows {
		sorted = append(sorted, row)
	}
	slices.SortFunc(sorted, func(a, b *cost) int { return cmp.Compare(b.clock, a.clock) })
	fmt.Println("| package | seconds | Go | Postgres | Chromium and others |")
	fmt.Println("|---|---:|---:|---:|---:|")
	for _, row := range append(sorted, total) {
		fmt.Printf("| `%s` | %.1f | %.1f | %.1f | %.1f |\n", row.pkg, row.clock.Seconds(), row.program.Seconds(), row.server.Seconds(), row.others.Seconds())
	}
	return nil
}

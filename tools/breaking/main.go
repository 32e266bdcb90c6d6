// Command breaking refuses an openapi.json that breaks what was released, unless its version has another major number:
//
//	go run ./breaking ../docs/released/openapi.json ../docs/openapi.json
//
// A field, a path or a value that is gone, and a new thing that a request must have, break; what is added does not. A211,
// A212.
package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/oasdiff/oasdiff/checker"
	"github.com/oasdiff/oasdiff/diff"
	"github.com/oasdiff/oasdiff/load"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "breaking:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	if len(args) != 2 {
		return fmt.Errorf("usage: breaking RELEASED PRESENT")
	}
	released, err := read(args[0])
	if err != nil {
		return err
	}
	present, err := read(args[1])
	if err != nil {
		return err
	}
	broken, err := compare(released, present)
	if err != nil || len(broken) == 0 {
		return err
	}
	for _, line := range broken {
		fmt.Fprintln(out, line)
	}
	before, now := released.Spec.Info.Version, present.Spec.Info.Version
	if major(before) != major(now) {
		return nil
	}
	return fmt.Errorf("%d breaking changes, and version %s after %s: a breaking change bumps the major number", len(broken), now, before)
}

func read(file string) (*load.SpecInfo, error) {
	return load.NewSpecInfo(openapi3.NewLoader(), load.NewSource(file))
}

// compare lists what breaks a client of the released document.
func compare(released, present *load.SpecInfo) (broken []string, err error) {
	changed, sources, err := diff.GetWithOperationsSourcesMap(diff.NewConfig(), released, present)
	if err != nil {
		return nil, err
	}
	say := checker.NewDefaultLocalizer()
	for _, c := range checker.CheckBackwardCompatibility(checker.NewConfig(checker.GetAllChecks()), changed, sources) {
		if c.GetLevel() == checker.ERR {
			broken = append(broken, fmt.Sprintf("%s %s: %s", c.GetOperation(), c.GetPath(), c.GetUncolorizedText(say)))
		}
	}
	return broken, nil
}

func major(version string) string {
	number, _, _ := strings.Cut(version, ".")
	return number
}

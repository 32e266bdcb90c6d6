package embed_test

import (
	"os"
	"testing"

	"foyer/app/apptest/browser"
)

func TestMain(m *testing.M) { os.Exit(browser.Share(m)) }

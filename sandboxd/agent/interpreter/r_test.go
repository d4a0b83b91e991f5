package interpreter_test

import (
	"strings"
	"testing"
)

func TestRCells(t *testing.T) {
	t.Parallel()
	needs(t, "Rscript")
	newServer(t, nil).follow("r", []script{
		{code: "x <- 5"},
		{code: "x + 1", text: "[1] 6"},
		{code: "x * 2; cat('cat\\n'); 'last'", out: "[1] 10\ncat\n", text: `[1] "last"`},
		{code: "invisible(3)"},
		{code: "message('m')", err: "m\n"},
		{code: "system('echo child'); print('grün 中')", out: "child\n[1] \"grün 中\"\n"},
		{code: "stop('boom')", failure: "simpleError", value: "boom"},
		{code: "quit(status = 3)", failure: "SystemExit", value: "3"},
		{code: "q()", failure: "SystemExit", value: "0"},
		{code: "readline('?')", failure: "simpleError", value: "readline() was called, but there is no one to answer"},
		{code: "readLines('stdin')", text: "character(0)"},
		{code: "unlist(parallel::mclapply(1:2, function(i) i * x))", text: "[1]  5 10"},
		{code: "x", text: "[1] 5"},
	})
}

func TestRPlots(t *testing.T) {
	t.Parallel()
	needs(t, "Rscript")
	got := newServer(t, nil).run("r", "plot(1:3)\nplot(3:1)")
	if len(got.results) != 2 {
		t.Fatalf("there are %d results, want two plots; error %v", len(got.results), got.failure)
	}
	for _, result := range got.results {
		if png, _ := result["png"].(string); !strings.HasPrefix(png, "iVBORw0KGgo") {
			t.Errorf("result has no png: %.100v", result)
		}
	}
}

func TestRTracebackShowsTheCellAlone(t *testing.T) {
	t.Parallel()
	needs(t, "Rscript")
	got := newServer(t, nil).run("r", "f <- function() stop('inner'); f()")
	if trace := got.failure["traceback"]; trace != "Error in f(): inner\n1: f()" {
		t.Errorf("traceback is %q", trace)
	}
}

package jsonc_test

import "testing"

// seeds are the documents of public bug reports about installers, and the cases
// that found faults here.
var seeds = []string{
	"", " \n", "null", "{}", "{ }", "{\n}\n", "{\r\n}\r\n", "\xef\xbb\xbf{}", "\xef\xbb\xbf",
	`{"mcpServers":{}}`, `{"mcpServers":null}`, `{"mcpServers":[]}`, `{"mcpServers":"x"}`, `[]`,
	`{"mcpServers":{"a":{},"b":{},}}`, "{\"mcpServers\":{ // x\n \"a\":{}}}",
	`{"mcpServers":{`, `{"a":1} x`, "# no\n{}", "{'a':1}",
	"{ // m\n \"theme\":\"x\",\"mcp\":{} }", `{"url":"https://x","mcpServers":{}}`,
	`{"port":8080,"big":9007199254740993,"mcpServers":{"a":{"p":1.0}}}`,
	"{\n  \"mcpServers\": {\n    \"a\": {}, // one\n    \"b\": {} /* two */ // three\n  }\n}",
	"{\n\t\"mcpServers\": {\n\t\t\"a\": {},\n\t},\n}\n", "// only a comment", "{} // end",
	`{"mcpServers":{"agent-sandbox":{},"agent-sandbox":{}}}`, "{/*c*/}", "{ // c\n}",
	"{\"mcpServers\": {\n\"a\": 1 /* x\ny */ }}", `{"mc\u0070Servers":{}}`,
}

func FuzzEdit(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	for seed := range uint64(50) {
		f.Add([]byte(newGenerator(seed).document()))
	}
	f.Fuzz(func(t *testing.T, src []byte) { checkEdits(t, src) })
}

package fcdeploy_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/agentsandbox/agent-sandbox/fcdeploy"
)

func ExampleSpec_Validate() {
	err := fcdeploy.Spec{Name: "my function", MemoryMB: 512, CPU: 2}.Validate()
	fmt.Println(err)
	// Output:
	// name: "my function" is not a function name; use 1 to 64 letters, digits, _ and -, starting with a letter or _
	// cpu: 2 vCPU with 512 MB is 0.25 GB per vCPU, FC allows 1 to 4; leave cpu out to get 0.5
}

func ExampleWriteArtifact() {
	dir, err := os.MkdirTemp("", "artifact")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = os.RemoveAll(dir) }()
	spec := fcdeploy.Spec{Region: "us-west-1", Server: fcdeploy.ServerSettings{AuthToken: "kept out of every file"}}
	artifact, err := fcdeploy.WriteArtifact(filepath.Join(dir, "out"), spec, linuxProgram())
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, name := range artifact.Files {
		fmt.Println(name)
	}
	// Output:
	// config.yaml
	// bootstrap
	// code.zip
	// s.yaml
	// README.md
	// .env.example
	// ram-policy.json
}

func ExampleNewClientConfig() {
	fmt.Print(fcdeploy.NewClientConfig("https://example.cn-hangzhou.fcapp.run/mcp", true))
	// Output:
	// {
	//   "mcpServers": {
	//     "agent-sandbox-remote": {
	//       "url": "https://example.cn-hangzhou.fcapp.run/mcp",
	//       "headers": {
	//         "Authorization": "Bearer ********"
	//       }
	//     }
	//   }
	// }
}

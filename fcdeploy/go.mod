module github.com/agentsandbox/agent-sandbox/fcdeploy

go 1.26.0

require go.yaml.in/yaml/v3 v3.0.4

require (
	github.com/niemeyer/pretty v0.0.0-20200227124842-a10e7caefd8e // indirect
	gopkg.in/check.v1 v1.0.0-20200227125254-8fa46927fb4f // indirect
)

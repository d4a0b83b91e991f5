module github.com/agentsandbox/agent-sandbox/fcdeploy

go 1.26.0

require (
	github.com/alibabacloud-go/darabonba-openapi/v2 v2.2.4
	github.com/alibabacloud-go/fc-20230330/v4 v4.8.2
	github.com/alibabacloud-go/tea v1.5.4
	github.com/aliyun/credentials-go v1.4.14
	github.com/aliyun/fc-go-sdk v0.0.0-20230313060359-3a1b2ede1e1e
	go.yaml.in/yaml/v3 v3.0.4
)

require (
	github.com/alibabacloud-go/alibabacloud-gateway-spi v0.0.5 // indirect
	github.com/alibabacloud-go/debug v1.0.1 // indirect
	github.com/alibabacloud-go/tea-utils/v2 v2.0.9 // indirect
	github.com/clbanning/mxj/v2 v2.7.0 // indirect
	github.com/gorilla/websocket v1.5.3 // indirect
	github.com/json-iterator/go v1.1.12 // indirect
	github.com/modern-go/concurrent v0.0.0-20180306012644-bacd9c7ef1dd // indirect
	github.com/modern-go/reflect2 v1.0.2 // indirect
	github.com/tjfoc/gmsm v1.4.1 // indirect
	golang.org/x/net v0.26.0 // indirect
	gopkg.in/ini.v1 v1.67.0 // indirect
	gopkg.in/resty.v1 v1.11.0 // indirect
)

package fc3

import (
	"encoding/json"
	"errors"
	"net/http"

	"github.com/alibabacloud-go/tea/dara"
	"github.com/alibabacloud-go/tea/tea"

	"github.com/agentsandbox/agent-sandbox/fcdeploy"
)

// apiError reads what the SDK makes of an answer. An HTML page of a gateway
// arrives as a JSON syntax error without its status; it stands for 502, the
// only known cause.
func apiError(action string, err error) error {
	if err == nil {
		return nil
	}
	if sdk, ok := errors.AsType[*tea.SDKError](err); ok {
		return fromSDK(action, sdk)
	}
	if _, ok := errors.AsType[*json.SyntaxError](err); ok {
		return &fcdeploy.APIError{Action: action, Status: http.StatusBadGateway, Message: "the answer is not FC's", Err: err}
	}
	return &fcdeploy.APIError{Action: action, Err: err}
}

func fromSDK(action string, sdk *tea.SDKError) error {
	e := &fcdeploy.APIError{Action: action, Status: dara.IntValue(sdk.StatusCode), Code: dara.StringValue(sdk.Code), Message: dara.StringValue(sdk.Message)}
	var data struct{ Code, Message, RequestID string }
	if json.Unmarshal([]byte(dara.StringValue(sdk.Data)), &data) == nil {
		e.RequestID = data.RequestID
		if data.Message != "" {
			e.Message = data.Message // without the SDK's own words around it
		}
	}
	return e
}

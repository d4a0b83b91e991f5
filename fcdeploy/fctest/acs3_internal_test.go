package fctest

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/http/httptest"
	"testing"
)

// The worked example of Alibaba Cloud's page on signature version 3
// ("V3 request body and signature mechanism", fixed-parameter example).
func TestACS3DocumentedExample(t *testing.T) {
	t.Parallel()
	r := httptest.NewRequest(http.MethodPost,
		"https://ecs.cn-shanghai.aliyuncs.com/?ImageId=win2019_1809_x64_dtc_zh-cn_40G_alibase_20230811.vhd&RegionId=cn-shanghai", nil)
	for name, value := range map[string]string{
		"x-acs-action": "RunInstances", "x-acs-version": "2014-05-26", "x-acs-date": "2023-10-26T10:22:32Z",
		"x-acs-signature-nonce": "3156853299f313e23d1673dc12e1703d",
		"x-acs-content-sha256":  "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
	} {
		r.Header.Set(name, value)
	}
	signed := []string{"host", "x-acs-action", "x-acs-content-sha256", "x-acs-date", "x-acs-signature-nonce", "x-acs-version"}
	text := acsAlgorithm + "\n" + hashHex([]byte(canonicalACS3(r, signed)))
	got := hex.EncodeToString(sign(sha256.New, "YourAccessKeySecret", text))
	if want := "06563a9e1b43f5dfe96b81484da74bceab24a1d853912eee15083a6f0f3283c0"; got != want {
		t.Errorf("signature %s, want %s", got, want)
	}
}

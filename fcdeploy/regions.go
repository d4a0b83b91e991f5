package fcdeploy

import "slices"

// regions are those that FC 3.0 names (its Go SDK's endpoint table).
var regions = []string{
	"ap-northeast-1", "ap-northeast-2", "ap-south-1",
	"ap-southeast-1", "ap-southeast-2", "ap-southeast-3", "ap-southeast-5", "ap-southeast-7",
	"cn-beijing", "cn-chengdu", "cn-hangzhou", "cn-hangzhou-finance", "cn-heyuan-acdr-1", "cn-hongkong",
	"cn-huhehaote", "cn-qingdao", "cn-shanghai", "cn-shanghai-finance-1", "cn-shenzhen", "cn-wulanchabu",
	"cn-zhangjiakou", "eu-central-1", "eu-west-1", "me-central-1", "us-east-1", "us-west-1",
}

// legacyEndpoints are the regions that have no fcv3 host.
var legacyEndpoints = []string{"cn-hangzhou-finance", "cn-heyuan-acdr-1", "cn-shanghai-finance-1", "me-central-1"}

// Regions lists the regions that are known to have FC 3.0.
func Regions() []string { return slices.Clone(regions) }

// Endpoint is the host of the FC 3.0 API in a region. It is always given to the
// SDK: the SDK's own table has a broken entry, and it turns an unknown region
// into a host that does not exist.
func Endpoint(region string) string {
	if slices.Contains(legacyEndpoints, region) {
		return region + ".fc.aliyuncs.com"
	}
	return "fcv3." + region + ".aliyuncs.com"
}

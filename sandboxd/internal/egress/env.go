package egress

// Env are the variables that make programs use a proxy at the address. Both
// spellings are in use; NO_PROXY keeps a sandbox's own servers direct.
func Env(address string) map[string]string {
	proxy, direct := "http://"+address, "localhost,127.0.0.1,::1"
	return map[string]string{
		"HTTP_PROXY": proxy, "http_proxy": proxy,
		"HTTPS_PROXY": proxy, "https_proxy": proxy,
		"ALL_PROXY": "socks5h://" + address, "all_proxy": "socks5h://" + address,
		"NO_PROXY": direct, "no_proxy": direct,
		"NODE_USE_ENV_PROXY": "1", // Node 24 and newer; older ones do not look
	}
}

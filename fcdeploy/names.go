package fcdeploy

// Description marks the functions that we made. Update and undeploy touch no
// other; it is the only free text that both generations of the API keep.
const Description = "MCP server of agent-sandbox (managed-by=abx)"

const managedMark = "managed-by=abx"

// qualifier is the only version that is deployed.
const qualifier = "LATEST"

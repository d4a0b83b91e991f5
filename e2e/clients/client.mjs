// Lists the tools of an MCP server and runs a line of code there, with the
// official TypeScript SDK:
//   node client.mjs http URL
//   node client.mjs stdio COMMAND ARGUMENTS…
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const { ABX_STARTED_BY_TEST, ...env } = process.env; // a server left behind is none of the test's own
const [kind, target, ...args] = process.argv.slice(2);
const transport = kind === 'http'
  ? new StreamableHTTPClientTransport(new URL(target))
  : new StdioClientTransport({ command: target, args, env, stderr: 'inherit' });

const client = new Client({ name: 'e2e', version: '1' });
await client.connect(transport);
const { tools } = await client.listTools();
console.log('tools:', tools.map((tool) => tool.name).sort().join(' '));
const result = await client.callTool({ name: 'run_code', arguments: { code: 'print(6*7)' } });
console.log('stdout:', result.structuredContent?.stdout.trim() ?? JSON.stringify(result));
if (kind === 'http') await transport.terminateSession();
await client.close();

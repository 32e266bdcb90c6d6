// Both conformance suites of the Model Context Protocol against the test tools that tools/conformance serves behind the
// product's bridge: the released one, with the scenarios that need sessions named in sessions.yaml, and the one of the
// revision 2026-07-28, in which every required scenario passes. Run by tools/conformance, in make verify.
import { fileURLToPath } from 'node:url'
import { suite } from './suite.mjs'

const url = process.env.MCP_URL
await suite('conformance-0.1', 'server', '--url', url, '--suite', 'active',
	'--expected-failures', fileURLToPath(new URL('sessions.yaml', import.meta.url)))
await suite('conformance-0.2', 'server', '--url', url, '--requirements', '2026-07-28')

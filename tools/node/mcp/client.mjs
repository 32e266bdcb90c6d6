// @modelcontextprotocol/client, which speaks the revision 2026-07-28, from a bare 401 to a cancelled booking, against a
// "foyer dev" at the given address.
import assert from 'node:assert/strict'
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client'
import { demo, Person } from './browser.mjs'
import { Provider } from './provider.mjs'
import { book, quotes, tools } from './studio.mjs'

const base = process.argv[2]
const [studio] = await demo(base)
const provider = new Provider(new Person(base, studio.people.owner.email), studio.id)
const connect = async () => {
	const transport = new StreamableHTTPClientTransport(new URL(`${base}/mcp`), { authProvider: provider })
	const client = new Client({ name: 'verify', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } })
	try {
		await client.connect(transport)
	} catch (error) {
		if (!(error instanceof UnauthorizedError)) throw error
		await transport.finishAuth(provider.answer)
		return undefined
	}
	return client
}
assert.equal(await connect(), undefined, 'it is let in without a token')
assert.equal(provider.asked.searchParams.get('resource'), `${base}/mcp`)
const client = await connect()
assert.equal(client.getNegotiatedProtocolVersion(), '2026-07-28')
const names = tools((await client.listTools()).tools)
const call = (name, args) => client.callTool({ name, arguments: args })
await quotes(call, await book(base, studio, call))
await client.close()
console.log(`@modelcontextprotocol/client: ${names.length} tools, booked and cancelled`)

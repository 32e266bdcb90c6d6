// @modelcontextprotocol/sdk, which speaks the revisions with an initialize request, from a bare 401 to a cancelled
// booking, against a "foyer dev" at the given address.
import assert from 'node:assert/strict'
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { demo, Person } from './browser.mjs'
import { Provider } from './provider.mjs'
import { book, quotes, tools } from './studio.mjs'

const base = process.argv[2]
const [studio] = await demo(base)
const provider = new Provider(new Person(base, studio.people.admin.email), studio.id)
const connect = async () => {
	const transport = new StreamableHTTPClientTransport(new URL(`${base}/mcp`), { authProvider: provider })
	const client = new Client({ name: 'verify', version: '1.0.0' })
	try {
		await client.connect(transport)
	} catch (error) {
		if (!(error instanceof UnauthorizedError)) throw error
		await transport.finishAuth(provider.answer.get('code'))
		return undefined
	}
	return client
}
assert.equal(await connect(), undefined, 'it is let in without a token')
assert.equal(provider.answer.get('iss'), base)
const client = await connect()
const names = tools((await client.listTools()).tools)
const call = (name, args) => client.callTool({ name, arguments: args })
await quotes(call, await book(base, studio, call))

// Its token is renewed when it is refused, without the person.
const { access_token: first } = provider.saved
provider.asked = undefined
provider.saved = { ...provider.saved, access_token: 'expired' }
assert.equal(tools((await client.listTools()).tools).length, names.length)
assert.equal(provider.asked, undefined, 'the person was asked again')
assert.notEqual(provider.saved.access_token, first)
await client.close()
console.log(`@modelcontextprotocol/sdk: ${names.length} tools, booked and cancelled, renewed its token`)

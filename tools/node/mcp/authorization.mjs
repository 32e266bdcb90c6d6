// The scenarios of an authorization server of the conformance suite, against a "foyer dev" at the given address:
//
//	node mcp/authorization.mjs http://127.0.0.1:8080
//
// The suite prints the address that a person goes to, and waits at its own for the answer.
import assert from 'node:assert/strict'
import { demo, freePort, Person } from './browser.mjs'
import { run } from './suite.mjs'

const base = process.argv[2]
const [studio] = await demo(base)
const port = await freePort()
const redirect = `http://127.0.0.1:${port}/callback`
const registered = await fetch(`${base}/oauth/register`, {
	method: 'POST', headers: { 'content-type': 'application/json' },
	body: JSON.stringify({ client_name: 'Conformance', redirect_uris: [redirect], token_endpoint_auth_method: 'none' }),
})
assert.equal(registered.status, 201)
const { client_id: client } = await registered.json()

const failed = new AbortController()
let walk
const output = await run('conformance-0.2', [
	'authorization', '--url', base, '--client-id', client, '--resource', `${base}/mcp`, '--port', String(port),
], line => {
	if (walk || !line.startsWith(`${base}/oauth/authorize?`)) return
	walk = new Person(base, studio.people.accountant.email).authorize(line.trim(), redirect, { business: studio.id })
		.then(answer => fetch(answer))
	walk.catch(error => failed.abort(error))
}, failed.signal).catch(error => { throw failed.signal.reason ?? error })
assert.ok(walk, 'the suite asked nobody')
assert.equal((await walk).status, 200)
assert.doesNotMatch(output, /SKIPPED|WARNING/, output)

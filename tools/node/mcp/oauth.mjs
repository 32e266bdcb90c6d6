// oauth4webapi, which knows nothing of the protocol of assistants, against the authorization server of a "foyer dev" at
// the given address: it checks what the specifications of OAuth ask of every answer.
import assert from 'node:assert/strict'
import * as oauth from 'oauth4webapi'
import { demo, Person } from './browser.mjs'

const base = process.argv[2]
const [studio] = await demo(base)
const resource = `${base}/mcp`
const redirect = 'https://client.example/callback' // the person's browser stops before it goes there
const local = { [oauth.allowInsecureRequests]: true } // it is this machine, without TLS
const issuer = new URL(base)

// From a bare 401 to the metadata of the resource, and of the server that it names.
const ping = token => fetch(resource, {
	method: 'POST',
	headers: {
		'content-type': 'application/json', accept: 'application/json, text/event-stream',
		...(token && { authorization: `Bearer ${token}` }),
	},
	body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
})
const bare = await ping()
assert.equal(bare.status, 401)
assert.match(bare.headers.get('www-authenticate'), /^Bearer /i)
const [, named] = bare.headers.get('www-authenticate').match(/resource_metadata="([^"]+)"/)
const described = await oauth.resourceDiscoveryRequest(new URL(resource), local)
assert.equal(described.url, named)
const metadata = await oauth.processResourceDiscoveryResponse(new URL(resource), described)
assert.deepEqual([metadata.resource, metadata.authorization_servers], [resource, [base]])
assert.deepEqual(metadata.scopes_supported, ['operator'])
assert.equal((await fetch(`${base}/.well-known/oauth-protected-resource`)).status, 200)
const as = await oauth.processDiscoveryResponse(issuer,
	await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...local }))
assert.deepEqual(as.code_challenge_methods_supported, ['S256'])
assert.deepEqual(as.response_types_supported, ['code'])
assert.equal(as.authorization_response_iss_parameter_supported, true)
assert.equal(as.client_id_metadata_document_supported, true)
assert.equal(as.introspection_endpoint, undefined)

// register returns a client, and how it authenticates.
async function register(method) {
	const client = await oauth.processDynamicClientRegistrationResponse(
		await oauth.dynamicClientRegistrationRequest(as, {
			client_name: `A client <b>${method}</b>`, redirect_uris: [redirect], token_endpoint_auth_method: method,
			grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'],
		}, local))
	assert.equal(client.token_endpoint_auth_method, method)
	assert.equal(client.client_secret !== undefined, method !== 'none')
	const auth = {
		none: oauth.None, client_secret_basic: oauth.ClientSecretBasic, client_secret_post: oauth.ClientSecretPost,
	}[method](client.client_secret)
	return { client, auth }
}

const person = new Person(base, studio.people.frontDesk.email)

// ask has the person answer an authorization request, and returns the answer with what the client kept.
async function ask({ client }, decision) {
	const verifier = oauth.generateRandomCodeVerifier(), state = oauth.generateRandomState()
	const address = new URL(as.authorization_endpoint)
	address.search = new URLSearchParams({
		client_id: client.client_id, redirect_uri: redirect, response_type: 'code', scope: 'operator', resource, state,
		code_challenge: await oauth.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256',
	})
	const answer = await person.authorize(address.href, redirect, { business: studio.id, decision })
	return { verifier, state, answer }
}

// authorize returns the tokens of a new authorization.
async function authorize(who, verify = x => x) {
	const { verifier, state, answer } = await ask(who)
	const params = oauth.validateAuthResponse(as, who.client, answer, state) // with its issuer
	const send = v => oauth.authorizationCodeGrantRequest(as, who.client, who.auth, params, redirect, v,
		{ additionalParameters: { resource }, ...local })
	const process = async res => oauth.processAuthorizationCodeResponse(as, who.client, await res)
	return verify({ send, process, verifier })
}
const invalidGrant = error => error instanceof oauth.ResponseBodyError && error.error === 'invalid_grant'
const refresh = async ({ client, auth }, token) => oauth.processRefreshTokenResponse(as, client,
	await oauth.refreshTokenGrantRequest(as, client, auth, token, { additionalParameters: { resource }, ...local }))

for (const method of ['none', 'client_secret_basic', 'client_secret_post']) {
	const who = await register(method)
	const first = await authorize(who, async ({ send, process, verifier }) => process(send(verifier)))
	assert.deepEqual([first.token_type, first.scope], ['bearer', 'operator'])
	assert.ok(first.expires_in > 0 && first.expires_in <= 3600 && first.refresh_token)
	assert.equal((await ping(first.access_token)).status, 200)

	// The token is for assistants alone.
	const rest = await fetch(`${base}/businesses`, { headers: { authorization: `Bearer ${first.access_token}` } })
	assert.equal(rest.status, 401)

	// A refresh token is used once; an older one that comes again ends all that came from it.
	const second = await refresh(who, first.refresh_token)
	assert.notEqual(second.refresh_token, first.refresh_token)
	const third = await refresh(who, second.refresh_token)
	assert.equal((await ping(third.access_token)).status, 200)
	await assert.rejects(refresh(who, first.refresh_token), invalidGrant)
	await assert.rejects(refresh(who, third.refresh_token), invalidGrant)
	assert.equal((await ping(third.access_token)).status, 401)
}

// Names are text on the page, whatever is in them. It names where the answer goes, too.
assert.match(person.consent, /A client &lt;b&gt;/)
assert.match(person.consent, /client\.example/)

// A person who declines is an answer of its own.
const who = await register('none')
const declined = await ask(who, 'deny')
assert.throws(() => oauth.validateAuthResponse(as, who.client, declined.answer, declined.state),
	error => error instanceof oauth.AuthorizationResponseError && error.error === 'access_denied')

// A code needs its verifier, and works once.
await authorize(who, async ({ send, process }) =>
	assert.rejects(process(send(oauth.generateRandomCodeVerifier())), invalidGrant))
const tokens = await authorize(who, async ({ send, process, verifier }) => {
	const tokens = await process(send(verifier))
	await assert.rejects(process(send(verifier)), invalidGrant)
	assert.equal((await ping(tokens.access_token)).status, 401, 'a code that came twice keeps its tokens')
	return authorize(who, async a => a.process(a.send(a.verifier)))
})

// What is revoked is gone at the next call, and revoking it again is no error.
assert.equal((await ping(tokens.access_token)).status, 200)
for (let times = 0; times < 2; times++) {
	await oauth.processRevocationResponse(
		await oauth.revocationRequest(as, who.client, who.auth, tokens.refresh_token, local))
}
assert.equal((await ping(tokens.access_token)).status, 401)
await assert.rejects(refresh(who, tokens.refresh_token), invalidGrant)

console.log('oauth4webapi: three kinds of clients, refreshed, refused again, revoked')

// What the clients of the SDKs keep of an authorization, in memory, and the person who authorizes them.
import { randomUUID } from 'node:crypto'

export const redirect = 'http://127.0.0.1:33418/callback' // nobody listens there: the person's browser stops before

export class Provider {
	redirectUrl = redirect
	clientMetadata = {
		client_name: 'A client of Node', redirect_uris: [redirect], token_endpoint_auth_method: 'none',
		grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'],
	}
	#state = randomUUID()

	constructor(person, business) {
		Object.assign(this, { person, business })
	}

	state() { return this.#state }
	clientInformation() { return this.client }
	saveClientInformation(client) { this.client = client }
	tokens() { return this.saved }
	saveTokens(tokens) { this.saved = tokens }
	saveCodeVerifier(verifier) { this.verifier = verifier }
	codeVerifier() { return this.verifier }
	saveDiscoveryState(state) { this.discovered = state }
	discoveryState() { return this.discovered }

	async redirectToAuthorization(url) {
		this.asked = url
		const { searchParams } = await this.person.authorize(url.href, redirect, { business: this.business })
		if (searchParams.get('state') !== this.#state) throw new Error('the answer has another state')
		this.answer = searchParams
	}
}

// The maker's own sign-in client and a community client for its books, against the simulated ledger: what they send is
// understood, and they understand what comes back. The simulator is ours and so is the client that the product uses;
// these two are neither. Run by tools/foreign, in make verify.
import assert from 'node:assert/strict'
import { promisify } from 'node:util'
import OAuthClient from 'intuit-oauth'
import QuickBooks from 'node-quickbooks'

const {
	LEDGER_AUTHORIZE, LEDGER_TOKEN, LEDGER_REVOKE, LEDGER_API, LEDGER_APP, LEDGER_CLIENT, LEDGER_SECRET, LEDGER_SCOPE,
	LEDGER_REALM, LEDGER_CALLBACK,
} = process.env

// Sign in: the page, a code, tokens.
const oauth = new OAuthClient({
	clientId: LEDGER_CLIENT, clientSecret: LEDGER_SECRET, redirectUri: LEDGER_CALLBACK, environment: 'sandbox',
	includeRefreshTokenHardExpiresIn: true,
})
oauth.setAuthorizeURLs({
	authorizeEndpoint: LEDGER_AUTHORIZE, tokenEndpoint: LEDGER_TOKEN, revokeEndpoint: LEDGER_REVOKE,
})

const signIn = async () => {
	const page = oauth.authorizeUri({ scope: [LEDGER_SCOPE], state: 'a state' })
	const shown = await fetch(page)
	assert.equal(shown.status, 200)
	assert.match(await shown.text(), /Connect your books/)
	const form = new URL(page).searchParams
	form.set('company', LEDGER_REALM)
	form.set('decision', 'approve')
	const answer = await fetch(LEDGER_AUTHORIZE, { method: 'POST', body: form, redirect: 'manual' })
	assert.equal(answer.status, 303)
	const callback = answer.headers.get('location')
	const { json } = await oauth.createToken(callback)
	assert.equal(oauth.getToken().realmId, LEDGER_REALM)
	assert.equal(oauth.getToken().state, 'a state')
	assert.deepEqual([json.token_type, json.expires_in, json.x_refresh_token_expires_in], ['bearer', 3600, 8640000])
	assert.ok(json.x_refresh_token_hard_expires_in > 4 * 365 * 86400)
	return { ...json, callback }
}
const first = await signIn()
await assert.rejects(oauth.createToken(first.callback), { error: 'invalid_grant' }, 'a code works twice')

// A refresh token works once.
const second = (await oauth.refreshUsingToken(first.refresh_token)).json
assert.notEqual(second.refresh_token, first.refresh_token)
await assert.rejects(oauth.refreshUsingToken(first.refresh_token), { error: 'invalid_grant' })
const { json: prefs } = await oauth.makeApiCall({ url: `${LEDGER_API}/${LEDGER_REALM}/preferences` })
assert.equal(prefs.Preferences.CurrencyPrefs.HomeCurrency.value, 'USD')

// The company and its chart.
QuickBooks.V3_ENDPOINT_BASE_URL = LEDGER_API + '/'
QuickBooks.TOKEN_URL = LEDGER_TOKEN
QuickBooks.REVOKE_URL = LEDGER_REVOKE
const books = new QuickBooks(
	LEDGER_CLIENT, LEDGER_SECRET, second.access_token, false, LEDGER_REALM, true, false, null, '2.0', second.refresh_token,
)
assert.equal(books.minorversion, 75)
const call = (name, ...args) => promisify(books[name].bind(books))(...args)
const refused = async (code, name, ...args) => {
	const error = await call(name, ...args).then(() => assert.fail(`${name} was done`), e => e)
	const body = error.Fault ? error : error.response.data
	assert.equal((body.Fault ?? body.fault).Error?.[0].code ?? body.fault.error[0].code, code, JSON.stringify(body))
}
const info = await call('getCompanyInfo', LEDGER_REALM)
assert.deepEqual([info.CompanyName, info.Country], ['Demo USD', 'US'])
const chart = (await call('findAccounts', { Active: true, fetchAll: true })).QueryResponse
const named = name => chart.Account.find(a => a.FullyQualifiedName === name)
assert.equal(chart.maxResults, chart.Account.length)
assert.equal(named('Income:Classes').AccountSubType, 'ServiceFeeIncome')

// An account, its name again, and one that cannot be.
const wanted = {
	Name: 'Card payments clearing', AccountType: 'Other Current Asset', AccountSubType: 'OtherCurrentAssets',
}
const clearing = await call('createAccount', { ...wanted, requestId: 'acct-1' })
assert.deepEqual([clearing.Active, clearing.Classification, clearing.CurrencyRef.value], [true, 'Asset', 'USD'])
assert.equal((await call('createAccount', { ...wanted, requestId: 'acct-1' })).Id, clearing.Id)
await refused('6240', 'createAccount', { Name: 'card payments clearing', AccountType: 'Bank' })
await refused('2170', 'createAccount', { Name: 'Another', AccountType: 'Income', AccountSubType: 'Checking' })
assert.equal((await call('getAccount', clearing.Id)).Name, 'Card payments clearing')

// A journal entry, once for its id.
const line = (posting, account, amount, description) => ({
	DetailType: 'JournalEntryLineDetail', Amount: amount, Description: description,
	JournalEntryLineDetail: { PostingType: posting, AccountRef: { value: account } },
})
const journal = more => ({
	TxnDate: '2026-11-20', DocNumber: 'BK-7F3K2Q9D', PrivateNote: 'Bookings 2026-11-20, Main Street (batch 1)',
	CurrencyRef: { value: 'USD' },
	Line: [
		line('Debit', clearing.Id, 22.94, 'Card payments'), line('Credit', named('Income:Classes').Id, 22, 'Classes'),
		line('Credit', named('Sales Tax Payable').Id, 0.94, 'Sales tax'),
	],
	...more,
})
const posted = await call('createJournalEntry', journal({ requestId: 'post-1' }))
assert.deepEqual(posted.Line.map(l => l.Amount), [22.94, 22, 0.94])
assert.equal(posted.DocNumber, 'BK-7F3K2Q9D')
assert.equal((await call('createJournalEntry', journal({ requestId: 'post-1' }))).Id, posted.Id)
assert.equal((await call('getJournalEntry', posted.Id)).PrivateNote, posted.PrivateNote)
const found = await call('findJournalEntries', [{ field: 'DocNumber', value: 'BK-7F3K2Q9D' }])
assert.deepEqual(found.QueryResponse.JournalEntry.map(d => d.Id), [posted.Id])
await refused('6000', 'createJournalEntry', journal({ Line: journal().Line.slice(0, 2) }))
await refused('2500', 'createJournalEntry', journal({
	Line: [line('Debit', '4711', 1), line('Credit', clearing.Id, 1)],
}))
await refused('6000', 'createJournalEntry', journal({
	Line: [line('Debit', named('Accounts Receivable (A/R)').Id, 1), line('Credit', clearing.Id, 1)],
}))
assert.match(await (await fetch(`${LEDGER_APP}/journal?txnId=${posted.Id}`)).text(), /Income:Classes/)

// A deposit less its fee.
const part = (amount, account) => ({
	DetailType: 'DepositLineDetail', Amount: amount, DepositLineDetail: { AccountRef: { value: account } },
})
const deposit = {
	TxnDate: '2026-11-22', PrivateNote: 'Payout (BK-ABCD2345)', CurrencyRef: { value: 'USD' },
	DepositToAccountRef: { value: named('Business Checking').Id },
	Line: [part(23.95, clearing.Id), part(-0.94, named('Bank Charges & Fees').Id)],
}
const paid = await call('createDeposit', { ...deposit, requestId: 'post-2' })
assert.deepEqual([paid.TotalAmt, paid.DepositToAccountRef.name], [23.01, 'Business Checking'])
assert.equal((await call('getDeposit', paid.Id)).Line.length, 2)
const ofTheDay = await call('findDeposits', [{ field: 'TxnDate', value: '2026-11-22' }])
assert.deepEqual(ofTheDay.QueryResponse.Deposit.map(d => d.PrivateNote), ['Payout (BK-ABCD2345)'])
assert.match(await (await fetch(`${LEDGER_APP}/deposit?txnId=${paid.Id}`)).text(), /Business Checking/)

// The end: a token that was refreshed, one that is wrong, and one that was revoked.
const third = await call('refreshAccessToken')
assert.equal((await call('getDeposit', paid.Id)).Id, paid.Id)
books.token = 'wrong'
await refused('3200', 'getDeposit', paid.Id)
await oauth.revoke({ refresh_token: third.refresh_token })
books.token = third.access_token
await refused('3200', 'getDeposit', paid.Id)
await assert.rejects(oauth.refreshUsingToken(third.refresh_token), { error: 'invalid_grant' })

console.log('the simulated ledger, intuit-oauth and node-quickbooks understand each other')

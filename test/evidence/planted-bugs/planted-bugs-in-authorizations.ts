import { APPLICATION, database, DOMAIN, EVM, INFRASTRUCTURE, type PlantedBug, unit } from './planted-bug.js';

const SUBMITTING = `${APPLICATION}/authorizations/submit-authorization`;
const LIMITS = `${APPLICATION}/authorizations/sponsoring-limits.int-spec.ts`;
const ADVANCING = `${APPLICATION}/authorizations/advance-authorizations`;
const ORDERED = `${INFRASTRUCTURE}/authorizations/persistence/postgres-ordered-authorizations`;
const FACTS = `${EVM}/authorizations/authorization-facts`;
const DOMAINS = `${EVM}/authorizations/token-domain-facts`;
const PLANNING = `${EVM}/authorizations/authorized-transfers.int-spec.ts`;
const X402 = `${INFRASTRUCTURE}/authorizations/x402`;
const HEADERS = `${X402}/payment-headers.spec.ts`;

/** Payments by signature, and by x402: paid twice, not at all, or with gas that nobody should pay. */
export const bugsInAuthorizations: readonly PlantedBug[] = [
  {
    name: 'an authorization pays more than is missing',
    file: `${DOMAIN}/authorizations/authorization-rule.ts`,
    find: 'if (value > missing)',
    replace: 'if (value > 2n * missing)',
    caughtBy: database(`${SUBMITTING}.int-spec.ts`, 'is refused for %s'),
  },
  {
    name: 'a second authorization pays what the first one pays already',
    file: `${SUBMITTING}.ts`,
    find: 'if (authorization.value > missing - underWay)',
    replace: 'if (authorization.value > missing)',
    caughtBy: database(
      `${SUBMITTING}.int-spec.ts`,
      'is refused while another one pays all that is missing, and taken for the rest',
    ),
  },
  {
    name: 'a nonce that pays another session is answered as this one’s',
    file: `${SUBMITTING}.ts`,
    find: 'if (known.paymentRequestId !== session.id || messageOf(known.authorization) !== messageOf(authorization))',
    replace: 'if (messageOf(known.authorization) !== messageOf(authorization))',
    caughtBy: database(
      `${SUBMITTING}.int-spec.ts`,
      'is refused where the nonce was used for another message, or for another session',
    ),
  },
  {
    name: 'authorizations that arrive in parallel each fit the limit alone',
    file: `${SUBMITTING}.ts`,
    find: 'await this.authorizations.lock(signed.network, before.session.id);',
    replace: 'await this.authorizations.lock(signed.authorization.nonce, before.session.id);',
    caughtBy: database(LIMITS, 'is not exceeded for an organization, whatever arrives in parallel'),
  },
  {
    name: 'a limit forgets what an authorization reserved',
    file: `${DOMAIN}/authorizations/sponsoring-rule.ts`,
    find: 'if (sponsored.ofPayment + cost > limits.perPayment)',
    replace: 'if (cost > limits.perPayment)',
    caughtBy: database(LIMITS, 'is not exceeded for one payment, with what failed'),
  },
  {
    name: 'the worker sends what expires before it can be mined',
    file: `${ADVANCING}.ts`,
    find: 'return isTooLateToSend(authorization.authorization, now, blockSeconds)',
    replace: 'return authorization.authorization.validBefore === 0n',
    caughtBy: database(
      `${ADVANCING}.int-spec.ts`,
      'is not sent where it expires before it can be mined, though it was stored in time',
    ),
  },
  {
    name: 'what somebody else carried out first has failed',
    file: `${ADVANCING}.ts`,
    find: "const isUsed = state === 'reverted' && (await this.transfers.isUsed(authorization));",
    replace: "const isUsed = state === 'final' && (await this.transfers.isUsed(authorization));",
    caughtBy: database(
      `${ADVANCING}.int-spec.ts`,
      'that somebody else carried out first costs the gas of its own transaction, and is seen, not sent again',
    ),
  },
  {
    name: 'what is final is failed while the watcher is behind the sender',
    file: `${ADVANCING}.ts`,
    find: 'if (!isReadPast) return this.lookAgain(authorization);',
    replace: 'if (blockNumber === null) return this.lookAgain(authorization);',
    caughtBy: database(
      `${APPLICATION}/authorizations/authorizations-that-wait.int-spec.ts`,
      'waits for the watcher where the sender is ahead of it',
    ),
  },
  {
    name: 'gas is paid for an address that no request has shown',
    file: `${ORDERED}.ts`,
    find: `      AND (asked.shown ->> 'network', asked.shown ->> 'uniqueAssetId', asked.shown ->> 'to')
        = (a.network, a.unique_asset_id, a.to_address)`,
    replace: `      AND (asked.shown ->> 'network', asked.shown ->> 'uniqueAssetId')
        = (a.network, a.unique_asset_id)`,
    caughtBy: database(
      `${ORDERED}.int-spec.ts`,
      'is none to an address that the request’s events never showed, though it is stored as its deposit address',
    ),
  },
  {
    name: 'a used nonce is sent',
    file: `${FACTS}.ts`,
    find: 'if (isUsed)',
    replace: 'if (isUsed && balance < 0n)',
    caughtBy: unit(`${FACTS}.spec.ts`, 'is not sent %s'),
  },
  {
    name: 'an authorization expires by the clock of the service alone',
    file: `${FACTS}.ts`,
    find: 'const current = clock > headTime ? clock : headTime;',
    replace: 'const current = clock;',
    caughtBy: unit(`${FACTS}.spec.ts`, 'is not sent %s'),
  },
  {
    name: 'a signature is taken in its malleable form',
    file: `${EVM}/authorizations/signature-forms.ts`,
    find: 'if (BigInt(s) > HALF_ORDER)',
    replace: 'if (BigInt(s) < 0n)',
    caughtBy: database(PLANNING, '%s is refused'),
  },
  {
    name: 'a token’s domain is taken by its word',
    file: `${DOMAINS}.ts`,
    find: 'if (answers.domainSeparator !== separator)',
    replace: 'if (answers.domainSeparator === null)',
    caughtBy: unit(`${DOMAINS}.spec.ts`, 'is none where it has %s'),
  },
  {
    name: 'a call is sent that brings less than what was signed',
    file: `${EVM}/authorizations/evm-authorized-transfers.ts`,
    find: 'if (arrived === value) return call;',
    replace: 'if (arrived !== null) return call;',
    caughtBy: database(PLANNING, 'is refused where %d of 10 units arrive'),
  },
  {
    name: 'an x402 payment of another resource is taken',
    file: `${DOMAIN}/authorizations/x402-payment.ts`,
    find: "['resource.url', 'resource', resourceUrl ?? resource.url, resource.url],",
    replace: "['resource.url', 'resource', resource.url, resource.url],",
    caughtBy: unit(HEADERS, 'does not fit with %s as %p'),
  },
  {
    name: 'an x402 payment to another address is taken',
    file: `${DOMAIN}/authorizations/x402-payment.ts`,
    find: "['payload.authorization.to', 'pay_to', authorization.to, payTo],",
    replace: "['payload.authorization.to', 'pay_to', payTo, payTo],",
    caughtBy: unit(HEADERS, 'does not fit with %s as %p'),
  },
  {
    name: 'an x402 payment brings less than is missing',
    file: `${DOMAIN}/authorizations/x402-payment.ts`,
    find: 'return authorization.value < BigInt(amount)',
    replace: 'return authorization.value < 1n',
    caughtBy: unit(
      HEADERS,
      'is refused where the signed value is not the accepted amount, or less than is missing',
    ),
  },
  {
    name: 'an x402 header of any length is decoded',
    file: `${X402}/payment-headers.ts`,
    find: 'if (header.length > Math.ceil(MAX_BYTES / 3) * 4)',
    replace: 'if (header.length > 100 * MAX_BYTES)',
    caughtBy: unit(HEADERS, 'is refused where it is %s'),
  },
  {
    name: 'callers wait for x402 payments without bound',
    file: `${X402}/awaited-payments.ts`,
    find: 'if (this.isClosing || places.some(([name, most]) => this.takenOf(name) >= most)) return undefined;',
    replace: 'if (this.isClosing) return undefined;',
    caughtBy: unit(
      `${X402}/awaited-payments.spec.ts`,
      'takes a hundred for one request and five hundred in all; the next is answered at once',
    ),
  },
  {
    name: 'another asset is selected while an authorization is stored',
    file: `${INFRASTRUCTURE}/authorizations/persistence/postgres-authorizations.ts`,
    find: 'WHERE id = $1 FOR KEY SHARE',
    replace: 'WHERE id = $1',
    caughtBy: database(
      `${SUBMITTING}-at-once.int-spec.ts`,
      'is stored or another asset is selected where both come at once, never both',
    ),
  },
  {
    name: 'one caller takes all places of those who wait for x402 payments',
    file: `${X402}/awaited-payments.ts`,
    find: 'ofCaller: 10',
    replace: 'ofCaller: 500',
    caughtBy: unit(
      `${X402}/awaited-payments.spec.ts`,
      'takes ten of one caller, for whatever they wait; the next is answered at once, others wait',
    ),
  },
];

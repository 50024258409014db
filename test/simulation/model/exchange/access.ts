import type { CredentialFact, ExchangeFact } from '../../facts/fact.js';
import type { Known } from '../known/known.js';
import { type Verdict, open, refused, together, type Heard, type Rule, type Rules } from './heard.js';
import type { Route } from './routes.js';
import { unknownFields } from './lists.js';
import { isObject, textOf, timeOf } from '../known/values.js';

const HOUR = 3_600_000;

/** Answers to token exchanges, by key: what the age of a caller's token may be. */
export class Tokens {
  private readonly given = new Map<string, { first: number; last: number }>();

  give(keyId: string, sentAt: number, at: number): void {
    const given = this.given.get(keyId);
    if (given === undefined) this.given.set(keyId, { first: sentAt, last: at });
    else given.last = at;
  }

  expired(keyId: string, { sentAt, at }: ExchangeFact): 'no' | 'may' | 'must' {
    const given = this.given.get(keyId);
    if (given === undefined) return 'may';
    if (given.last + HOUR < sentAt - 5000) return 'must';
    return given.first + HOUR <= at + 5000 ? 'may' : 'no';
  }
}

export function access(
  route: Route,
  exchange: ExchangeFact,
  credentials: readonly CredentialFact[],
  known: Known,
  tokens: Tokens,
): Verdict {
  if (route.isPublic) return { must: [], may: [] };
  if (exchange.keyId === null) {
    return { must: ['token_missing', 'api_key_missing'], may: [], why: 'no credential was sent' };
  }
  if (credentials.length === 0) {
    return { must: [], may: ['credentials_invalid', 'token_invalid', 'credential_disabled'] };
  }
  const refusals = credentials.map((credential) => refusal(route, exchange, credential, known));
  const codes = refusals.flatMap(({ must, may }) => [...must, ...may]);
  const isCertain = refusals.every(({ must }) => must.length > 0);
  const expired = tokens.expired(exchange.keyId, exchange);
  if (expired !== 'no') codes.push('token_expired');
  if (isCertain) return { must: codes, may: [], why: refusals[0]!.why ?? '' };
  if (expired === 'must') return { must: codes, may: [], why: 'its token is older than an hour' };
  return { must: [], may: codes };
}

/** Every proof may be missing at once: any of their answers is taken, so long as one is given. */
function refusal(route: Route, exchange: ExchangeFact, credential: CredentialFact, known: Known): Verdict {
  const must: string[] = [];
  const may: string[] = [];
  const why: string[] = [];
  if (credential.isGone) {
    must.push('token_invalid', 'credentials_invalid', 'credential_disabled');
    why.push('the credential is deleted');
  } else if (!credential.isEnabled) {
    must.push('credential_disabled');
    why.push('the credential is disabled');
  }
  if (must.length > 0) return { must, may, why: why.join(', ') };
  const listed = isListed(exchange.sourceIp, credential.allowedIps);
  if (listed === false) {
    return { must: ['ip_not_allowed'], may, why: 'the source address is not allowed' };
  }
  if (listed === 'open') may.push('ip_not_allowed');
  if (credential.pointOfSaleId !== undefined) return device(route, exchange, credential);
  const role = exchange.method === 'GET' ? 'read' : 'write';
  const isRead = exchange.path === '/v1/naspip/read';
  if (!credential.roles.includes(role) && !isRead) {
    must.push('role_required');
    why.push(`the role ${role} is missing`);
  }
  const isAccountKey = credential.accountId !== undefined;
  if (route.needsOrganization && isAccountKey) {
    must.push('organization_scope_required', 'account_not_allowed');
    why.push('organization scope is missing');
  }
  if (must.length > 0) return { must, may, why: why.join(', ') };
  const isGone = known.accounts.get(credential.accountId ?? '')?.deleted !== undefined;
  const gone = isGone ? ['account_not_allowed', 'credential_disabled', 'token_invalid', 'not_found'] : [];
  return { must, may: [...may, ...gone, ...pathAccount(exchange, credential, known)] };
}

function device(route: Route, exchange: ExchangeFact, { pointOfSaleId }: CredentialFact): Verdict {
  const codes = [
    'device_not_allowed',
    'role_required',
    'account_not_allowed',
    'organization_scope_required',
    'not_found',
  ];
  const isOwn = exchange.path.startsWith(`/v1/pos/${pointOfSaleId}/payment-request`);
  if (route.isForDevices && isOwn) return { must: [], may: [] };
  const mayLook = ['/v1/pos', `/v1/pos/${pointOfSaleId}`, '/v1/assets'].includes(exchange.path);
  if (route.method === 'GET' && mayLook) return { must: [], may: codes };
  return { must: codes, may: [], why: 'a device acts on the requests of its own POS alone' };
}

function pathAccount(exchange: ExchangeFact, credential: CredentialFact, known: Known): string[] {
  const match = /^\/v1\/(?:account|transactions\/settlement)\/([^/]+)/.exec(exchange.path);
  if (match === null) return [];
  const named = match[1]!;
  if (credential.accountId !== undefined)
    return named === credential.accountId ? [] : ['account_not_allowed'];
  return known.accounts.get(named)?.organizationId === credential.organizationId
    ? []
    : ['account_not_allowed'];
}

/** How far an address lies in a list of addresses and ranges: `open` where either is not plain IPv4. */
export function isListed(address: string, list: readonly string[]): boolean | 'open' {
  if (list.length === 0) return true;
  const source = number(plain(address));
  let isOpen = source === null;
  for (const entry of list) {
    if (entry === address) return true;
    const [base = '', bits = '32'] = plain(entry).split('/');
    const start = number(base);
    if (start === null || source === null) {
      isOpen = true;
      continue;
    }
    const width = 2 ** (32 - Number(bits));
    if (Math.floor(start / width) === Math.floor(source / width)) return true;
  }
  return isOpen ? 'open' : false;
}

function plain(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}

function number(address: string): number | null {
  const parts = address.split('.');
  if (parts.length !== 4 || parts.some((part) => !/^\d{1,3}$/.test(part) || Number(part) > 255)) return null;
  return parts.reduce((total, part) => total * 256 + Number(part), 0);
}

function verdict(heard: Heard, known: Known): Verdict {
  const { body, exchange } = heard;
  const parts = [unknownFields(body, ['api_key', 'api_secret'])];
  if (typeof body.api_key !== 'string' || typeof body.api_secret !== 'string') {
    return together(...parts, refused('api_key and api_secret are texts', 'validation_failed'));
  }
  const states = known.credentials.get(body.api_key)?.within(exchange.sentAt, exchange.at) ?? [];
  // The secret is not among the facts: it may be wrong.
  parts.push(open('credentials_invalid', 'validation_failed'));
  if (states.length === 0) return together(...parts, open('credential_disabled', 'ip_not_allowed'));
  const codes = states.map((state): string | null => {
    if (state.isGone) return 'credentials_invalid';
    if (!state.isEnabled) return 'credential_disabled';
    return isListed(exchange.sourceIp, state.allowedIps) === false ? 'ip_not_allowed' : null;
  });
  const given = codes.filter((code) => code !== null);
  if (given.length < states.length) return together(...parts, open(...given));
  return together(...parts, refused('the credential may not be used', ...given, 'credentials_invalid'));
}

/** A code for a phone works for so long, and once. */
const CODE_MS = 600_000;
const CODE_REFUSED = ['pairing_code_invalid', 'not_found', 'validation_failed', 'state_conflict'];

const pair: Rule = {
  verdict: (heard, known) => {
    const code = codeIn(heard, known);
    const { sentAt } = heard.exchange;
    if (code === undefined) return refused('there is no such code', ...CODE_REFUSED);
    if (sentAt > code.at + CODE_MS + 1_000) return refused('the code is over its time', ...CODE_REFUSED);
    return (code.usedAt ?? Infinity) < sentAt
      ? refused('the code was used', ...CODE_REFUSED)
      : open(...CODE_REFUSED);
  },
  done: (heard, _data, known) => {
    const code = codeIn(heard, known);
    if (code === undefined) return;
    const is = code.usedAt === undefined;
    known.expect(is, 'a code pairs one phone', `code ${textOf(heard.body.code)}`, ['refused', 'paired']);
    code.usedAt ??= heard.exchange.at;
  },
};

function codeIn({ body }: Heard, { pairings }: Known) {
  return pairings.get(textOf(body.code).toUpperCase());
}

export const tokenRules: Rules = {
  'pair a phone': pair,
  token: {
    verdict,
    done: (heard, data, known) => {
      const about = `credential ${textOf(heard.body.api_key)}`;
      const record = isObject(data) ? data : {};
      const isShaped = typeof record.token === 'string' && record.token_type === 'Bearer';
      known.expect(isShaped, 'the answer of a token exchange', about, [
        'token, token_type, expired_at',
        Object.keys(record),
      ]);
      const expires = timeOf(record.expired_at);
      const { sentAt, at } = heard.exchange;
      const is = expires !== null && expires >= sentAt + HOUR - 2000 && expires <= at + HOUR + 2000;
      known.expect(is, 'a token expires after 1 hour', about, [
        new Date(at + HOUR).toISOString(),
        record.expired_at,
      ]);
    },
  },
};

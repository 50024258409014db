import { open, refused, together, type Heard, type Rule, type Rules, type Verdict } from './heard.js';
import { unknownFields } from './lists.js';
import type { Known } from '../known/known.js';
import { isObject, textOf, timeOf } from '../known/values.js';
import { isListed } from './access.js';

const HOUR = 3_600_000;

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

import type { AnswerFact, CredentialFact, ExchangeFact } from '../../facts/fact.js';
import { words } from '../known/findings.js';
import type { Known } from '../known/known.js';
import { isObject, listOf, objectOf, textOf } from '../known/values.js';
import { takeCheckoutUrl, takeSignature } from '../public/sessions.js';
import { takeOffer } from '../requests/selections.js';
import { access, Tokens } from './access.js';
import { opened } from './envelope.js';
import { heardOf, together, VALID, type Heard, type Rule, type Rules, type Verdict } from './heard.js';
import { Idempotency, isReplayOf, type Repeat } from './idempotency.js';
import { noteRevocation } from '../subscriptions/subscription.js';
import { noteReplay } from '../webhooks/webhook.js';
import { routed, type Route, type Routed } from './routes.js';

const OTHER: Route = {
  name: 'other',
  method: '',
  segments: [],
  isPublic: false,
  needsOrganization: false,
  isForDevices: false,
};
const NO_CREDENTIALS: readonly CredentialFact[] = [];
/** Codes of refusals that follow from what an object is just now. */
const STATE_CODES = new Set(['state_conflict', 'not_found', 'account_not_allowed', 'no_open_request']);
const BODY_CODES = new Set(['unknown_field', 'validation_failed']);
const CREDENTIAL_CODES = new Set([
  'credentials_invalid',
  'credential_disabled',
  'ip_not_allowed',
  'role_required',
  'organization_scope_required',
  'account_not_allowed',
  'token_invalid',
]);

export class Exchanges {
  readonly tokens = new Tokens();
  private readonly idempotency = new Idempotency();

  constructor(
    private readonly known: Known,
    private readonly rules: Rules,
  ) {}

  take(exchange: ExchangeFact): void {
    const { known } = this;
    if (exchange.isFaulty || exchange.answer === 'lost') known.isFaulty = true;
    const isReading =
      exchange.method === 'GET' || exchange.path === '/v1/auth/token' || exchange.path === '/v1/naspip/read';
    if (!isReading) known.isResting = false;
    const match = routed(exchange.method, exchange.path);
    const keys = touched(exchange, match, known);
    if (!isReading) known.findings.suspicions.explain(keys, exchange.sentAt);
    known.findings.context = { at: exchange.at, keys: [...keys] };
    const checkout = exchange.method === 'GET' ? known.checkoutPaths.get(exchange.path) : undefined;
    if (checkout !== undefined) {
      takeCheckoutUrl(checkout, heardOf(exchange), known);
      return;
    }
    const rule = match === undefined ? undefined : this.rules[match.route.name];
    if (match === undefined || rule === undefined) {
      noteRevocation(exchange, known.subscriptions);
      noteReplay(exchange, known.webhooks);
      noteChoices(exchange, known);
      takeSignature(exchange, known);
      this.judgeProof(exchange);
      return;
    }
    const credentials =
      exchange.keyId === null || match.route.isPublic
        ? NO_CREDENTIALS
        : (known.credentials.get(exchange.keyId)?.within(exchange.sentAt, exchange.at) ?? NO_CREDENTIALS);
    const heard = heardOf(exchange, match.params, credentials);
    if (exchange.answer === 'lost') return this.unanswered(heard, rule, match.route);
    this.answered(heard, rule, match.route, exchange.answer);
  }

  /** A path that no rule knows is protected too: a credential that may not be used opens nothing. */
  private judgeProof(exchange: ExchangeFact): void {
    const { answer, keyId } = exchange;
    if (answer === 'lost' || answer.status !== 200 || keyId === null || !exchange.path.startsWith('/v1/'))
      return;
    const credentials =
      this.known.credentials.get(keyId)?.within(exchange.sentAt, exchange.at) ?? NO_CREDENTIALS;
    const proof = access(OTHER, exchange, credentials, this.known, this.tokens);
    const isRefused = proof.must.length > 0;
    const about = `${exchange.method} ${exchange.path}`;
    const expected = `${proof.why ?? ''}: ${[...new Set(proof.must)].join(' or ')}`;
    this.known.findings.expect(!isRefused, 'what must be refused is refused', about, [
      expected,
      answer.status,
    ]);
  }

  private unanswered(heard: Heard, rule: Rule, route: Route): void {
    if (isCreation(route)) {
      const { kind } = this.idempotency.judge(heard);
      // Its key has made its object already, so this one makes none.
      if (kind === 'replay' || kind === 'reused') return;
      this.idempotency.learn(heard, undefined);
    }
    rule.unanswered?.(heard, this.known);
  }

  private answered(heard: Heard, rule: Rule, route: Route, answer: AnswerFact): void {
    const { known } = this;
    const { exchange } = heard;
    const about = `${exchange.method} ${exchange.path}`;
    if (answer.headers['content-type']?.startsWith('text/csv') === true) return;
    const { status } = answer;
    if (exchange.isFaulty && status >= 500) return this.unanswered(heard, rule, route);
    const answered = opened(answer, about, known);
    if (answered.kind === 'broken') return this.unanswered(heard, rule, route);
    if (status === 429) return;
    const proof = access(route, exchange, heard.credentials, known, this.tokens);
    const repeat: Repeat = isCreation(route) ? this.idempotency.judge(heard) : { kind: 'first' };
    const asFirst = repeat.kind === 'replay' ? VALID : rule.verdict(heard, known);
    const own = repeat.kind === 'reused' ? reusedVerdict(asFirst) : asFirst;
    const verdict =
      proof.must.length > 0 ? together(proof, { must: [], may: own.must }) : together(proof, own);
    if (answered.kind === 'error') {
      this.judgeRefusal(heard, rule, answered.code, verdict, repeat);
      return;
    }
    if (verdict.must.length > 0) {
      const difference = {
        rule: 'what must be refused is refused',
        about,
        expected: `${verdict.why ?? ''}: ${[...new Set(verdict.must)].join(' or ')}`,
        found: words(answer.body),
      };
      const isState = proof.must.length === 0 && own.must.every((code) => STATE_CODES.has(code));
      if (isState) known.findings.suspect(difference);
      else known.differ(difference.rule, about, [difference.expected, difference.found]);
    }
    if (isCreation(route) && this.isReplay(heard, answer, answered.data, repeat, about)) return;
    this.idempotency.learn(heard, { value: answered.data });
    if (isCreation(route)) known.unanswered.answered(textOf(objectOf(answered.data).id), heard);
    if (route.name === 'token') this.tokens.give(keyOf(heard), exchange.sentAt, exchange.at);
    rule.done(heard, answered.data, known, answer);
  }

  private judgeRefusal(heard: Heard, rule: Rule, code: string, verdict: Verdict, repeat: Repeat): void {
    const { exchange } = heard;
    const about = `${exchange.method} ${exchange.path}`;
    const codes = new Set([...verdict.must, ...verdict.may]);
    if (exchange.idempotencyKey !== undefined && (repeat.kind !== 'replay' || repeat.isAtOnce))
      codes.add('idempotency_in_progress');
    if (repeat.kind === 'maybe' && repeat.isReused) codes.add('idempotency_key_reused');
    const { body, answer } = exchange;
    if (body !== undefined && !isObject(body)) codes.add('malformed_json').add('validation_failed');
    const isTooMuch = answer !== 'lost' && (answer.status === 413 || answer.status === 415);
    if (isTooMuch && body !== undefined) codes.add(code);
    rule.refused?.(heard, code, this.known);
    if (codes.has(code) || (code === 'unavailable' && exchange.isFaulty)) return;
    const isFine = verdict.must.length === 0;
    const difference = {
      rule: isFine ? 'a valid request is not refused' : 'the code of a refusal',
      about,
      expected: isFine ? 'success' : `${verdict.why ?? ''}: ${[...new Set(verdict.must)].join(' or ')}`,
      found: `${code}: ${JSON.stringify(exchange.body ?? null)}`,
    };
    // A change of the credential or the object may be under way, and the fact that says so follows.
    const { findings } = this.known;
    if (CREDENTIAL_CODES.has(code) && exchange.keyId !== null) {
      findings.suspicions.add(
        { at: exchange.at, keys: [exchange.keyId, ...(findings.context?.keys ?? [])] },
        difference,
      );
    } else if (STATE_CODES.has(code)) findings.suspect(difference);
    else findings.differ(difference.rule, difference.about, [difference.expected, difference.found]);
  }

  /** @returns whether an answer is a stored one: then nothing was made. */
  private isReplay(heard: Heard, answer: AnswerFact, data: unknown, repeat: Repeat, about: string): boolean {
    const { findings } = this.known;
    const isMarked = answer.headers['idempotency-replayed'] === 'true';
    if (repeat.kind === 'replay') {
      // Of two at once, either may be the first.
      findings.expect(isMarked || repeat.isAtOnce, 'a repeated key replays the answer', about, [
        'Idempotency-Replayed: true',
        'none',
      ]);
      findings.expect(
        isReplayOf(data, repeat.data),
        'a replayed answer is the first one without its secrets',
        about,
        [repeat.data, data],
      );
      return true;
    }
    if (repeat.kind === 'first') {
      findings.expect(!isMarked, 'a first answer is no replay', about, ['no Idempotency-Replayed', 'true']);
      return false;
    }
    const isKnown = 'data' in repeat && repeat.data !== undefined;
    return isMarked && isKnown && heard.exchange.idempotencyKey !== undefined;
  }
}

/** The interface contract does not say which is looked at first: a body that is wrong in itself, or the key that it came with. */
function reusedVerdict(asFirst: Verdict): Verdict {
  const ofBody = (codes: readonly string[]) => codes.filter((code) => BODY_CODES.has(code));
  const must = ['idempotency_key_reused', ...ofBody(asFirst.must)];
  return { must, may: ofBody(asFirst.may), why: 'the key came with another body' };
}

function isCreation({ name }: Route): boolean {
  return name.startsWith('create ');
}

function keyOf({ body }: Heard): string {
  return typeof body.api_key === 'string' ? body.api_key : '';
}

const CHOOSING = /^\/(?:public\/)?checkout\/([^/]+)(?:\/x402)?$/;

/** The page of a session and x402 may select any of its options, unless they refuse the asset as one that takes no signatures. */
function noteChoices(exchange: ExchangeFact, known: Known): void {
  const { path, answer } = exchange;
  const { code, details, accepts } = objectOf(answer === 'lost' ? null : answer.body);
  if (code === 'not_sponsored' && listOf(details).some((detail) => objectOf(detail).rule === 'asset')) return;
  const [, session = ''] = CHOOSING.exec(path) ?? [];
  const request = known.sessions.get(session);
  if (request === undefined) return;
  for (const option of request.options.keys()) request.maybeSelected.add(option);
  const heard = heardOf(exchange);
  for (const offer of listOf(accepts)) takeOffer(request, objectOf(offer), heard, known);
}

export function touched(exchange: ExchangeFact, match: Routed | undefined, known: Known): Set<string> {
  const found = new Set(match === undefined ? exchange.path.split('/') : Object.values(match.params));
  const { session, code, request } = match?.params ?? {};
  const shown =
    known.sessions.get(session ?? '') ??
    known.requests.get(request ?? '') ??
    known.checkoutPaths.get(exchange.path);
  if (shown !== undefined) found.add(shown.id).add(shown.posId);
  const link = known.links.get(code ?? '') ?? known.linkIds.get(match?.params.link ?? '');
  if (link !== undefined) {
    found.add(link.posId);
    for (const each of link.requests) found.add(each.id);
  }
  found.add(known.tills.get(code ?? '') ?? 'no till');
  const { url } = objectOf(exchange.body);
  if (typeof url === 'string') found.add(url);
  const organization = known.credentials.get(exchange.keyId ?? '')?.latest()?.organizationId;
  if (organization !== undefined && /account$/.test(exchange.path)) found.add(organization);
  found.delete('no till');
  found.delete('');
  return found;
}

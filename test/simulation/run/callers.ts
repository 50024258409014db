import type { AnswerFact, ExchangeFact } from '../facts/fact.js';
import type { Call, Credential } from '../acts/world.js';
import { callProcess, type HttpCall } from '../process/http-seam.js';
import type { ServiceProcess } from '../process/current-process.js';
import type { Clock } from '../process/simulated-time.js';
import type { Proxy } from '../faults/faults.js';
import type { Random } from '../random.js';
import type { History } from './history.js';

const DEFAULT_ADDRESS = '10.0.0.1';
/** Between two requests of anybody. */
const MOST_PAUSE_MS = 400;
const RENEWED_BEFORE_MS = 60_000;

interface Token {
  readonly token: string;
  readonly expiresAt: number;
}

export class Callers {
  private readonly tokens = new Map<string, Token>();
  private sent = 0;

  constructor(
    private readonly clock: Clock,
    private readonly history: History,
    private readonly random: Random,
    private readonly apis: () => readonly ServiceProcess[],
    private readonly isFaulty: () => boolean,
    private readonly proxy: Proxy,
    private readonly later: (ms: number, goOn: () => Promise<void>) => void,
  ) {}

  async call(request: Call): Promise<AnswerFact | 'lost'> {
    const { as } = request;
    if (as === undefined) return this.exchange(request);
    const proof = await this.tokenOf(as, request.from);
    if (proof === 'lost' || 'status' in proof) return proof;
    const answer = await this.exchange(request, proof.token);
    if (answer !== 'lost' && answer.status === 401) this.tokens.delete(as.keyId);
    return answer;
  }

  private async tokenOf({ keyId, secret }: Credential, from?: string): Promise<Token | AnswerFact | 'lost'> {
    const known = this.tokens.get(keyId);
    if (known !== undefined && known.expiresAt > this.clock.now + RENEWED_BEFORE_MS) return known;
    const answer = await this.exchange({
      method: 'POST',
      path: '/v1/auth/token',
      body: { api_key: keyId, api_secret: secret },
      ...(from !== undefined && { from }),
    });
    if (answer === 'lost' || answer.status !== 200) return answer;
    const { data } = answer.body as { data: { token: string; expired_at: string } };
    const given = { token: data.token, expiresAt: Date.parse(data.expired_at) };
    this.tokens.set(keyId, given);
    return given;
  }

  private async exchange(request: Call, token?: string): Promise<AnswerFact | 'lost'> {
    const second = request.method === 'GET' || request.form ? undefined : this.proxy.draw();
    if (second === undefined) return this.deliver(request, token);
    const { kind, afterMs } = second;
    if (kind === 'copy') {
      const answer = await this.deliver(request, token);
      this.later(afterMs, async () => void (await this.deliver(request, token, { isHeard: false })));
      return answer;
    }
    const first = this.deliver(request, token, { isHeard: false });
    if (afterMs > 0) await first.then(() => this.clock.goTo(this.clock.now + afterMs));
    return this.deliver(request, token, { after: first });
  }

  /** @param how `isHeard: false`: the caller does not get the answer. `after`: its fact follows the one of this delivery */
  private async deliver(
    request: Call,
    token: string | undefined,
    { isHeard = true, after }: { isHeard?: boolean; after?: Promise<unknown> } = {},
  ): Promise<AnswerFact | 'lost'> {
    const number = (this.sent += 1);
    // What is sent at the same millisecond has no order.
    await this.clock.goTo(this.clock.now + this.random.whole(2, MOST_PAUSE_MS));
    const sentAt = this.clock.now;
    const { method, path, query = {}, body, as, from = DEFAULT_ADDRESS, idempotencyKey } = request;
    const up = this.apis();
    const asked = up.length === 0 ? undefined : this.random.oneOf(up);
    this.history.step(asked?.name ?? 'nobody', `is asked ${method} ${path}`, 'none');
    const answered = asked === undefined ? 'lost' : await callProcess(asked, written(request, token));
    await after;
    const answer = isHeard ? answered : 'lost';
    const fact: ExchangeFact = {
      kind: 'exchange',
      number,
      sentAt,
      at: this.clock.now,
      keyId: as && token !== undefined ? as.keyId : null,
      sourceIp: from,
      method,
      path,
      query,
      ...(idempotencyKey !== undefined && { idempotencyKey }),
      ...(body !== undefined && { body }),
      answer,
      isFaulty: this.isFaulty(),
    };
    this.history.fact(fact);
    return answer;
  }
}

/** The request as it is sent: the same bytes at each delivery. */
function written(request: Call, token: string | undefined): HttpCall {
  const { method, path, query = {}, body, as, from = DEFAULT_ADDRESS, idempotencyKey, form } = request;
  const search = new URLSearchParams(query).toString();
  const text = form
    ? new URLSearchParams(form).toString()
    : body === undefined
      ? undefined
      : JSON.stringify(body);
  const type = form ? 'application/x-www-form-urlencoded' : 'application/json';
  return {
    method,
    path: search === '' ? path : `${path}?${search}`,
    from,
    headers: {
      ...(text !== undefined && {
        'content-type': type,
        'content-length': String(Buffer.byteLength(text)),
      }),
      ...(as && token !== undefined && { authorization: `Bearer ${token}`, 'x-service-api-key': as.keyId }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      ...request.headers,
    },
    ...(text !== undefined && { body: text }),
  };
}

import { outgoingFetch } from '#shared/platform/http/outgoing/outgoing-fetch.js';

/** The node rejected a call. */
export class BitcoinRefusal extends Error {
  override readonly name = 'BitcoinRefusal';
}

export type BitcoinCall = readonly [method: string, ...params: unknown[]];

interface Reply {
  readonly id: number;
  readonly result: unknown;
  readonly error: { readonly message: string } | null;
}

const ANSWERS_WITHIN_MS = 30_000;
/** Maximum batch size, because a node processes the calls of a batch sequentially. */
const MOST_AT_ONCE = 500;

export class BitcoinRpc {
  private readonly address: string;
  private readonly headers: Record<string, string>;

  /** @param url includes the user name and password of the RPC */
  constructor(readonly url: string) {
    const { origin, pathname, username, password } = new URL(url);
    const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
    this.address = origin + pathname;
    this.headers = {
      'content-type': 'application/json',
      authorization: `Basic ${credentials.toString('base64')}`,
    };
  }

  /** @throws BitcoinRefusal, or Error if the node does not respond */
  async call<Result>(method: string, ...params: unknown[]): Promise<Result> {
    const [result] = await this.calls<Result>([[method, ...params]]);
    return result!;
  }

  /**
   * @returns results in the order of the calls
   * @throws the error of the first rejected call
   */
  async calls<Result>(calls: readonly BitcoinCall[]): Promise<Result[]> {
    const results: Result[] = [];
    for (let from = 0; from < calls.length; from += MOST_AT_ONCE) {
      results.push(...((await this.post(calls.slice(from, from + MOST_AT_ONCE))) as Result[]));
    }
    return results;
  }

  private async post(calls: readonly BitcoinCall[]): Promise<unknown[]> {
    const body = calls.map(([method, ...params], id) => ({ jsonrpc: '2.0', id, method, params }));
    const response = await outgoingFetch(this.address, {
      method: 'POST',
      headers: this.headers,
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(ANSWERS_WITHIN_MS),
    });
    if (response.status === 401)
      throw new BitcoinRefusal('The node rejects the user name and password in its URL.');
    const replies = new Map(((await response.json()) as Reply[]).map((reply) => [reply.id, reply]));
    return calls.map(([method], id) => {
      const reply = replies.get(id);
      if (reply === undefined) throw new Error(`${method}: the node did not respond.`);
      if (reply.error) throw new BitcoinRefusal(`${method}: ${reply.error.message}`);
      return reply.result;
    });
  }
}

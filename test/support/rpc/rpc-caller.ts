import type { RpcProxy } from './rpc-proxy.js';
import type { RpcAnswer } from './rpc-wire.js';

export const call = (method: string, params: unknown[] = [], id = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});

export const idsOf = (answers: unknown) => (answers as { id: number }[]).map(({ id }) => id);

/** A limit for what hangs. */
const PATIENT_MS = 90_000;

/** Asks a proxy as any client of a node would. */
export class RpcCaller {
  constructor(private readonly proxy: RpcProxy) {}

  post(body: object, signal = AbortSignal.timeout(PATIENT_MS)): Promise<Response> {
    const headers = { 'content-type': 'application/json' };
    return fetch(this.proxy.url, { method: 'POST', headers, body: JSON.stringify(body), signal });
  }

  async answerTo(method: string, params: unknown[] = []): Promise<RpcAnswer> {
    return (await (await this.post(call(method, params))).json()) as RpcAnswer;
  }

  async ask<T>(method: string, params: unknown[] = []): Promise<T> {
    const answer = await this.answerTo(method, params);
    if ('error' in answer) throw new Error(answer.error.message);
    return answer.result as T;
  }
}

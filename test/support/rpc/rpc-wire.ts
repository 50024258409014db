import type { ServerResponse } from 'node:http';

export interface RpcCall {
  readonly id: unknown;
  readonly method: string;
  readonly params: readonly unknown[];
}

export interface RpcError {
  readonly code: number;
  readonly message: string;
}

export type RpcAnswer = { readonly result: unknown } | { readonly error: RpcError };

export type Ask = (call: RpcCall) => Promise<RpcAnswer>;

export interface RpcExchange {
  readonly calls: readonly RpcCall[];
  readonly isBatch: boolean;
}

export interface RpcReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly send?: (response: ServerResponse) => void;
}

/** One way of answering badly. Several together: the one that was switched on last has the last word. */
export interface Misbehaviour {
  readonly name: string;
  /** Absent: all. A reply is spoilt where one of its calls is of these. */
  readonly methods?: readonly string[];
  /** Stands before the node, one call at a time. Answers what `ask` answered where it leaves a call alone. */
  readonly answer?: (call: RpcCall, ask: Ask) => Promise<RpcAnswer>;
  /** Answers the same reply where it leaves an exchange alone. */
  readonly reply?: (exchange: RpcExchange, reply: RpcReply) => RpcReply;
}

export interface Limited {
  readonly methods?: readonly string[];
}

export const refusal = (code: number, message: string): RpcAnswer => ({ error: { code, message } });

export const hex = (number: number): string => `0x${number.toString(16)}`;

export function jsonReply(value: unknown): RpcReply {
  return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) };
}

/** @throws Error where the node refuses: a proxy that cannot ask cannot misbehave as ordered */
export async function resultOf<T>(ask: Ask, method: string, params: readonly unknown[]): Promise<T> {
  const answer = await ask({ id: 0, method, params });
  if ('error' in answer) throw new Error(`${method}: ${answer.error.message}`);
  return answer.result as T;
}

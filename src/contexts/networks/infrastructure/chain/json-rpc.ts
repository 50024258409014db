import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { BaseError, type Client, HttpRequestError, RpcRequestError, createClient, http } from 'viem';
import { ChainUnavailable } from '../../contract/chain-reader.js';
import { NetworksSettings, type RpcPatience } from '../networks-settings.js';

/** What a node answered, by request; a value of the wrong shape is refused as no answer at all. */
export interface RpcCall<T> {
  readonly method: string;
  readonly params: readonly unknown[];
  /** @throws MalformedAnswer */
  readonly read: (answer: unknown) => T;
  /** Answers a refusal by the node itself, or rethrows it. */
  readonly refused?: (error: RpcRequestError) => T;
}

/** The node answered something that cannot be true. */
export class MalformedAnswer extends Error {}

/** One viem client per network. */
@Injectable()
export class JsonRpc {
  private readonly clients: ReadonlyMap<string, Client>;

  private readonly patience: RpcPatience;

  constructor({ networks, patience }: NetworksSettings) {
    this.patience = patience;
    this.clients = new Map(
      networks.map(({ network, rpcUrls }) => {
        const transport = http(rpcUrls[0], { timeout: patience.callTimeoutMs, retryCount: 0 });
        return [network, createClient({ transport, cacheTime: 0 })];
      }),
    );
  }

  /** Tries again with back-off, also when an answer is malformed. @throws ChainUnavailable and nothing else */
  async call<T>(network: string, call: RpcCall<T>): Promise<T> {
    for (const pause of this.patience.retryAfterMs) {
      try {
        return await this.callOnce(network, call);
      } catch {
        await sleep(pause);
      }
    }
    return this.callOnce(network, call);
  }

  /** @throws ChainUnavailable and nothing else */
  async callOnce<T>(network: string, { method, params, read, refused }: RpcCall<T>): Promise<T> {
    const client = this.clients.get(network);
    if (client === undefined) throw new ChainUnavailable(network, 'it is not configured.');
    try {
      // The transport's own time limit ends with the headers: a body that stalls needs this signal.
      const signal = AbortSignal.timeout(this.patience.callTimeoutMs);
      const request = client.request as (args: object, options: object) => Promise<unknown>;
      try {
        return read(await request({ method, params }, { signal, retryCount: 0 }));
      } catch (error) {
        const refusal = refusalIn(error);
        if (refusal === null || refused === undefined) throw error;
        return refused(refusal);
      }
    } catch (error) {
      throw new ChainUnavailable(network, `${method}: ${reasonOf(error)}`);
    }
  }
}

function refusalIn(error: unknown): RpcRequestError | null {
  return causeIn(error, RpcRequestError);
}

function causeIn<E extends Error>(error: unknown, kind: abstract new (...args: never[]) => E): E | null {
  const found = error instanceof BaseError ? error.walk((cause) => cause instanceof kind) : null;
  return found instanceof kind ? found : null;
}

/** In a few words and without the endpoint's address, which viem's messages carry and which may hold an access key. */
function reasonOf(error: unknown): string {
  if (error instanceof MalformedAnswer) return error.message;
  const refusal = refusalIn(error);
  if (refusal !== null) return `the node refused (${refusal.code}): ${firstLine(refusal.details)}`;
  const status = causeIn(error, HttpRequestError)?.status;
  if (status !== undefined) return `HTTP status ${status}`;
  if (error instanceof Error && ['TimeoutError', 'AbortError'].includes(error.name)) {
    return 'no complete answer in time';
  }
  return 'no connection, or no JSON-RPC answer';
}

function firstLine(text: string): string {
  return (text.split('\n')[0] ?? '').slice(0, 200);
}

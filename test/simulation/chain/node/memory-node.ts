import type { ServerResponse } from 'node:http';
import {
  type Ask,
  type Misbehaviour,
  type RpcAnswer,
  type RpcCall,
  type RpcReply,
  jsonReply,
} from '#test/support/rpc/rpc-wire.js';
import type { MemoryChain } from '../memory-chain.js';
import { METHODS } from './methods.js';
import { GOOD_VIEW, NodeHead, NodeRefusal, type NodeView } from './node-head.js';

export interface NodeReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export class BrokenConnection extends Error {}

/** The node took the question and never answers. */
export class NoAnswer extends Error {}

export class MemoryNode {
  isAway = false;
  private active: readonly Misbehaviour[] = [];

  constructor(
    private readonly chain: MemoryChain,
    public view: NodeView = GOOD_VIEW,
  ) {}

  misbehave(...misbehaviours: readonly Misbehaviour[]): () => void {
    this.active = [...this.active, ...misbehaviours];
    return () => {
      this.active = this.active.filter((one) => !misbehaviours.includes(one));
    };
  }

  /** @param body one call, or a batch of them @throws BrokenConnection or NoAnswer */
  async answer(body: string): Promise<NodeReply> {
    if (this.isAway) throw new BrokenConnection('connect ECONNREFUSED');
    const asked = parsed(body);
    const calls = (Array.isArray(asked) ? asked : [asked]) as RpcCall[];
    // One answer has one manner, also where it is changed meanwhile.
    const { active } = this;
    const head = new NodeHead(this.chain, this.view);
    const ask = asking(active, (call) => this.ask(call, head));
    const answers: object[] = [];
    for (const call of calls) answers.push({ jsonrpc: '2.0', id: call?.id ?? null, ...(await ask(call)) });
    const exchange = { calls, isBatch: Array.isArray(asked) };
    let reply = jsonReply(exchange.isBatch ? answers : answers[0]);
    for (const one of active)
      if (one.reply !== undefined && calls.some((call) => concerns(one, call)))
        reply = one.reply(exchange, reply);
    return sent(reply);
  }

  private async ask({ method, params }: RpcCall, head: NodeHead): Promise<RpcAnswer> {
    const answers = METHODS[method];
    if (answers === undefined)
      return { error: { code: -32601, message: `the method ${method} does not exist/is not available` } };
    try {
      const { chain, view } = this;
      return { result: await answers({ chain, view, head, params: params ?? [] }) };
    } catch (error) {
      if (!(error instanceof NodeRefusal)) throw error;
      const { code, message, data } = error;
      return { error: { code, message, ...(data !== undefined && { data }) } };
    }
  }
}

function asking(active: readonly Misbehaviour[], node: Ask): Ask {
  return active.reduce<Ask>(
    (ask, one) => (call) =>
      one.answer === undefined || !concerns(one, call) ? ask(call) : one.answer(call, ask),
    node,
  );
}

function concerns({ methods }: Misbehaviour, { method }: RpcCall): boolean {
  return methods === undefined || methods.includes(method);
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return { id: null, method: 'unparsable', params: [] };
  }
}

function sent({ status, headers, body, send }: RpcReply): NodeReply {
  if (send === undefined) return { status, headers, text: String(body) };
  const seen = { status, headers, text: '', end: 'none' as 'none' | 'whole' | 'broken' };
  const response = {
    writeHead: (code: number, given: Record<string, string> = {}) => {
      seen.status = code;
      seen.headers = given;
      return response;
    },
    write: (part: string) => {
      seen.text += part;
      return true;
    },
    end: (part = '') => {
      seen.text += part;
      seen.end = 'whole';
    },
    destroy: () => {
      seen.end = 'broken';
    },
  };
  send(response as unknown as ServerResponse);
  if (seen.end === 'broken') throw new BrokenConnection('other side closed');
  if (seen.end === 'none') throw new NoAnswer('no answer');
  return { status: seen.status, headers: seen.headers, text: seen.text };
}

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
import { METHODS, type Method } from './methods.js';
import { GOOD_VIEW, NodeHead, NodeRefusal, type NodeView } from './node-head.js';

export interface NodeReply {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** So much later than asked, in milliseconds. */
  readonly afterMs: number;
}

/** The connection ended in the middle of the exchange. */
export class BrokenConnection extends Error {}

/** The node took the question and never answers. */
export class NoAnswer extends Error {}

/** A JSON-RPC endpoint of a chain in memory, which answers as well or as badly as it is told. */
export class MemoryNode {
  /** Nothing listens there. */
  isAway = false;
  /** How long it takes for each answer. */
  slowMs = 0;
  private active: readonly Misbehaviour[] = [];
  private readonly usual: NodeView;

  constructor(
    private readonly chain: MemoryChain,
    public view: NodeView = GOOD_VIEW,
    private readonly methods: Readonly<Record<string, Method>> = METHODS,
  ) {
    this.usual = view;
  }

  /** Misbehaves from now on, beside what it does already. @returns what ends it */
  misbehave(...misbehaviours: readonly Misbehaviour[]): () => void {
    this.active = [...this.active, ...misbehaviours];
    return () => {
      this.active = this.active.filter((one) => !misbehaviours.includes(one));
    };
  }

  /** A good node with its usual view from now on. */
  behave(): void {
    this.active = [];
    this.view = this.usual;
    this.isAway = false;
    this.slowMs = 0;
  }

  /** @param body one call, or a batch of them @throws BrokenConnection or NoAnswer */
  async answer(body: string): Promise<NodeReply> {
    if (this.isAway) throw new BrokenConnection('connect ECONNREFUSED');
    const asked = parsed(body);
    const calls = (Array.isArray(asked) ? asked : [asked]) as RpcCall[];
    // One answer has one manner, also where it is changed meanwhile.
    const [active, afterMs] = [this.active, this.slowMs];
    const head = new NodeHead(this.chain, this.view);
    const ask = asking(active, (call) => this.ask(call, head));
    const answers: object[] = [];
    for (const call of calls) answers.push({ jsonrpc: '2.0', id: call?.id ?? null, ...(await ask(call)) });
    const exchange = { calls, isBatch: Array.isArray(asked) };
    let reply = jsonReply(exchange.isBatch ? answers : answers[0]);
    for (const one of active)
      if (one.reply !== undefined && calls.some((call) => concerns(one, call)))
        reply = one.reply(exchange, reply);
    return { ...sent(reply), afterMs };
  }

  private async ask({ method, params }: RpcCall, head: NodeHead): Promise<RpcAnswer> {
    const answers = this.methods[method];
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

/** The part of a reply that arrives, also where it is sent in a way of its own. */
function sent({ status, headers, body, send }: RpcReply): Omit<NodeReply, 'afterMs'> {
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

import { brotliCompressSync, gzipSync } from 'node:zlib';
import { type Misbehaviour, type RpcReply, jsonReply } from './rpc-wire.js';

/** Refuses whoever does not say who asks, as several providers do. */
export function refusesUnnamed(): Misbehaviour {
  const refused = { status: 403, headers: { 'content-type': 'text/plain' }, body: 'Forbidden' };
  return {
    name: 'refusesUnnamed',
    reply: ({ headers }, reply) => (headers?.['user-agent'] === undefined ? refused : reply),
  };
}

/** Compresses its answers with gzip, asked or not. */
export function gzipped(): Misbehaviour {
  return coded('gzipped', 'gzip', gzipSync);
}

/** Compresses its answers with Brotli, asked or not. */
export function brotli(): Misbehaviour {
  return coded('brotli', 'br', brotliCompressSync);
}

/** Compresses with Brotli for those who accept it. */
export function negotiated(): Misbehaviour {
  const { reply: compress } = brotli();
  return {
    name: 'negotiated',
    reply: (exchange, reply) =>
      /\bbr\b/.test(String(exchange.headers?.['accept-encoding']))
        ? compress!(exchange, reply)
        : { ...reply },
  };
}

/** Puts a byte order mark before its JSON. */
export function byteOrderMark(): Misbehaviour {
  return { name: 'byteOrderMark', reply: (_, reply) => ({ ...reply, body: `\uFEFF${String(reply.body)}` }) };
}

/** Names the character set of its JSON. */
export function inCharset(charset: string): Misbehaviour {
  const headers = { 'content-type': `application/json; charset=${charset}` };
  return { name: 'inCharset', reply: (_, reply) => ({ ...reply, headers }) };
}

/** Answers no more than so many calls a second, those of batches counted; the rest is refused as `refused` says. */
export function limited(callsPerSecond: number, refused: RpcReply): Misbehaviour {
  let left = callsPerSecond;
  let filledAt = performance.now();
  return {
    name: 'limited',
    reply({ calls }, reply) {
      const now = performance.now();
      left = Math.min(callsPerSecond, left + ((now - filledAt) / 1_000) * callsPerSecond);
      filledAt = now;
      if (left < calls.length) return { ...refused };
      left -= calls.length;
      return reply;
    },
  };
}

export const TOO_MANY: RpcReply = { status: 429, headers: {}, body: 'Too Many Requests' };

export function tooManyCalls(code: number, message: string): RpcReply {
  return jsonReply({ jsonrpc: '2.0', id: null, error: { code, message } });
}

function coded(name: string, coding: string, code: (body: string) => Buffer): Misbehaviour {
  return {
    name,
    reply: (_, { headers, status, body }) => ({
      status,
      headers: { ...headers, 'content-encoding': coding },
      body: code(String(body)),
    }),
  };
}

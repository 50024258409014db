import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { Injectable } from '@nestjs/common';
import { invalidField } from '#shared/kernel/domain-error.js';
import {
  isWithin,
  parseCidr,
  readUnmappedAddress,
  type Cidr,
  type IpAddress,
} from '#shared/kernel/ip-range.js';
import type { Caller } from '#shared/kernel/rate-limits.js';
import { HttpSettings } from './http-settings.js';

/** An address with an optional port, which some proxies append, or a bracketed IPv6 address. */
const FORWARDED_ADDRESS = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d{1,5})?$/;
const FORWARDING_FIELDS = ['x-forwarded-for', 'forwarded', 'x-real-ip'];
const PRIVATE_RANGES = ['private', 'loopback', 'linkLocal', 'uniqueLocal', 'carrierGradeNat'];

/** Determines a request's address, using the operator's list of trusted proxies. */
@Injectable()
export class CallerAddress {
  /** Cached, because a keep-alive connection sends many requests from one peer. */
  private readonly peers = new WeakMap<Socket, string>();

  constructor(private readonly settings: HttpSettings) {}

  /** @returns a canonical address, or an empty string, which is in no range */
  addressOf({ socket, headers }: IncomingMessage): string {
    const { trustedProxies } = this.settings;
    if (trustedProxies.length > 0) {
      return clientAddress(socket.remoteAddress ?? '', headers['x-forwarded-for'], trustedProxies);
    }
    return this.peers.get(socket) ?? this.remember(socket);
  }

  /** Returns the ranges that the caller is counted in. */
  callerOf(request: IncomingMessage): Caller {
    return callerRanges(this.addressOf(request));
  }

  /**
   * Returns the address of an untrusted proxy: a private peer that forwards requests. All its callers would share the
   * limits of one caller.
   */
  unlistedProxyOf({ socket, headers }: IncomingMessage): string | undefined {
    if (FORWARDING_FIELDS.every((field) => headers[field] === undefined)) return undefined;
    const peer = readUnmappedAddress(socket.remoteAddress ?? '');
    if (peer === undefined || !PRIVATE_RANGES.includes(peer.range())) return undefined;
    return isWithin(peer, this.settings.trustedProxies) ? undefined : peer.toString();
  }

  /** True in production if the request passed an untrusted proxy. */
  isRefused(request: IncomingMessage): boolean {
    return this.settings.refusesUnlistedProxies && this.unlistedProxyOf(request) !== undefined;
  }

  /** True if a trusted proxy sent the request, so that its forwarding headers count. */
  isOfTrustedProxy({ socket }: IncomingMessage): boolean {
    const { trustedProxies } = this.settings;
    if (trustedProxies.length === 0) return false;
    const peer = readUnmappedAddress(socket.remoteAddress ?? '');
    return peer !== undefined && isWithin(peer, trustedProxies);
  }

  /** True if a trusted proxy made the request itself instead of forwarding it. */
  isTrusted(request: IncomingMessage): boolean {
    const address = readUnmappedAddress(this.addressOf(request));
    return address !== undefined && isWithin(address, this.settings.trustedProxies);
  }

  private remember(socket: Socket): string {
    const peer = clientAddress(socket.remoteAddress ?? '', undefined, []);
    if (peer !== '') this.peers.set(socket, peer);
    return peer;
  }
}

/**
 * Parses a comma-separated list of trusted proxies, whose X-Forwarded-For counts.
 * @throws DomainError also for a range that contains all addresses, which would let any caller forge its address
 */
export function parseTrustedProxies(list: string): Cidr[] {
  return list
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map((entry) => {
      const cidr = parseCidr(entry, 'trusted_proxies');
      if (cidr.prefix === 0) throw invalidField('trusted_proxies', 'cidr', 'must not include every address.');
      return cidr;
    });
}

/**
 * Returns the client's address: the socket's peer or, if the peer is a trusted proxy, the last address in X-Forwarded-For
 * that is not trusted. Each proxy appends its peer, so the list is read backwards while the entries come from trusted
 * proxies. If an entry is unreadable, the last readable hop is the client.
 */
export function clientAddress(
  socketAddress: string,
  xForwardedFor: string | readonly string[] | undefined,
  trustedProxies: readonly Cidr[],
): string {
  let hop = readUnmappedAddress(socketAddress);
  if (hop === undefined) return '';
  const entries = [xForwardedFor ?? []].flat().join(',').split(',');
  while (entries.length > 0 && isWithin(hop, trustedProxies)) {
    const next = readForwarded((entries.pop() ?? '').trim());
    if (next === undefined) break;
    hop = next;
  }
  return hop.toString();
}

function readForwarded(entry: string): IpAddress | undefined {
  const [, bracketed, ipv4] = FORWARDED_ADDRESS.exec(entry) ?? [];
  return readUnmappedAddress(bracketed ?? ipv4 ?? entry);
}

/**
 * Returns the ranges that a caller is counted in. IPv4: the address. IPv6: the /64, because the holder of one address holds
 * the complete /64, and with higher limits the /56 and /48, the usual site sizes.
 * @param address canonical, from `clientAddress`
 */
export function callerRanges(address: string): Caller {
  if (!address.includes(':')) return [{ name: address, share: 1 }];
  // String operations, because parsing an address costs more than the remaining work of an early answer.
  const [before = '', after] = address.split('::');
  const groups = before === '' ? [] : before.split(':');
  const rest = after === undefined || after === '' ? [] : after.split(':');
  while (groups.length + rest.length < 8) groups.push('0');
  const [site, subnet] = [[...groups, ...rest].slice(0, 3).join(':'), [...groups, ...rest][3]!];
  return [
    { name: `${site}:${subnet}::/64`, share: 1 },
    { name: `${site}:${(parseInt(subnet, 16) & 0xff00).toString(16)}::/56`, share: 4 },
    { name: `${site}::/48`, share: 16 },
  ];
}

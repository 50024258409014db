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

/** A port, which some proxies append, and the brackets of an IPv6 address. */
const FORWARDED_ADDRESS = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d{1,5})?$/;
const FORWARDING_FIELDS = ['x-forwarded-for', 'forwarded', 'x-real-ip'];
const PRIVATE_RANGES = ['private', 'loopback', 'linkLocal', 'uniqueLocal', 'carrierGradeNat'];

/** Where a request comes from, by the operator's list of trusted proxies. */
@Injectable()
export class CallerAddress {
  /** A kept connection asks often, and its peer never changes. */
  private readonly peers = new WeakMap<Socket, string>();

  constructor(private readonly settings: HttpSettings) {}

  /** @returns a canonical address, or an empty text, which no range holds */
  addressOf({ socket, headers }: IncomingMessage): string {
    const { trustedProxies } = this.settings;
    if (trustedProxies.length > 0) {
      return clientAddress(socket.remoteAddress ?? '', headers['x-forwarded-for'], trustedProxies);
    }
    return this.peers.get(socket) ?? this.remember(socket);
  }

  /** The ranges that the caller is counted in. */
  callerOf(request: IncomingMessage): Caller {
    return callerRanges(this.addressOf(request));
  }

  /**
   * The address of a proxy that is not trusted: a private peer that forwards the requests of others. All of its callers
   * would share the limits of one.
   */
  unlistedProxyOf({ socket, headers }: IncomingMessage): string | undefined {
    if (FORWARDING_FIELDS.every((field) => headers[field] === undefined)) return undefined;
    const peer = readUnmappedAddress(socket.remoteAddress ?? '');
    if (peer === undefined || !PRIVATE_RANGES.includes(peer.range())) return undefined;
    return isWithin(peer, this.settings.trustedProxies) ? undefined : peer.toString();
  }

  /** True in production where the request came through a proxy that is not trusted. */
  isRefused(request: IncomingMessage): boolean {
    return this.settings.refusesUnlistedProxies && this.unlistedProxyOf(request) !== undefined;
  }

  /** True where a trusted proxy has sent the request, so that what it says of others counts. */
  isOfTrustedProxy({ socket }: IncomingMessage): boolean {
    const { trustedProxies } = this.settings;
    if (trustedProxies.length === 0) return false;
    const peer = readUnmappedAddress(socket.remoteAddress ?? '');
    return peer !== undefined && isWithin(peer, trustedProxies);
  }

  /** True where the request was made by a trusted proxy itself, and not forwarded for anybody else. */
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
 * The trusted proxies, whose X-Forwarded-For counts, from a comma-separated list; empty for none.
 * @throws DomainError also for a range that holds everybody: to trust all is to trust anybody
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
 * Who the request comes from: the socket's peer, unless that is a trusted proxy; then the nearest address of
 * X-Forwarded-For that is not one. Each proxy appends the peer it saw, so the list is read from its end and only as
 * far as trusted hands wrote it; what they wrote of something unreadable counts as the last readable hop.
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
 * The ranges in which a caller is counted: an IPv4 address itself; for an IPv6 address its /64, since the holder of one
 * address of a /64 holds all of it, and with higher limits the /56 and the /48, the sizes that a site is assigned.
 * @param address canonical, as `clientAddress` returns it
 */
export function callerRanges(address: string): Caller {
  if (!address.includes(':')) return [{ name: address, share: 1 }];
  // Read as text: parsing an address costs more than all the rest of an early answer.
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

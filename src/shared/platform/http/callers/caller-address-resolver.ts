import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { Injectable } from '@nestjs/common';
import { invalidField } from '#shared/kernel/domain-error.js';
import {
  isInAnyRange,
  parseCidr,
  parseUnmappedAddress,
  type Cidr,
  type IpAddress,
} from '#shared/kernel/ip-range.js';
import type { CallerAddressRanges } from '#shared/kernel/rate-limits.js';
import { HttpSettings } from './http-settings.js';

const FORWARDED_ADDRESS = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d{1,5})?$/;
const FORWARDING_FIELDS = ['x-forwarded-for', 'forwarded', 'x-real-ip'];
const PRIVATE_RANGES = ['private', 'loopback', 'linkLocal', 'uniqueLocal', 'carrierGradeNat'];

@Injectable()
export class CallerAddressResolver {
  private readonly peers = new WeakMap<Socket, string>();

  constructor(private readonly settings: HttpSettings) {}

  /** @returns the canonical IP address, or an empty string, which belongs to no range */
  addressOf({ socket, headers }: IncomingMessage): string {
    const { trustedProxies } = this.settings;
    if (trustedProxies.length > 0) {
      return clientAddress(socket.remoteAddress ?? '', headers['x-forwarded-for'], trustedProxies);
    }
    return this.peers.get(socket) ?? this.cachePeerAddress(socket);
  }

  /** Returns the IP address ranges in which the caller's requests are counted. */
  callerAddressRangesOf(request: IncomingMessage): CallerAddressRanges {
    return callerAddressRanges(this.addressOf(request));
  }

  /** Returns the address of a proxy that is missing in TRUSTED_PROXIES: a private address that forwards requests. */
  unlistedProxyOf({ socket, headers }: IncomingMessage): string | undefined {
    if (FORWARDING_FIELDS.every((field) => headers[field] === undefined)) return undefined;
    const peer = parseUnmappedAddress(socket.remoteAddress ?? '');
    if (peer === undefined || !PRIVATE_RANGES.includes(peer.range())) return undefined;
    return isInAnyRange(peer, this.settings.trustedProxies) ? undefined : peer.toString();
  }

  isFromRefusedProxy(request: IncomingMessage): boolean {
    return this.settings.refusesUnlistedProxies && this.unlistedProxyOf(request) !== undefined;
  }

  comesThroughTrustedProxy({ socket }: IncomingMessage): boolean {
    const { trustedProxies } = this.settings;
    if (trustedProxies.length === 0) return false;
    const peer = parseUnmappedAddress(socket.remoteAddress ?? '');
    return peer !== undefined && isInAnyRange(peer, trustedProxies);
  }

  originatesAtTrustedProxy(request: IncomingMessage): boolean {
    const address = parseUnmappedAddress(this.addressOf(request));
    return address !== undefined && isInAnyRange(address, this.settings.trustedProxies);
  }

  private cachePeerAddress(socket: Socket): string {
    const peer = clientAddress(socket.remoteAddress ?? '', undefined, []);
    if (peer !== '') this.peers.set(socket, peer);
    return peer;
  }
}

/**
 * @throws DomainError also for a range that contains all addresses, because any caller could then forge its address
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
 * Reads X-Forwarded-For backwards, because each proxy appends the address that it received the request from. If an
 * entry is malformed, the client is the proxy that appended it.
 */
export function clientAddress(
  socketAddress: string,
  xForwardedFor: string | readonly string[] | undefined,
  trustedProxies: readonly Cidr[],
): string {
  let hop = parseUnmappedAddress(socketAddress);
  if (hop === undefined) return '';
  const entries = [xForwardedFor ?? []].flat().join(',').split(',');
  while (entries.length > 0 && isInAnyRange(hop, trustedProxies)) {
    const next = parseForwarded((entries.pop() ?? '').trim());
    if (next === undefined) break;
    hop = next;
  }
  return hop.toString();
}

function parseForwarded(entry: string): IpAddress | undefined {
  const [, bracketed, ipv4] = FORWARDED_ADDRESS.exec(entry) ?? [];
  return parseUnmappedAddress(bracketed ?? ipv4 ?? entry);
}

/**
 * IPv6 is counted by /64, because the holder of one address holds all of it, and with higher limits by /56 and /48.
 * @param address canonical, from `clientAddress`
 */
export function callerAddressRanges(address: string): CallerAddressRanges {
  if (!address.includes(':')) return [{ name: address, share: 1 }];
  // Uses string operations, because parsing the address would take longer than all other work of a fast answer.
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

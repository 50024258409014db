import ipaddr from 'ipaddr.js';
import { invalidField } from '../../../kernel/domain-error.js';
import { readIpAddress, type IpAddress } from '../../../kernel/ip-address.js';

/** A range of addresses, its host bits cleared; equal ranges have equal `text`. */
export interface Cidr {
  readonly text: string;
  readonly network: IpAddress;
  readonly prefix: number;
}

/**
 * Reads `address` or `address/prefix`. Host bits are ignored; an IPv4-mapped IPv6 range becomes the IPv4 range it means.
 * @param field named in the error
 * @throws DomainError validation_failed
 */
export function parseCidr(text: string, field = 'cidr'): Cidr {
  const [addressText = '', prefixText, ...rest] = text.split('/');
  const given = readIpAddress(addressText);
  const refused = invalidField(
    field,
    'cidr',
    'must be an IPv4 or IPv6 address, or a range like 203.0.113.0/24.',
  );
  if (given === undefined || rest.length > 0) throw refused;
  const bits = given.kind() === 'ipv4' ? 32 : 128;
  if (prefixText !== undefined && !/^(?:0|[1-9][0-9]{0,2})$/.test(prefixText)) throw refused;
  const givenPrefix = prefixText === undefined ? bits : Number(prefixText);
  const address = unmapped(given);
  const prefix = address === given ? givenPrefix : givenPrefix - 96;
  if (givenPrefix > bits || prefix < 0) throw refused;

  const network = masked(address, prefix);
  return { text: `${network.toString()}/${prefix}`, network, prefix };
}

/**
 * The proxies whose X-Forwarded-For is believed, from a comma-separated list; empty for none.
 * @throws DomainError also for a range that holds everybody: believing all is believing anyone
 */
export function parseTrustedProxies(list: string): Cidr[] {
  return list
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map((entry) => {
      const cidr = parseCidr(entry, 'trusted_proxies');
      if (cidr.prefix === 0) throw invalidField('trusted_proxies', 'cidr', 'must not trust every address.');
      return cidr;
    });
}

/** One spelling per address: IPv4 for mapped IPv6, no zone id, RFC 5952. @returns undefined for what is no address */
export function canonicalAddress(text: string): string | undefined {
  return parseAddress(text)?.toString();
}

/** True when the address lies in one of the ranges; what is no address lies in none. */
export function addressMatches(address: string, cidrs: readonly Cidr[]): boolean {
  const parsed = parseAddress(address);
  return parsed !== undefined && isWithin(parsed, cidrs);
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
  let hop = parseAddress(socketAddress);
  if (hop === undefined) return '';
  const entries = [xForwardedFor ?? []].flat().join(',').split(',');
  while (entries.length > 0 && isWithin(hop, trustedProxies)) {
    const next = parseAddress((entries.pop() ?? '').trim());
    if (next === undefined) break;
    hop = next;
  }
  return hop.toString();
}

/**
 * What one caller is counted under: an IPv4 address itself, the /64 of an IPv6 address, since whoever holds one
 * address of a /64 holds all of it.
 * @param address canonical, as `clientAddress` gives it
 */
export function callerRange(address: string): string {
  if (!address.includes(':')) return address;
  // Read as text: parsing an address costs more than all the rest of an early answer.
  const [before = '', after] = address.split('::');
  const groups = before === '' ? [] : before.split(':');
  const rest = after === undefined || after === '' ? [] : after.split(':');
  while (groups.length + rest.length < 8) groups.push('0');
  return `${[...groups, ...rest].slice(0, 4).join(':')}::/64`;
}

function parseAddress(text: string): IpAddress | undefined {
  const parsed = readIpAddress(text.replace(/%[^%/]*$/, ''));
  return parsed === undefined ? undefined : unmapped(parsed);
}

function unmapped(address: IpAddress): IpAddress {
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

function masked(address: IpAddress, prefix: number): IpAddress {
  const bytes = address.toByteArray().map((byte, index) => {
    const kept = Math.min(8, Math.max(0, prefix - 8 * index));
    return byte & (0xff00 >> kept) & 0xff;
  });
  return ipaddr.fromByteArray(bytes);
}

function isWithin(address: IpAddress, cidrs: readonly Cidr[]): boolean {
  return cidrs.some(
    ({ network, prefix }) => network.kind() === address.kind() && address.match(network, prefix),
  );
}

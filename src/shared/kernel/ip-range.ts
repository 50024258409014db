import ipaddr from 'ipaddr.js';
import { invalidField } from './domain-error.js';

export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;

/**
 * Rejects zone ids and octal, hexadecimal and shortened IPv4 forms, because programs disagree about their meaning.
 */
export function parseIpAddress(text: string): IpAddress | undefined {
  if (text.length > 45 || text.includes('%')) return undefined;
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  return ipaddr.IPv6.isValid(text) ? ipaddr.IPv6.parse(text) : undefined;
}

/** True for `localhost` and its subdomains (RFC 6761, section 6.3). */
export function isLoopbackName(name: string): boolean {
  return /^(?:.+\.)?localhost$/.test(name);
}

/** True for a loopback name or address. Does not query DNS. @param hostname as returned by `URL` */
export function isLoopbackHost(hostname: string): boolean {
  return isLoopbackName(hostname) || parseIpAddress(hostname.replace(/^\[|\]$/g, ''))?.range() === 'loopback';
}

/** A CIDR range whose host bits are zero, so that equal ranges have equal `text`. */
export interface Cidr {
  readonly text: string;
  readonly network: IpAddress;
  readonly prefix: number;
}

/** Sets host bits to zero and converts IPv4-mapped IPv6 to IPv4. @throws DomainError validation_failed */
export function parseCidr(text: string, field = 'cidr'): Cidr {
  const [addressText = '', prefixText, ...rest] = text.split('/');
  const given = parseIpAddress(addressText);
  const refusal = () =>
    invalidField(field, 'cidr', 'must be an IPv4 or IPv6 address, or a range such as 203.0.113.0/24.');
  if (given === undefined || rest.length > 0) throw refusal();
  const bits = given.kind() === 'ipv4' ? 32 : 128;
  if (prefixText !== undefined && !/^(?:0|[1-9][0-9]{0,2})$/.test(prefixText)) throw refusal();
  const givenPrefix = prefixText === undefined ? bits : Number(prefixText);
  const address = convertMappedToIpv4(given);
  const prefix = address === given ? givenPrefix : givenPrefix - 96;
  if (givenPrefix > bits || prefix < 0) throw refusal();

  const network = clearHostBits(address, prefix);
  return { text: `${network.toString()}/${prefix}`, network, prefix };
}

/** Removes the zone id and converts IPv4-mapped IPv6 to IPv4. @returns undefined if invalid */
export function parseUnmappedAddress(text: string): IpAddress | undefined {
  const parsed = parseIpAddress(text.replace(/%[^%/]*$/, ''));
  return parsed === undefined ? undefined : convertMappedToIpv4(parsed);
}

export function isInAnyRange(address: IpAddress, cidrs: readonly Cidr[]): boolean {
  return cidrs.some(
    ({ network, prefix }) => network.kind() === address.kind() && address.match(network, prefix),
  );
}

function convertMappedToIpv4(address: IpAddress): IpAddress {
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

function clearHostBits(address: IpAddress, prefix: number): IpAddress {
  const bytes = address.toByteArray().map((byte, index) => {
    const kept = Math.min(8, Math.max(0, prefix - 8 * index));
    return byte & (0xff00 >> kept) & 0xff;
  });
  return ipaddr.fromByteArray(bytes);
}

import ipaddr from 'ipaddr.js';

export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;

/**
 * Reads an IP address, or undefined for anything else. Zone ids and octal, hexadecimal and shortened IPv4 spellings
 * are refused: they mean different things to different programs.
 */
export function readIpAddress(text: string): IpAddress | undefined {
  if (text.length > 45 || text.includes('%')) return undefined;
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  return ipaddr.IPv6.isValid(text) ? ipaddr.IPv6.parse(text) : undefined;
}

import ipaddr from 'ipaddr.js';
import { parseIpAddress } from '#shared/kernel/ip-range.js';

/** All other IPv6 addresses are special or unassigned (IANA). */
const GLOBAL_UNICAST = ipaddr.IPv6.parse('2000::');
const GLOBAL_UNICAST_BITS = 3;

/** Serves keys to Azure virtual machines, although it is in a public range. */
const AZURE_INTERNAL_ADDRESS = '168.63.129.16';

/**
 * False for all special ranges (IANA registries) and internal addresses of cloud providers. False for IPv6 addresses
 * that embed an IPv4 address, because a gateway may translate them to an internal address.
 */
export function isPublicIpAddress(text: string): boolean {
  const address = parseIpAddress(text);
  if (address === undefined || address.range() !== 'unicast') return false;
  if (address instanceof ipaddr.IPv4) return address.toString() !== AZURE_INTERNAL_ADDRESS;
  return address.match(GLOBAL_UNICAST, GLOBAL_UNICAST_BITS) && !isIsatapAddress(address);
}

/** False for IPv6 addresses that embed a loopback address. */
export function isLoopbackAddress(text: string): boolean {
  return parseIpAddress(text)?.range() === 'loopback';
}

/** ISATAP addresses are defined by RFC 5214, section 6.1. */
function isIsatapAddress(address: ipaddr.IPv6): boolean {
  const [, , , , high = 0, low = 0] = address.parts;
  return (high & ~0x0200) === 0 && low === 0x5efe;
}

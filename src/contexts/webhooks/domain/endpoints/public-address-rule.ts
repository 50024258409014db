import ipaddr from 'ipaddr.js';
import { parseIpAddress } from '#shared/kernel/ip-range.js';

/** The range of all globally routed IPv6 addresses. All other IPv6 addresses are special or unassigned (IANA). */
const GLOBAL_UNICAST = ipaddr.IPv6.parse('2000::');
const GLOBAL_UNICAST_BITS = 3;

/**
 * Internal address on Azure that serves keys and certificates to virtual machines, although it is in a public range.
 */
const AZURE_INTERNAL_ADDRESS = '168.63.129.16';

/**
 * True for an address of the public internet. False for private, loopback, link-local, multicast, documentation and
 * other special ranges (IANA special-purpose registries) and for internal addresses of cloud providers. False for IPv6
 * addresses that embed an IPv4 address (mapped, compatible, NAT64, 6to4, Teredo, ISATAP), because a gateway may
 * translate them to an internal address.
 */
export function isPublicAddress(text: string): boolean {
  const address = parseIpAddress(text);
  if (address === undefined || address.range() !== 'unicast') return false;
  if (address instanceof ipaddr.IPv4) return address.toString() !== AZURE_INTERNAL_ADDRESS;
  return address.match(GLOBAL_UNICAST, GLOBAL_UNICAST_BITS) && !isIsatapAddress(address);
}

/** True for 127.0.0.0/8 and ::1. False for IPv6 addresses that embed a loopback address. */
export function isLoopbackAddress(text: string): boolean {
  return parseIpAddress(text)?.range() === 'loopback';
}

/** True for an ISATAP address: its interface id is 0:5efe or 200:5efe and an IPv4 address (RFC 5214, section 6.1). */
function isIsatapAddress(address: ipaddr.IPv6): boolean {
  const [, , , , high = 0, low = 0] = address.parts;
  return (high & ~0x0200) === 0 && low === 0x5efe;
}

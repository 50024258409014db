import ipaddr from 'ipaddr.js';
import { parseIpAddress } from '#shared/kernel/ip-range.js';

/** All globally routed addresses (IANA IPv6 address space). All others are special or unassigned. */
const GLOBAL_UNICAST = ipaddr.IPv6.parse('2000::');
const GLOBAL_UNICAST_BITS = 3;

/** Serves keys and certificates to virtual machines on Azure. The address is in a public range. */
const AZURE_HOST = '168.63.129.16';

/**
 * True for an address of the public internet. False for private, loopback, link-local, multicast, documentation and other
 * special ranges (IANA special-purpose registries) and for internal addresses of cloud providers. False for IPv6 addresses
 * that embed an IPv4 address (mapped, compatible, NAT64, 6to4, Teredo, ISATAP), because a gateway may translate them to an
 * internal address.
 */
export function isPublicAddress(text: string): boolean {
  const address = parseIpAddress(text);
  if (address === undefined || address.range() !== 'unicast') return false;
  if (address instanceof ipaddr.IPv4) return address.toString() !== AZURE_HOST;
  return address.match(GLOBAL_UNICAST, GLOBAL_UNICAST_BITS) && !isIsatap(address);
}

/** True for 127.0.0.0/8 and ::1. False for their mapped or translated forms. */
export function isLoopbackAddress(text: string): boolean {
  return parseIpAddress(text)?.range() === 'loopback';
}

/** RFC 5214, section 6.1: the interface id is 0:5efe or 200:5efe, followed by an IPv4 address. */
function isIsatap(address: ipaddr.IPv6): boolean {
  const [, , , , high = 0, low = 0] = address.parts;
  return (high & ~0x0200) === 0 && low === 0x5efe;
}

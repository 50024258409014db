import { parseCidr, parseUnmappedAddress } from '#shared/kernel/ip-range.js';

/** Bits of the prefix that usually identifies one provider's network. */
const NETWORK_BITS = { ipv4: 24, ipv6: 48 };

interface AddressLocation {
  readonly words:
    | 'Unknown location'
    | 'The server itself'
    | 'Private network'
    | 'Shared provider network'
    | 'Your current network, {network}'
    | 'Network {network}';
  readonly network?: string | undefined;
}

const UNKNOWN_LOCATION: AddressLocation = { words: 'Unknown location' };

/** Special address ranges (RFC 6890). */
const SPECIAL_RANGE_LOCATIONS: Readonly<Record<string, AddressLocation['words']>> = {
  loopback: 'The server itself',
  private: 'Private network',
  uniqueLocal: 'Private network',
  linkLocal: 'Private network',
  carrierGradeNat: 'Shared provider network',
};

/** Uses no external service, which would learn the IP address. @param present IP address of the viewer */
export function describeIpNetwork(address: string, present: string): AddressLocation {
  const read = parseUnmappedAddress(address);
  if (read === undefined) return UNKNOWN_LOCATION;
  const range = read.range();
  if (range !== 'unicast') return { words: SPECIAL_RANGE_LOCATIONS[range] ?? UNKNOWN_LOCATION.words };
  const network = networkOf(address);
  const isThis = network === networkOf(present);
  return { words: isThis ? 'Your current network, {network}' : 'Network {network}', network };
}

function networkOf(address: string): string | undefined {
  const read = parseUnmappedAddress(address);
  return read && parseCidr(`${read.toString()}/${NETWORK_BITS[read.kind()]}`).text;
}

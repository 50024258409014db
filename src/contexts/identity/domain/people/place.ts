import { parseCidr, readUnmappedAddress } from '#shared/kernel/ip-range.js';

/** Length in bits of the address prefix that usually identifies one provider's network. */
const NETWORK_BITS = { ipv4: 24, ipv6: 48 };

/** A location as a message key, which pages translate. */
interface Place {
  readonly words:
    | 'Unknown location'
    | 'The server itself'
    | 'Private network'
    | 'Shared provider network'
    | 'Your current network, {network}'
    | 'Network {network}';
  readonly network?: string | undefined;
}

const UNKNOWN: Place = { words: 'Unknown location' };

/** Descriptions of non-public address ranges, by range name (RFC 6890). */
const SPECIAL: Readonly<Record<string, Place['words']>> = {
  loopback: 'The server itself',
  private: 'Private network',
  uniqueLocal: 'Private network',
  linkLocal: 'Private network',
  carrierGradeNat: 'Shared provider network',
};

/** Uses no external service, which would learn the IP address. @param present IP address of the page's viewer */
export function placeOf(address: string, present: string): Place {
  const read = readUnmappedAddress(address);
  if (read === undefined) return UNKNOWN;
  const range = read.range();
  if (range !== 'unicast') return { words: SPECIAL[range] ?? UNKNOWN.words };
  const network = networkOf(address);
  const isThis = network === networkOf(present);
  return { words: isThis ? 'Your current network, {network}' : 'Network {network}', network };
}

function networkOf(address: string): string | undefined {
  const read = readUnmappedAddress(address);
  return read && parseCidr(`${read.toString()}/${NETWORK_BITS[read.kind()]}`).text;
}

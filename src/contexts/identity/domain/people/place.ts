import { parseCidr, parseUnmappedAddress } from '#shared/kernel/ip-range.js';

/** Prefix length that usually identifies one provider's network. */
const NETWORK_BITS = { ipv4: 24, ipv6: 48 };

/** Message keys; pages translate them. */
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

/** Non-public address ranges, by their names in the special-purpose registries (RFC 6890). */
const SPECIAL: Readonly<Record<string, Place['words']>> = {
  loopback: 'The server itself',
  private: 'Private network',
  uniqueLocal: 'Private network',
  linkLocal: 'Private network',
  carrierGradeNat: 'Shared provider network',
};

/**
 * Describes the location of an address, using only the address: no external service learns about it.
 * @param present address of the person who reads the page
 */
export function placeOf(address: string, present: string): Place {
  const read = parseUnmappedAddress(address);
  if (read === undefined) return UNKNOWN;
  const range = read.range();
  if (range !== 'unicast') return { words: SPECIAL[range] ?? UNKNOWN.words };
  const network = networkOf(address);
  const isThis = network === networkOf(present);
  return { words: isThis ? 'Your current network, {network}' : 'Network {network}', network };
}

function networkOf(address: string): string | undefined {
  const read = parseUnmappedAddress(address);
  return read && parseCidr(`${read.toString()}/${NETWORK_BITS[read.kind()]}`).text;
}

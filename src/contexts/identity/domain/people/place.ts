import { parseCidr, readUnmappedAddress } from '#shared/kernel/ip-range.js';

/** The part of an address that is one provider's network at most places. */
const NETWORK_BITS = { ipv4: 24, ipv6: 48 };

/** In words, as the pages translate them. */
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

/** Ranges that are no place on the internet, by their names in the registries of special addresses (RFC 6890). */
const SPECIAL: Readonly<Record<string, Place['words']>> = {
  loopback: 'The server itself',
  private: 'Private network',
  uniqueLocal: 'Private network',
  linkLocal: 'Private network',
  carrierGradeNat: 'Shared provider network',
};

/**
 * Where an address is, as far as the address itself says: no service is asked that would learn of it.
 * @param present the address of the person who reads it
 */
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

import { parseCidr, readUnmappedAddress } from '#shared/kernel/ip-range.js';

/** The part of an address that is one provider's network at most places. */
const NETWORK_BITS = { ipv4: 24, ipv6: 48 };

const UNKNOWN = 'Unknown place';

/** Ranges that are no place on the internet, by their names in the registries of special addresses (RFC 6890). */
const SPECIAL: Readonly<Record<string, string>> = {
  loopback: 'The machine of the service',
  private: 'A private network',
  uniqueLocal: 'A private network',
  linkLocal: 'A private network',
  carrierGradeNat: 'A provider’s shared network',
};

/**
 * Where an address is, as far as the address itself says: no service is asked that would learn of it.
 * @param present the address of the person who reads it
 */
export function placeOf(address: string, present: string): string {
  const read = readUnmappedAddress(address);
  if (read === undefined) return UNKNOWN;
  const range = read.range();
  if (range !== 'unicast') return SPECIAL[range] ?? UNKNOWN;
  const network = networkOf(address);
  return network === networkOf(present) ? `This network, ${network}` : `Network ${network}`;
}

function networkOf(address: string): string | undefined {
  const read = readUnmappedAddress(address);
  return read && parseCidr(`${read.toString()}/${NETWORK_BITS[read.kind()]}`).text;
}

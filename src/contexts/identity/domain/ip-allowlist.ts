import { invalidField } from '../../../shared/kernel/domain-error.js';
import { isWithin, parseCidr, readUnmappedAddress } from '../../../shared/kernel/ip-range.js';

/** Keeps the proof of each request, which reads them all, short. */
const MOST_RANGES = 100;

/** Each range once, in canonical spelling. @throws DomainError on `allowed_ips` for what is no address or range */
export function readAllowlist(texts: readonly string[]): string[] {
  if (texts.length > MOST_RANGES) {
    throw invalidField('allowed_ips', 'too_many', `must name at most ${MOST_RANGES} addresses or ranges.`);
  }
  return [...new Set(texts.map((text) => parseCidr(text, 'allowed_ips').text))];
}

/** @param ranges canonical; none allows every address, others none that cannot be read */
export function allowsAddress(ranges: readonly string[], address: string): boolean {
  if (ranges.length === 0) return true;
  const caller = readUnmappedAddress(address);
  return (
    caller !== undefined &&
    isWithin(
      caller,
      ranges.map((range) => parseCidr(range)),
    )
  );
}

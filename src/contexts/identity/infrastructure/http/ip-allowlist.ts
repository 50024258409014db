import { Injectable } from '@nestjs/common';
import { invalidField } from '../../../../shared/kernel/domain-error.js';
import { addressMatches, parseCidr } from '../../../../shared/platform/http/callers/client-address.js';
import { AddressRanges } from '../../application/address-ranges.js';

/** Keeps the proof of each request, which reads them all, short. */
const MOST_RANGES = 100;

@Injectable()
export class IpAllowlist extends AddressRanges {
  canonical(field: string, texts: readonly string[]): string[] {
    if (texts.length > MOST_RANGES) {
      throw invalidField(field, 'too_many', `must name at most ${MOST_RANGES} addresses or ranges.`);
    }
    return [...new Set(texts.map((text) => parseCidr(text, field).text))];
  }

  allow(ranges: readonly string[], address: string): boolean {
    if (ranges.length === 0) return true;
    return addressMatches(
      address,
      ranges.map((range) => parseCidr(range)),
    );
  }
}

import type { PipeTransform } from '@nestjs/common';
import { notFound } from '#shared/kernel/domain-error.js';
import { isUuid } from '#shared/kernel/ids.js';

/**
 * An id in a path. A malformed one cannot exist, so it answers exactly like a missing one.
 * Use: `@Param('posID', new UuidParam('point of sale')) id: PointOfSaleId`, with the same words as the use case.
 */
export class UuidParam implements PipeTransform<unknown, string> {
  constructor(private readonly what: string) {}

  transform(value: unknown): string {
    if (typeof value !== 'string' || !isUuid(value)) throw notFound(this.what);
    return value.toLowerCase();
  }
}

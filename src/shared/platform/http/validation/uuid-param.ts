import type { PipeTransform } from '@nestjs/common';
import { notFound } from '#shared/kernel/domain-error.js';
import { isUuid } from '#shared/kernel/ids.js';

/**
 * An id in a path. A malformed id gets the same answer as a missing record. Use: `@Param('posID', new UuidParam('point of
 * sale')) id: PointOfSaleId`, with the same noun as the use case.
 */
export class UuidParam implements PipeTransform<unknown, string> {
  constructor(private readonly what: string) {}

  transform(value: unknown): string {
    if (typeof value !== 'string' || !isUuid(value)) throw notFound(this.what);
    return value.toLowerCase();
  }
}

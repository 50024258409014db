import { readInstant, createdRange, type TimeRange } from '#shared/kernel/instant.js';
import { Instant } from './shared-fields.js';

/** Query keys of lists with a creation time filter. */
export class CreatedRangeQuery {
  @Instant({
    optional: true,
    description:
      'Only items created at this time or later. ISO 8601 with `Z` or an offset, in the years 2000 to 2999.',
    example: '2026-01-01T00:00:00Z',
  })
  created_from?: string;

  @Instant({
    optional: true,
    description: 'Only items created before this time. Must not be earlier than `created_from`.',
    example: '2026-02-01T00:00:00Z',
  })
  created_to?: string;
}

/** @throws validation_failed naming both keys if the range ends before it begins */
export function toCreatedRange({ created_from: from, created_to: to }: CreatedRangeQuery): TimeRange {
  return createdRange(from === undefined ? from : readInstant(from), to === undefined ? to : readInstant(to));
}

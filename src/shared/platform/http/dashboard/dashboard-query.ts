import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { invalidField } from '#shared/kernel/domain-error.js';
import type { TimeRange } from '#shared/kernel/instant.js';
import { MAX_PAGE_NUMBER } from '#shared/kernel/page.js';
import { isDay, addDays, startOfDay } from '#shared/kernel/zoned-day.js';
import { AnyText, customRule } from '../validation/field-rules.js';
import { storeTransform } from '../validation/input-metadata.js';
import { QueryInteger } from '../validation/query-integer.js';

export function Trimmed(): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) => trimIfString(value), { toClassOnly: true }),
    storeTransform(trimIfString),
  );
}

function trimIfString(value: unknown): unknown {
  return typeof value === 'string' ? value.trim() : value;
}

export function TypedText(): PropertyDecorator {
  return applyDecorators(Trimmed(), AnyText({ optional: true }));
}

export function DayOrEmpty(): PropertyDecorator {
  return applyDecorators(
    Trimmed(),
    customRule(
      'day',
      'must be a day such as 2030-01-31, in the years 2000 to 2999.',
      (value) => value === '' || (typeof value === 'string' && isDay(value)),
      { type: String },
      { optional: true },
    ),
  );
}

/** Both days are included (UTC). @throws validation_failed if the last day is before the first */
export function toTimeRange({ from, to }: { from?: string; to?: string }): TimeRange {
  if (from && to && to < from) throw invalidField('to', 'time_order', 'must not be before the first day.');
  return {
    ...(from && { from: startOfDay(from, 'UTC') }),
    ...(to && { before: startOfDay(addDays(to, 1), 'UTC') }),
  };
}

export class DashboardPageQuery {
  @QueryInteger({ min: 1, max: MAX_PAGE_NUMBER, default: 1 })
  page: number = 1;
}

export class CompletedActionQuery {
  @TypedText() done?: string;
}

export class CompletedActionListQuery extends DashboardPageQuery {
  @TypedText() done?: string;
}

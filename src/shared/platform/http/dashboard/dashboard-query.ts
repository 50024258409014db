import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { invalidField } from '#shared/kernel/domain-error.js';
import type { TimeRange } from '#shared/kernel/instant.js';
import { MAX_PAGE_NUMBER } from '#shared/kernel/page.js';
import { isIsoDate, addDays, startOfDay } from '#shared/kernel/zoned-day.js';
import { IsAnyText, customRule } from '../validation/field-rules.js';
import { storeTransform } from '../validation/input-metadata.js';
import { IsQueryInteger } from '../validation/query-integer.js';

export function TrimText(): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) => trimIfString(value), { toClassOnly: true }),
    storeTransform(trimIfString),
  );
}

function trimIfString(value: unknown): unknown {
  return typeof value === 'string' ? value.trim() : value;
}

export function IsEnteredText(): PropertyDecorator {
  return applyDecorators(TrimText(), IsAnyText({ optional: true }));
}

export function IsDayOrEmpty(): PropertyDecorator {
  return applyDecorators(
    TrimText(),
    customRule(
      'day',
      'must be a day such as 2030-01-31, in the years 2000 to 2999.',
      (value) => value === '' || (typeof value === 'string' && isIsoDate(value)),
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
  @IsQueryInteger({ min: 1, max: MAX_PAGE_NUMBER, default: 1 })
  page: number = 1;
}

export class CompletedActionQuery {
  @IsEnteredText() done?: string;
}

export class CompletedActionListQuery extends DashboardPageQuery {
  @IsEnteredText() done?: string;
}

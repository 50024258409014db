import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { invalidField } from '#shared/kernel/domain-error.js';
import type { TimeRange } from '#shared/kernel/instant.js';
import { LAST_PAGE } from '#shared/kernel/page.js';
import { isDay, laterDay, startOfDay } from '#shared/kernel/zoned-day.js';
import { AnyText, rule } from '../validation/field-rules.js';
import { isTransformedBy } from '../validation/input-metadata.js';
import { QueryInteger } from '../validation/query-integer.js';

/** Without the white space that people paste around what they type. */
export function Trimmed(): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) => trimmed(value), { toClassOnly: true }),
    isTransformedBy(trimmed),
  );
}

function trimmed(value: unknown): unknown {
  return typeof value === 'string' ? value.trim() : value;
}

/** A text of a form or of a page's query, trimmed. It is judged later, so that the page can be shown again with it. */
export function TypedText(): PropertyDecorator {
  return applyDecorators(Trimmed(), AnyText({}, { optional: true }));
}

/** A calendar day of a filter; empty where none is chosen, as browsers send what is left empty. */
export function DayOrEmpty(): PropertyDecorator {
  return applyDecorators(
    Trimmed(),
    rule(
      'day',
      'must be a day such as 2030-01-31, in the years 2000 to 2999.',
      (value) => value === '' || (typeof value === 'string' && isDay(value)),
      { type: String },
      { optional: true },
    ),
  );
}

/** The time of UTC days, both included. @throws validation_failed where the last is before the first */
export function timeOfDays({ from, to }: { from?: string; to?: string }): TimeRange {
  if (from && to && to < from) throw invalidField('to', 'time_order', 'must not be before the first day.');
  return {
    ...(from && { from: startOfDay(from, 'UTC') }),
    ...(to && { before: startOfDay(laterDay(to, 1), 'UTC') }),
  };
}

/** The query of lists without filters. */
export class DashboardPageQuery {
  @QueryInteger({ min: 1, max: LAST_PAGE, default: 1 })
  page: number = 1;
}

/** The query of a page that an act leads to. */
export class DoneQuery {
  /** The act that has been done, for the notice. */
  @TypedText() done?: string;
}

/** The query of a list that an act leads to. */
export class DoneListQuery extends DashboardPageQuery {
  /** The act that has been done, for the notice. */
  @TypedText() done?: string;
}

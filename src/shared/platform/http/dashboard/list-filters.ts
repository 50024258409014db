import { Query, type PipeTransform } from '@nestjs/common';
import type { Page } from '#shared/kernel/page.js';
import { InputPipe } from '../validation/validation.js';
import type { DashboardPageQuery } from './dashboard-query.js';
import { toFormRefusal, catchFormRefusal, type FormRefusal } from './form-refusal.js';

const pipe = new InputPipe();

/** If the filters are invalid, `query` contains the text as sent. */
export interface ParsedFilters<Filters extends DashboardPageQuery> {
  readonly query: Filters;
  readonly refusal?: FormRefusal;
}

export const ListFilters = (rules: new () => DashboardPageQuery): ParameterDecorator =>
  Query(new FiltersPipe(rules));

export class FiltersPipe<Filters extends DashboardPageQuery> implements PipeTransform {
  constructor(private readonly rules: new () => Filters) {}

  async transform(sent: unknown): Promise<ParsedFilters<Filters>> {
    try {
      const query = (await pipe.transform(sent, { type: 'query', metatype: this.rules })) as Filters;
      return { query };
    } catch (error) {
      const refusal = toFormRefusal(error);
      const { page: _, ...typed } = sent as Record<string, string>;
      return { query: Object.assign(new this.rules(), typed), refusal };
    }
  }
}

export async function readFilteredPage<Filters extends DashboardPageQuery, Item>(
  { query, refusal }: ParsedFilters<Filters>,
  read: (query: Filters) => Promise<Page<Item>>,
): Promise<Page<Item> & { readonly refusal?: FormRefusal | undefined }> {
  let found: Page<Item> = { items: [], total: 0 };
  if (refusal !== undefined) return { ...found, refusal };
  const later = await catchFormRefusal(async () => {
    found = await read(query);
  });
  return { ...found, refusal: later };
}

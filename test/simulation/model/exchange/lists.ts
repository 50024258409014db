import type { Known } from '../known/known.js';
import { isObject, type Json } from '../known/values.js';
import type { Heard, Verdict } from './heard.js';

export interface Page {
  readonly items: readonly unknown[];
  readonly total: number;
  readonly page: number;
  readonly size: number;
}

const WHOLE = /^\d+$/;

export function pageVerdict({ exchange: { query } }: Heard, smallest: number, isRequired: boolean): Verdict {
  const problems: string[] = [];
  let isOpen = false;
  const look = (name: string, least: number, most: number): void => {
    const text = query[name];
    if (text === undefined) {
      if (isRequired) problems.push(`${name} is required`);
    } else if (!WHOLE.test(text)) {
      problems.push(`${name} is no whole number`);
    } else if (Number(text) < least || Number(text) > most) {
      if (most === Infinity || Number(text) < least || Number(text) > 100)
        problems.push(`${name} is out of its range`);
    } else if (Number(text) > 1_000_000) isOpen = true;
  };
  look('page', 1, Infinity);
  look('page_size', smallest, 100);
  if (problems.length > 0) return { must: ['validation_failed'], may: [], why: problems.join(', ') };
  return { must: [], may: isOpen ? ['validation_failed'] : [] };
}

/** Judges a paginated object by itself. @returns undefined where it is none */
export function pageOf(data: unknown, { exchange }: Heard, known: Known): Page | undefined {
  const about = `${exchange.method} ${exchange.path}`;
  const page = Number(exchange.query.page ?? '1');
  const size = Number(exchange.query.page_size ?? '50');
  if (!isObject(data) || !Array.isArray(data.data) || !Number.isInteger(data.total)) {
    known.differ('a list is the paginated object', about, [
      'data, total, page, page_size, total_pages',
      data,
    ]);
    return undefined;
  }
  const total = data.total as number;
  known.equal('the page of a list', about, [page, data.page]);
  known.equal('the page size of a list', about, [size, data.page_size]);
  const pages = Math.ceil(total / size);
  const isCounted = data.total_pages === pages || (total === 0 && data.total_pages === 1);
  known.expect(isCounted, 'the number of pages of a list', about, [pages, data.total_pages]);
  const items = data.data as readonly unknown[];
  const count = Math.max(0, Math.min(size, total - (page - 1) * size));
  known.equal('the items of a page', about, [count, items.length]);
  return { items, total, page, size };
}

export function unknownFields(body: Json, names: readonly string[]): Verdict {
  const unknown = Object.keys(body).filter((name) => !names.includes(name));
  if (unknown.length === 0) return { must: [], may: [] };
  return {
    must: ['unknown_field', 'validation_failed'],
    may: [],
    why: `unknown fields ${unknown.join(', ')}`,
  };
}

import { formatCursor, parseCursor, type Page, type PageRequest } from '../../kernel/page.js';
import { camelCase } from '#shared/kernel/text.js';
import { pageFrom, type PageRow } from './rows.js';

interface ColumnKind {
  readonly type: string;
  readonly pattern: RegExp;
  readonly lowest: string;
  readonly highest: string;
  readonly read?: (text: string) => unknown;
}

const COLUMN_KINDS = {
  id: {
    type: 'uuid',
    pattern: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
    lowest: '00000000-0000-0000-0000-000000000000',
    highest: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
  },
  // Milliseconds since 1970: 13 digits cover the years 2001 to 2286.
  time: {
    type: 'timestamptz',
    pattern: /^[0-9]{13}$/,
    lowest: '-infinity',
    highest: 'infinity',
    read: (text: string) => new Date(Number(text)),
  },
  number: {
    type: 'bigint',
    pattern: /^[0-9]{1,15}$/,
    lowest: '-1',
    highest: String(Number.MAX_SAFE_INTEGER),
  },
  name: { type: 'text', pattern: /^[\x21-\x7e]{1,200}$/, lowest: '', highest: '\u{10ffff}' },
} satisfies Record<string, ColumnKind>;

interface SortColumn {
  readonly column: string;
  readonly kind: keyof typeof COLUMN_KINDS;
  readonly field?: string;
}

/**
 * The sort columns must identify a row and never change. A cursor continues after a given row, even if rows have been
 * added or removed since.
 */
export class ListOrder {
  private readonly kinds: readonly ColumnKind[];
  private readonly columns: string;

  constructor(
    private readonly direction: 'ASC' | 'DESC',
    private readonly key: readonly SortColumn[],
  ) {
    this.kinds = key.map(({ kind }) => COLUMN_KINDS[kind]);
    this.columns = key.map(({ column }) => column).join(', ');
  }

  /** SQL condition, ORDER BY and LIMIT. @param first number of the first SQL parameter that `parameters` fills */
  pagingSql(first: number): string {
    return `${this.afterCursorSql(first)} ORDER BY ${this.orderBySql()} ${this.limitSql(first)}`;
  }

  /** Without a cursor, the condition is true for every row. */
  afterCursorSql(first: number): string {
    const parameters = this.kinds.map(({ type }, at) => `$${first + at}::${type}`).join(', ');
    return `(${this.columns}) ${this.direction === 'ASC' ? '>' : '<'} (${parameters})`;
  }

  orderBySql(alias?: string): string {
    const prefix = alias === undefined ? '' : `${alias}.`;
    return this.key.map(({ column }) => `${prefix}${column} ${this.direction}`).join(', ');
  }

  limitSql(first: number): string {
    const limit = first + this.key.length;
    return `LIMIT $${limit}::bigint OFFSET $${limit + 1}::bigint`;
  }

  /**
   * The limit is one more than the page size, because an extra row shows that another page follows. @throws
   * validation_failed naming `after`
   */
  parameters({ page, pageSize, after }: PageRequest): unknown[] {
    const beyond = this.direction === 'ASC' ? 'lowest' : 'highest';
    const patterns = this.kinds.map(({ pattern }) => pattern);
    const key =
      after === undefined
        ? this.kinds.map((kind) => kind[beyond])
        : parseCursor(after, patterns).map((text, at) => this.kinds[at]!.read?.(text) ?? text);
    return [...key, pageSize + 1, (BigInt(page - 1) * BigInt(pageSize)).toString()];
  }

  page<Row extends { id: string }, Item>(
    rows: readonly PageRow<Row>[],
    { pageSize }: PageRequest,
    toItem: (row: Row) => Item,
  ): Page<Item> {
    const { items, total } = pageFrom<Row>(rows);
    const shown = items.slice(0, pageSize);
    const next = items.length > pageSize ? formatCursor(this.keyOf(shown.at(-1)!)) : undefined;
    return { items: shown.map(toItem), total, next };
  }

  private keyOf(row: object): string[] {
    return this.key.map(({ column, field = camelCase(column) }) => {
      const value = (row as Record<string, unknown>)[field];
      return String(value instanceof Date ? value.getTime() : value);
    });
  }
}

/** Orders by id, because UUIDv7 ids ascend with the creation time. */
export const OLDEST_FIRST = new ListOrder('ASC', [{ column: 'id', kind: 'id' }]);
export const NEWEST_FIRST = new ListOrder('DESC', [{ column: 'id', kind: 'id' }]);

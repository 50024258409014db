import type { ComponentChildren, VNode } from 'preact';
import type { Tone } from '../parts/badge.js';
import { Fact } from '../parts/fact.js';

export interface Column<Item> {
  readonly title: string;
  /** Aligned to the right, in figures of one width. */
  readonly numeric?: boolean;
  /** Takes the width that the others leave. */
  readonly wide?: boolean;
  readonly cell: (item: Item) => ComponentChildren;
}

export interface ListTableProps<Item> {
  /** Describes the list for people who do not see it. */
  readonly caption: string;
  readonly columns: readonly Column<Item>[];
  readonly items: readonly Item[];
  /** Replaces an empty list: the purpose of the page, and the next step. */
  readonly empty: ComponentChildren;
}

/** A table; on a phone each row is a card, headed by its first cell, whose other cells name their column. */
export function ListTable<Item>({ caption, columns, items, empty }: ListTableProps<Item>): VNode {
  if (items.length === 0) return <div class="card empty">{empty}</div>;
  return (
    <div class="scroll" role="region" aria-label={caption} tabindex={0}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th scope="col" class={classOf(column)}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr>
              {columns.map((column, number) => (
                <td data-title={number === 0 ? undefined : column.title} class={classOf(column)}>
                  {column.cell(item)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function classOf({ numeric, wide }: Pick<Column<never>, 'numeric' | 'wide'>): string | undefined {
  if (numeric === true) return 'number';
  return wide === true ? 'wide' : undefined;
}

interface PagerProps {
  /** The path of the list, without query. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly page: number;
  readonly pageSize: number;
  /** Exact number of items, up to `most`. */
  readonly total: number;
  /** So many or more are said to be that. */
  readonly most?: number | undefined;
}

/** The number of items, and links to the pages beside this one. */
export function Pager({
  path,
  query = {},
  page,
  pageSize,
  total,
  most = Infinity,
}: PagerProps): VNode | null {
  if (total === 0) return null;
  const last = Math.max(1, Math.ceil(total / pageSize));
  const href = (to: number) => hrefWith(path, { ...query, page: to === 1 ? undefined : String(to) });
  return (
    <nav class="pager" aria-label="Pages">
      <span class="note">
        {((page - 1) * pageSize + 1).toLocaleString('en')}–
        {Math.min(page * pageSize, total).toLocaleString('en')} of{' '}
        {total < most ? total.toLocaleString('en') : `${most.toLocaleString('en')} or more`}
      </span>
      {page > 1 && (
        <a class="button" rel="prev" href={href(Math.min(page - 1, last))}>
          Previous
        </a>
      )}
      {page < last && (
        <a class="button" rel="next" href={href(page + 1)}>
          Next
        </a>
      )}
    </nav>
  );
}

/** A path with those of the values that are set. */
export function hrefWith(path: string, query: Readonly<Record<string, string | undefined>>): string {
  const set = Object.entries(query).filter((entry): entry is [string, string] => (entry[1] ?? '') !== '');
  return set.length === 0 ? path : `${path}?${new URLSearchParams(set).toString()}`;
}

/** A state that is no status, in a word; its colour never says more than the word. */
export function StateMark({ tone, children }: { tone: Tone; children: ComponentChildren }): VNode {
  return <span class={`state ${tone}`}>{children}</span>;
}

/** The notice of the act that the page's address names, if there is one of this name. */
export function Done({ done = '', notices }: { done?: string | undefined; notices: Record<string, string> }) {
  return Object.hasOwn(notices, done) ? <DoneNotice>{notices[done]}</DoneNotice> : null;
}

/** An act that has been done, at the top of the page that shows it. */
export function DoneNotice({ children }: { children: ComponentChildren }): VNode {
  return (
    <div class="done" role="status">
      {children}
    </div>
  );
}

/** Facts about a thing by their names; one that is undefined or false is left out. */
export function Facts({ facts }: { facts: Readonly<Record<string, ComponentChildren>> }): VNode {
  const known = Object.entries(facts).filter(([, fact]) => fact !== undefined && fact !== false);
  return (
    <dl class="facts">
      {known.map(([name, fact]) => (
        <Fact name={name}>{fact}</Fact>
      ))}
    </dl>
  );
}

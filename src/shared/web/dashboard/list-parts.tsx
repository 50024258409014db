import type { ComponentChildren, VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { SHARED_MESSAGES } from '../messages/shared-messages.js';
import type { Tone } from '../parts/badge.js';
import { Copyable } from '../parts/copyable.js';
import { Fact } from '../parts/fact.js';
import type { Word } from './words/catalogue.js';
import { LANGUAGE, t, useWords, type Text } from './words/text.js';

export interface Column<Item> {
  readonly title: Text;
  /** Right-aligned with tabular figures. */
  readonly numeric?: boolean;
  /** Takes the remaining width. */
  readonly wide?: boolean;
  readonly cell: (item: Item) => ComponentChildren;
}

export interface ListTableProps<Item> {
  /** Describes the list to screen readers. */
  readonly caption: Text;
  readonly columns: readonly Column<Item>[];
  readonly items: readonly Item[];
  /** Displayed instead of an empty list: the page's purpose and the next step. */
  readonly empty?: Word | VNode;
}

/** A table. On a phone, each row is a card with the first cell as heading; the other cells show their column's name. */
export function ListTable<Item>({ caption, columns, items, empty }: ListTableProps<Item>): VNode {
  const words = useWords();
  if (items.length === 0)
    return <div class="card empty">{typeof empty === 'string' ? words(empty) : empty}</div>;
  return (
    <div class="scroll" role="region" aria-label={words(caption)} tabindex={0}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th scope="col" class={classOf(column)}>
                {words(column.title)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr>
              {columns.map((column, number) => (
                <td data-title={number === 0 ? undefined : words(column.title)} class={classOf(column)}>
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
  /** Path of the list, without query. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly page: number;
  readonly pageSize: number;
  /** Exact number of items, up to `most`. */
  readonly total: number;
  /** Totals that reach this number are displayed as "{most} or more". */
  readonly most?: number | undefined;
}

/** The number of items, and links to the previous and next page. */
export function Pager({
  path,
  query = {},
  page,
  pageSize,
  total,
  most = Infinity,
}: PagerProps): VNode | null {
  const words = useWords();
  if (total === 0) return null;
  const last = Math.max(1, Math.ceil(total / pageSize));
  const href = (to: number) => hrefWith(path, { ...query, page: to === 1 ? undefined : String(to) });
  const [from, to] = [(page - 1) * pageSize + 1, Math.min(page * pageSize, total)];
  return (
    <nav class="pager" aria-label={words('Pages')}>
      <span class="note">
        {total < most
          ? t('{from}–{to} of {total}', { from, to, total })
          : t('{from}–{to} of {most} or more', { from, to, most })}
      </span>
      {page > 1 && (
        <a class="button" rel="prev" href={href(Math.min(page - 1, last))}>
          {t('Previous')}
        </a>
      )}
      {page < last && (
        <a class="button" rel="next" href={href(page + 1)}>
          {t('Next')}
        </a>
      )}
    </nav>
  );
}

/** Builds a path with all set values as its query. */
export function hrefWith(path: string, query: Readonly<Record<string, string | undefined>>): string {
  const set = Object.entries(query).filter((entry): entry is [string, string] => (entry[1] ?? '') !== '');
  return set.length === 0 ? path : `${path}?${new URLSearchParams(set).toString()}`;
}

/** A state that is not a status. Its colour adds no information. */
export function StateMark({ tone, children }: { tone: Tone; children: ComponentChildren }): VNode {
  return <span class={`state ${tone}`}>{children}</span>;
}

interface DoneProps {
  readonly done?: string | undefined;
  readonly notices: Readonly<Record<string, Text>>;
}

/** Notice of the act named in the page's query, if known. */
export function Done({ done = '', notices }: DoneProps): VNode | null {
  const words = useWords();
  return Object.hasOwn(notices, done) ? <DoneNotice>{words(notices[done]!)}</DoneNotice> : null;
}

/** Notice of a completed act, at the top of the page. */
export function DoneNotice({ children }: { children: ComponentChildren }): VNode {
  return (
    <div class="done" role="status">
      {children}
    </div>
  );
}

/** Named facts. Omits those that are undefined or false. */
export function Facts({ facts }: { facts: Partial<Readonly<Record<Word, ComponentChildren>>> }): VNode {
  const words = useWords();
  const known = Object.entries(facts).filter(([, fact]) => fact !== undefined && fact !== false);
  return (
    <dl class="facts">
      {known.map(([name, fact]) => (
        <Fact name={words(name as Word)}>{fact}</Fact>
      ))}
    </dl>
  );
}

interface CopyRowProps {
  readonly id: string;
  readonly label: Text;
  readonly value: string;
}

/** A row of a `<dl>` with a copy button. */
export function CopyRow({ id, label, value }: CopyRowProps): VNode {
  const words = useWords();
  const text = SHARED_MESSAGES[useContext(LANGUAGE)];
  return <Copyable {...{ id, value, text }} label={words(label)} />;
}

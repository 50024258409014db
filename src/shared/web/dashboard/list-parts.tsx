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
  /** Aligned to the right, in figures of one width. */
  readonly numeric?: boolean;
  /** Takes the width that the others leave. */
  readonly wide?: boolean;
  readonly cell: (item: Item) => ComponentChildren;
}

export interface ListTableProps<Item> {
  /** Describes the list for people who do not see it. */
  readonly caption: Text;
  readonly columns: readonly Column<Item>[];
  readonly items: readonly Item[];
  /** Replaces an empty list: the purpose of the page, and the next step. */
  readonly empty?: Word | VNode;
}

/** A table; on a phone each row is a card, headed by its first cell, whose other cells name their column. */
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

/** A path with those of the values that are set. */
export function hrefWith(path: string, query: Readonly<Record<string, string | undefined>>): string {
  const set = Object.entries(query).filter((entry): entry is [string, string] => (entry[1] ?? '') !== '');
  return set.length === 0 ? path : `${path}?${new URLSearchParams(set).toString()}`;
}

/** A state that is no status, in a word; its colour never says more than the word. */
export function StateMark({ tone, children }: { tone: Tone; children: ComponentChildren }): VNode {
  return <span class={`state ${tone}`}>{children}</span>;
}

interface DoneProps {
  readonly done?: string | undefined;
  readonly notices: Readonly<Record<string, Text>>;
}

/** The notice of the act that the page's address names, if there is one of this name. */
export function Done({ done = '', notices }: DoneProps): VNode | null {
  const words = useWords();
  return Object.hasOwn(notices, done) ? <DoneNotice>{words(notices[done]!)}</DoneNotice> : null;
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

/** A row of a `<dl>` whose value is copied by a button. */
export function CopyRow({ id, label, value }: CopyRowProps): VNode {
  const words = useWords();
  const text = SHARED_MESSAGES[useContext(LANGUAGE)];
  return <Copyable {...{ id, value, text }} label={words(label)} />;
}

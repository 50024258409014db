import type { ComponentChildren, VNode } from 'preact';
import { type DashboardAction, may } from '../../kernel/dashboard-access.js';
import type { Page, PageRequest } from '../../kernel/page.js';
import { DashboardPage, type PageVisitor } from './dashboard-page.js';
import type { FormField, FormFields, ShownRefusal, Typed } from './form-fields.js';
import { Filters, RefusalNotice } from './form-parts.js';
import { LinkButton } from './page-parts.js';
import { placeLabel } from './places.js';
import { t, type Text, useWords, type Word } from './words/text.js';

/** A page of a list, together with the visitor. */
export interface Listed<Item> extends PageRequest, Page<Item> {
  readonly visitor: PageVisitor;
}

interface ListPageProps<Item> extends Listed<Item>, Omit<ListTableProps<Item>, 'items' | 'empty'> {
  /** Navigation path, whose label is the page's title. */
  readonly place: string;
  /** Creation form of the items. Linked above the list, or in an empty list, if the visitor may use it. */
  readonly create?: Creation;
  /** Replaces the link above the list. */
  readonly actions?: ComponentChildren;
  readonly empty: EmptyStateProps;
  /** Replaces `empty` if the list is filtered. Default of its link: the list without filters. */
  readonly noMatch?: EmptyStateProps;
  /** Default: true if a filter has a value. */
  readonly isFiltered?: boolean;
  /** Absent: the list has no filters. */
  readonly filters?: FormFields;
  /** Current filter values. Links to other pages preserve them. */
  readonly query?: Typed;
  readonly known?: Readonly<Record<string, FormField>>;
  readonly refusal?: ShownRefusal | undefined;
  /** Maximum count of items; default: exact. */
  readonly most?: number;
  /** Time zone of the page's times; default: the organization's. */
  readonly zone?: string;
  /** Content above the filters. */
  readonly children?: ComponentChildren;
}

/** A navigation page with a list: filters, table and pagination. */
export function ListPage<Item>(props: ListPageProps<Item>): VNode {
  const { visitor, place, create, filters = {}, query = {}, known, refusal, zone } = props;
  const { page, pageSize, total, most, caption, columns, items, noMatch } = props;
  const { actions = total > 0 && create && <CreateLink visitor={visitor} {...create} /> } = props;
  const { isFiltered = Object.values(query).some(Boolean) } = props;
  const isCreator = create !== undefined && may(visitor.role, create.action ?? 'manage');
  const empty =
    noMatch && isFiltered
      ? { action: { href: place, label: 'Show all' as const }, ...noMatch }
      : { ...(isCreator && { action: { href: create.path, label: create.label } }), ...props.empty };
  return (
    <DashboardPage
      {...{ visitor, place, actions }}
      title={placeLabel(place) ?? { name: '' }}
      {...(zone && { zone })}
    >
      <RefusalNotice refusal={refusal} fields={filters} />
      {props.children}
      {Object.keys(filters).length > 0 && (
        <Filters path={place} fields={filters} values={query} refusal={refusal} known={known} />
      )}
      <ListTable {...{ caption, columns, items }} empty={<EmptyState {...empty} />} />
      <Pager path={place} query={query} {...{ page, pageSize, total, most }} />
    </DashboardPage>
  );
}

/** The page that creates an item of a list. */
interface Creation {
  readonly path: string;
  readonly label: Text;
  /** Default: `manage`. */
  readonly action?: DashboardAction;
}

interface CreateLinkProps extends Creation {
  readonly visitor: PageVisitor;
}

/** Links to the creation form if the visitor may use it. */
export function CreateLink({ visitor, path, label, action = 'manage' }: CreateLinkProps): VNode | null {
  return may(visitor.role, action) ? <LinkButton href={path} label={label} look="primary" /> : null;
}

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

interface EmptyStateProps {
  /** A sentence that says what is missing. */
  readonly title: Text;
  /** The next step, or how items appear automatically. */
  readonly note?: Text;
  /** Link to the next step; omitted if the visitor may not take it. */
  readonly action?: { readonly href: string; readonly label: Text } | undefined;
}

/** Replaces an empty list. */
export function EmptyState({ title, note, action }: EmptyStateProps): VNode {
  const words = useWords();
  return (
    <>
      <p class="strong">{words(title)}</p>
      {note !== undefined && <p class="note">{words(note)}</p>}
      {action !== undefined && <LinkButton {...action} look="primary" />}
    </>
  );
}

import type { ComponentChildren, VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { type DashboardPermission, hasPermission } from '../../kernel/dashboard-access.js';
import type { Page, PageRequest } from '../../kernel/page.js';
import { DashboardPage, INSTALLATION_CONTEXT, type PageUser } from './dashboard-page.js';
import type { SelectOption, FormField, FormFields, FormErrors, SubmittedFields } from './form-fields.js';
import { FilterForm, FormErrorNotice } from './form-parts.js';
import { CopyButton, LinkButton } from './page-parts.js';
import { navigationLabel } from './places.js';
import { t, type DisplayText, useTranslator, type Word } from './words/text.js';

export interface ListPageData<Item> extends PageRequest, Page<Item> {
  readonly visitor: PageUser;
}

interface ListPageProps<Item> extends ListPageData<Item>, Omit<ListTableProps<Item>, 'items' | 'empty'> {
  /** Path of the navigation entry; its label is the page's title. */
  readonly place: string;
  /** The page that creates an item. Linked above the list, or in an empty list, if the signed-in person may use it. */
  readonly create?: Creation;
  /** Replaces the link to `create` above the list. */
  readonly actions?: ComponentChildren;
  readonly empty: EmptyStateProps;
  /** Replaces `empty` if filters are set but nothing matches. By default it links to the list without filters. */
  readonly noMatch?: EmptyStateProps;
  /** Default: true if a filter has a value. */
  readonly isFiltered?: boolean;
  /** Absent if the list has no filters. */
  readonly filters?: FormFields;
  /** Links above the filters that set one filter, usually the status. */
  readonly tabs?: Tabs;
  /** Further actions beside the filters that are set. */
  readonly filterActions?: ComponentChildren;
  /** Path of the file with all items that match the filters. */
  readonly download?: string;
  /** Current values of the filters. Links to other pages of the list keep them. */
  readonly query?: SubmittedFields;
  readonly known?: Readonly<Record<string, FormField>>;
  readonly refusal?: FormErrors | undefined;
  /** Items are counted up to this number; default: all are counted. */
  readonly most?: number;
  /** Time zone of all times on the page; default: the organization's. */
  readonly zone?: string;
  /** Content above the filters. */
  readonly children?: ComponentChildren;
}

/** A page of the navigation with a list: filters, table and links to other pages of the list. */
export function ListPage<Item>(props: ListPageProps<Item>): VNode {
  const { visitor, place, create, filters = {}, query = {}, known, refusal, zone } = props;
  const { page, pageSize, total, most, caption, columns, items, noMatch } = props;
  const { filterActions } = props;
  const { isFiltered = Object.values(query).some(Boolean), tabs, download } = props;
  const { actions = (total > 0 || isFiltered) && create && <CreateLink visitor={visitor} {...create} /> } =
    props;
  const isCreator = create !== undefined && hasPermission(visitor.role, create.action ?? 'manage');
  const empty =
    noMatch && isFiltered
      ? { action: { href: place, label: 'Show all' as const }, ...noMatch }
      : { ...(isCreator && { action: { href: create.path, label: create.label } }), ...props.empty };
  return (
    <DashboardPage
      {...{ visitor, place }}
      actions={
        <div class="actions">
          {download !== undefined && total > 0 && (
            <a class="button" href={hrefWith(download, query)} download>
              {t('Download CSV')}
            </a>
          )}
          {actions}
        </div>
      }
      title={navigationLabel(place) ?? { name: '' }}
      {...(zone && { zone })}
    >
      <FormErrorNotice refusal={refusal} fields={filters} />
      {props.children}
      {tabs !== undefined && <TabLinks path={place} query={query} {...tabs} />}
      {Object.keys(filters).length > 0 && (
        <details class="folded" open={refusal !== undefined}>
          <summary>{t('Filters')}</summary>
          <FilterForm path={place} fields={filters} values={query} refusal={refusal} known={known} />
        </details>
      )}
      <FilterChips path={place} fields={filters} values={query} known={known}>
        {filterActions}
      </FilterChips>
      <ListTable {...{ caption, columns, items }} empty={<EmptyState {...empty} />} />
      <Pager path={place} query={query} {...{ page, pageSize, total, most }} />
    </DashboardPage>
  );
}

interface FilterChipsProps {
  readonly path: string;
  readonly fields: FormFields;
  readonly values: SubmittedFields;
  readonly known: Readonly<Record<string, FormField>> | undefined;
  readonly children: ComponentChildren;
}

/** The filters that are set. Each links to the list without it. */
function FilterChips({ path, fields, values, known, children }: FilterChipsProps): VNode | null {
  const words = useTranslator();
  const origin = useContext(INSTALLATION_CONTEXT)?.origin ?? '';
  const set = Object.entries(fields).filter(([name, { label }]) => label && values[name]);
  if (set.length === 0) return null;
  return (
    <div class="actions">
      {set.map(([name, field]) => {
        const { label, options } = { ...field, ...known?.[name] };
        const option = options?.find(({ value }) => value === values[name]);
        return (
          <a
            class="button chip"
            href={hrefWith(path, { ...values, [name]: undefined })}
            title={words('Remove filter')}
          >
            <span>
              {label && words(label)}: <bdi>{option ? words(option.label) : values[name]}</bdi> ×
            </span>
          </a>
        );
      })}
      <CopyButton id="view-url" label="Copy link to this view" value={origin + hrefWith(path, values)} />
      {children}
    </div>
  );
}

interface Tabs {
  /** Name of the filter that the tabs set. */
  readonly field: string;
  /** The first tab has the value '', which means no filter. */
  readonly options: readonly SelectOption[];
  /** Number of items of each option, exact up to `MAX_TAB_COUNT`. */
  readonly counts?: Readonly<Record<string, number>>;
  /** Links to other sets of filters, after the tabs. */
  readonly links?: readonly { readonly name: string; readonly href: string }[];
}

const MAX_TAB_COUNT = 999;

interface TabLinksProps extends Tabs {
  readonly path: string;
  readonly query: SubmittedFields;
}

function TabLinks({ path, query, field, options, counts, links = [] }: TabLinksProps): VNode {
  const words = useTranslator();
  const current = query[field] ?? '';
  const here = hrefWith(path, query);
  const isLinked = links.some(({ href }) => href === here);
  return (
    <nav class="tabs" aria-label={words('Status')}>
      {options.map(({ value, label }) => (
        <a
          href={hrefWith(path, { ...query, [field]: value })}
          {...(value === current && !isLinked && { 'aria-current': 'page' as const })}
        >
          {words(label)}
          {counts !== undefined && <TabCount count={counts[value] ?? 0} />}
        </a>
      ))}
      {links.map(({ name, href }) => (
        <a href={href} {...(href === here && { 'aria-current': 'page' as const })}>
          <bdi>{name}</bdi>
        </a>
      ))}
    </nav>
  );
}

function TabCount({ count }: { readonly count: number }): VNode {
  return <span class="count"> {count > MAX_TAB_COUNT ? `${MAX_TAB_COUNT}+` : count}</span>;
}

interface Creation {
  readonly path: string;
  readonly label: DisplayText;
  /** Required permission; default: `manage`. */
  readonly action?: DashboardPermission;
}

interface CreateLinkProps extends Creation {
  readonly visitor: PageUser;
}

export function CreateLink({ visitor, path, label, action = 'manage' }: CreateLinkProps): VNode | null {
  return hasPermission(visitor.role, action) ? <LinkButton href={path} label={label} look="primary" /> : null;
}

export interface Column<Item> {
  readonly title: DisplayText;
  /** Right-aligned, with digits of equal width. */
  readonly numeric?: boolean;
  /** Takes the remaining width of the table. */
  readonly wide?: boolean;
  /** True if only wide windows have enough room for the column. */
  readonly roomy?: boolean;
  /**
   * True if phones display the column. If a table has such columns, phones display each row in two lines of two cells, and
   * hide all other columns. The first cell of such a row must link to a page with the hidden values, or be unfoldable: an
   * unfolded row displays all columns.
   */
  readonly brief?: boolean;
  readonly cell: (item: Item) => ComponentChildren;
}

export interface ListTableProps<Item> {
  /** Describes the list to screen readers. */
  readonly caption: DisplayText;
  readonly columns: readonly Column<Item>[];
  readonly items: readonly Item[];
  /** Displayed instead of an empty table: the purpose of the page and the next step. */
  readonly empty?: Word | VNode;
}

/**
 * A table. On a phone, each row is a card: the first cell is its heading, the other cells show the title of their
 * column. If columns are `brief`, the row has only these cells, in two lines.
 */
export function ListTable<Item>({ caption, columns, items, empty }: ListTableProps<Item>): VNode {
  const words = useTranslator();
  if (items.length === 0)
    return <div class="card empty">{typeof empty === 'string' ? words(empty) : empty}</div>;
  return (
    <div class="scroll" role="region" aria-label={words(caption)} tabindex={0}>
      <table class={columns.some(({ brief }) => brief) ? 'briefs' : undefined}>
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

function classOf({ numeric, wide, roomy, brief }: Omit<Column<never>, 'title' | 'cell'>): string | undefined {
  const classes = [numeric && 'number', wide && 'wide', roomy && 'roomy', brief && 'brief'].filter(Boolean);
  return classes.length > 0 ? classes.join(' ') : undefined;
}

interface PagerProps {
  /** Path of the list, without query. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly page: number;
  readonly pageSize: number;
  /** Number of items, exact unless it reaches `most`. */
  readonly total: number;
  /** A total that reaches this number is displayed as "{most} or more". */
  readonly most?: number | undefined;
}

/** The number of items, and links to the previous and next page of a list. */
export function Pager({
  path,
  query = {},
  page,
  pageSize,
  total,
  most = Infinity,
}: PagerProps): VNode | null {
  const words = useTranslator();
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

/** Builds a path with a query that contains all values that are not empty. */
export function hrefWith(path: string, query: Readonly<Record<string, string | undefined>>): string {
  const set = Object.entries(query).filter((entry): entry is [string, string] => (entry[1] ?? '') !== '');
  return set.length === 0 ? path : `${path}?${new URLSearchParams(set).toString()}`;
}

interface EmptyStateProps {
  /** A sentence that says what is missing. */
  readonly title: DisplayText;
  /** The next step, or how items appear automatically. */
  readonly note?: DisplayText;
  /** Link to the next step. Omitted if the signed-in person may not take it. */
  readonly action?: { readonly href: string; readonly label: DisplayText } | undefined;
}

/** Displayed in place of an empty list. */
export function EmptyState({ title, note, action }: EmptyStateProps): VNode {
  const words = useTranslator();
  return (
    <>
      <p class="strong">{words(title)}</p>
      {note !== undefined && <p class="note">{words(note)}</p>}
      {action !== undefined && <LinkButton {...action} look="primary" />}
    </>
  );
}

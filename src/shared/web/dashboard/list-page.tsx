import type { ComponentChildren, VNode } from 'preact';
import { may, type DashboardAction } from '../../kernel/dashboard-access.js';
import type { Page, PageRequest } from '../../kernel/page.js';
import { DashboardPage, type PageVisitor } from './dashboard-page.js';
import type { FormField, FormFields, ShownRefusal, Typed } from './form-fields.js';
import { Filters, RefusalNotice } from './form-parts.js';
import { ListTable, Pager, type ListTableProps } from './list-parts.js';
import { placeLabel } from './places.js';
import { useWords, type Text } from './words/text.js';

/** One page of a list, as queries answer it, with the person who looks at it. */
export interface Listed<Item> extends PageRequest, Page<Item> {
  readonly visitor: PageVisitor;
}

interface ListPageProps<Item> extends Listed<Item>, Omit<ListTableProps<Item>, 'items'> {
  /** The path in the navigation, whose label is the page's title. */
  readonly place: string;
  readonly actions?: ComponentChildren;
  /** The list has no filters without them. */
  readonly filters?: FormFields;
  /** The filters are set to these; links to other pages of the list keep them. */
  readonly query?: Typed;
  readonly known?: Readonly<Record<string, FormField>>;
  readonly refusal?: ShownRefusal | undefined;
  /** So many items are counted at most; unless given, all are. */
  readonly most?: number;
  /** The time zone of the page's times; the organization's unless given. */
  readonly zone?: string;
  /** Stands above the filters. */
  readonly children?: ComponentChildren;
}

/** A place of the navigation that is a list: filters, the table, and links to the pages beside this one. */
export function ListPage<Item>(props: ListPageProps<Item>): VNode {
  const {
    visitor,
    place,
    actions,
    filters = {},
    query = {},
    known,
    refusal,
    zone,
    children,
    ...list
  } = props;
  const { page, pageSize, total, most, ...table } = list;
  return (
    <DashboardPage
      {...{ visitor, place, actions }}
      title={placeLabel(place) ?? { name: '' }}
      {...(zone && { zone })}
    >
      <RefusalNotice refusal={refusal} fields={filters} />
      {children}
      {Object.keys(filters).length > 0 && (
        <Filters path={place} fields={filters} values={query} refusal={refusal} known={known} />
      )}
      <ListTable {...table} />
      <Pager path={place} query={query} {...{ page, pageSize, total, most }} />
    </DashboardPage>
  );
}

interface CreateLinkProps {
  readonly visitor: PageVisitor;
  readonly path: string;
  readonly label: Text;
  readonly action?: DashboardAction;
}

/** Leads those who may create something to its form. */
export function CreateLink({ visitor, path, label, action = 'manage' }: CreateLinkProps): VNode | null {
  const words = useWords();
  if (!may(visitor.role, action)) return null;
  return (
    <a class="button primary" href={path}>
      {words(label)}
    </a>
  );
}

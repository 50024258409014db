import type { ComponentChildren, VNode } from 'preact';
import { may, type DashboardAction } from '../../kernel/dashboard-access.js';
import type { Page, PageRequest } from '../../kernel/page.js';
import { DashboardPage, type PageVisitor } from './dashboard-page.js';
import type { FormField, FormFields, ShownRefusal, Typed } from './form-fields.js';
import { Filters, RefusalNotice } from './form-parts.js';
import { ListTable, Pager, type ListTableProps } from './list-parts.js';
import { placeLabel } from './places.js';
import { useWords, type Text } from './words/text.js';

/** A page of a list, together with the visitor. */
export interface Listed<Item> extends PageRequest, Page<Item> {
  readonly visitor: PageVisitor;
}

interface ListPageProps<Item> extends Listed<Item>, Omit<ListTableProps<Item>, 'items'> {
  /** Navigation path, whose label is the page's title. */
  readonly place: string;
  readonly actions?: ComponentChildren;
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

/** Links to the creation form if the visitor may use it. */
export function CreateLink({ visitor, path, label, action = 'manage' }: CreateLinkProps): VNode | null {
  const words = useWords();
  if (!may(visitor.role, action)) return null;
  return (
    <a class="button primary" href={path}>
      {words(label)}
    </a>
  );
}

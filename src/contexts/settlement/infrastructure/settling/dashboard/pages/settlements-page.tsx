import type { VNode } from 'preact';
import type { Page, PageRequest } from '#shared/kernel/page.js';
import { DashboardPage, type PageVisitor } from '#shared/web/dashboard/dashboard-page.js';
import { SelectField, TextField } from '#shared/web/dashboard/form-parts.js';
import { Pager } from '#shared/web/dashboard/list-parts.js';
import type { NamedAccount } from '#contexts/identity/contract/account-directory.js';
import type { SettlementView } from '../../persistence/settlement-queries.js';
import { SettlementTable } from './settlement-table.js';

interface SettlementsProps extends PageRequest, Page<SettlementView> {
  readonly visitor: PageVisitor;
  /** The chosen one; empty for all. */
  readonly account: string;
  /** The hash that is looked for; empty for all. */
  readonly transaction: string;
  readonly accounts: readonly NamedAccount[];
  readonly networkName: (network: string) => string;
  readonly explorerOf: (network: string) => string | undefined;
}

const PATH = '/app/settlements';

export function settlementsPage(props: SettlementsProps): VNode {
  const { visitor, account, transaction, accounts, networkName, explorerOf, items, ...paging } = props;
  const options = accounts.map(({ id, name }) => ({ value: id, label: name ?? id }));
  return (
    <DashboardPage visitor={visitor} title="Settlements" place={PATH}>
      <form method="get" class="filters">
        <SelectField
          name="account"
          label="Account"
          value={account}
          options={[{ value: '', label: 'All' }, ...options]}
        />
        <TextField name="transaction" label="Transaction’s hash" value={transaction} />
        <button class="button">Filter</button>
      </form>
      <SettlementTable {...{ items, networkName, explorerOf }} />
      <Pager path={PATH} query={{ account, transaction }} {...paging} />
    </DashboardPage>
  );
}

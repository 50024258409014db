import type { VNode } from 'preact';
import { SelectField, TextField, type ShownRefusal } from '#shared/web/dashboard/form-parts.js';
import type { NamedAccount } from '#contexts/identity/contract/account-directory.js';
import { TRANSACTION_STATUSES, TRANSACTION_TYPES } from '../../domain/transaction.js';
import type { TransactionsPageQuery } from './transactions-page.query.js';

interface TransactionFiltersProps {
  readonly query: TransactionsPageQuery;
  readonly zone: string;
  readonly accounts: readonly NamedAccount[];
  readonly refusal?: ShownRefusal | undefined;
}

export const FILTER_FIELDS = ['from', 'to', 'zone', 'type', 'status', 'reference_id', 'account'];

const ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((name) => name !== 'UTC')];

export function TransactionFilters({ query, zone, accounts, refusal }: TransactionFiltersProps): VNode {
  const zones = ZONES.includes(zone) ? ZONES : [zone, ...ZONES];
  return (
    <form method="get" class="filters">
      <TextField name="from" label="From" type="date" value={query.from} refusal={refusal} />
      <TextField name="to" label="To" type="date" value={query.to} refusal={refusal} />
      <SelectField
        name="zone"
        label="Time zone"
        value={zone}
        refusal={refusal}
        options={zones.map((name) => ({ value: name, label: name }))}
      />
      <SelectField
        name="type"
        label="Type"
        value={query.type}
        refusal={refusal}
        options={orAny(TRANSACTION_TYPES)}
      />
      <SelectField
        name="status"
        label="Status"
        value={query.status}
        refusal={refusal}
        options={orAny(TRANSACTION_STATUSES)}
      />
      <SelectField
        name="account"
        label="Account"
        value={query.account}
        refusal={refusal}
        options={[
          { value: '', label: 'All' },
          ...accounts.map(({ id, name }) => ({ value: id, label: name ?? id })),
        ]}
      />
      <TextField name="reference_id" label="Your order id" value={query.reference_id} refusal={refusal} />
      <button class="button">Filter</button>
    </form>
  );
}

function orAny(words: readonly string[]) {
  return [{ value: '', label: 'All' }, ...words.map((word) => ({ value: word, label: shownWord(word) }))];
}

/** A word of the API as people read it: `Payment in` of `payment_in`. */
export function shownWord(word: string): string {
  return (word[0] ?? '').toUpperCase() + word.slice(1).replaceAll('_', ' ');
}

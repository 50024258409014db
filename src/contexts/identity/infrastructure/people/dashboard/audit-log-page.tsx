import type { VNode } from 'preact';
import { hasPermission } from '#shared/kernel/dashboard-access.js';
import type { PageUser } from '#shared/web/dashboard/dashboard-page.js';
import { type ListPageData, ListPage } from '#shared/web/dashboard/list-page.js';
import { t, type Word } from '#shared/web/dashboard/words/text.js';
import { RecordName, ShortId, TimeText } from '#shared/web/parts/values.js';
import { AUDIT_ACTION_WORDS } from './audit-actions.js';
import type { RecordedAuditEntry } from '../persistence/audit-log-queries.js';

export function auditLogPage(list: ListPageData<RecordedAuditEntry>): VNode {
  return (
    <ListPage
      {...list}
      place="/app/audit-log"
      caption="Changes, newest first"
      empty={{
        title: 'No changes yet.',
        note: 'Changes by people and API keys are recorded here, with their IP address.',
      }}
      columns={[
        { title: 'Action', brief: true, cell: (entry) => <ChangedValues entry={entry} /> },
        { title: 'Date', brief: true, cell: ({ at }) => <TimeText at={at} exact /> },
        {
          title: 'Actor',
          brief: true,
          cell: ({ actor, address }) => (
            <div>
              {actor.startsWith('svc.') ? <ShortId value={actor} /> : <bdi>{actor}</bdi>}
              {address !== null && <div class="note">{t('from {address}', { address })}</div>}
            </div>
          ),
        },
        {
          title: 'Object',
          brief: true,
          cell: (entry) => (
            <RecordName name={nameOf(entry)} id={entry.subjectId} href={pageOf(entry, list.visitor)} />
          ),
        },
      ]}
    />
  );
}

/** Paths of the objects that have a page, by the noun of the action. */
const PAGES = new Map([
  ['account', '/app/accounts'],
  ['credential', '/app/api-keys'],
  ['mail_rule', '/app/notices'],
  ['payment_link', '/app/links'],
  ['payment_request', '/app/payments'],
  ['point_of_sale', '/app/points-of-sale'],
  ['refund', '/app/refunds'],
  ['subscription', '/app/subscriptions'],
  ['webhook', '/app/webhooks'],
]);

/** A deleted object has no page, and neither has a paired phone, which is a credential too. */
function pageOf({ action, subjectId }: RecordedAuditEntry, { role }: PageUser): string | undefined {
  const noun = action.split('.')[0]!;
  const isMissing = action.endsWith('.deleted') || /^credential\.(paired|revoked)$/.test(action);
  const path = PAGES.get(noun);
  if (path === undefined || isMissing) return undefined;
  if (noun === 'credential' && !hasPermission(role, 'manage_keys')) return undefined;
  return `${path}/${subjectId}`;
}

/** Returns the name or email address of the object, if the entry has it. */
function nameOf({ before, after }: RecordedAuditEntry): string | undefined {
  const { name, email } = { ...before, ...after } as Record<string, unknown>;
  return [name, email].find((each) => typeof each === 'string');
}

/** Lists the changed values of an audit entry, one per line; all values if an object was created or deleted. */
function ChangedValues({ entry: { action, before, after } }: { entry: RecordedAuditEntry }): VNode {
  const [was, is] = [before ?? {}, after ?? {}] as Record<string, unknown>[];
  const names = [...new Set([...Object.keys(was!), ...Object.keys(is!)])];
  const changed = names.filter((name) => formatValue(was![name]) !== formatValue(is![name]));
  const words = (AUDIT_ACTION_WORDS as Partial<Record<string, Word>>)[action];
  // Entries of earlier versions can have other actions.
  const title = words === undefined ? <>{action}</> : <span title={action}>{t(words)}</span>;
  if (changed.length === 0) return title;
  return (
    <details>
      <summary>{title}</summary>
      {changed.map((name) => (
        <div>
          {name.replaceAll('_', ' ')}: {before !== null && <del>{formatValue(was![name])}</del>}{' '}
          {after !== null && formatValue(is![name])}
        </div>
      ))}
    </details>
  );
}

function formatValue(value: unknown): string {
  if (value === undefined || value === null) return '–';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

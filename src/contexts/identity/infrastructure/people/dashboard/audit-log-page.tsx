import type { VNode } from 'preact';
import { isUuid } from '#shared/kernel/ids.js';
import { type ListedPage, ListPage } from '#shared/web/dashboard/list-page.js';
import { t } from '#shared/web/dashboard/words/text.js';
import { ShortId, When } from '#shared/web/parts/values.js';
import type { RecordedAuditEntry } from '../persistence/audit-log-queries.js';

export function auditLogPage(list: ListedPage<RecordedAuditEntry>): VNode {
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
        { title: 'Date', cell: ({ at }) => <When at={at} /> },
        {
          title: 'Actor',
          cell: ({ actor, address }) => (
            <div>
              <bdi>{actor}</bdi>
              {address !== null && <div class="note">{t('from {address}', { address })}</div>}
            </div>
          ),
        },
        { title: 'Action', cell: ({ action }) => action.replace('.', ' ').replaceAll('_', ' ') },
        { title: 'Object', cell: ({ subjectId }) => <ShortId value={subjectId} href={pageOf(subjectId)} /> },
        { title: 'Before and after', wide: true, cell: (entry) => <Changes entry={entry} /> },
      ]}
    />
  );
}

/** Links to the search, which redirects to the object with this id. */
function pageOf(id: string): string | undefined {
  return isUuid(id) ? `/app/search?q=${id}` : undefined;
}

/** Lists the changed values, one per line; for a new or deleted object, all values. */
function Changes({ entry: { before, after } }: { entry: RecordedAuditEntry }): VNode {
  const [was, is] = [before ?? {}, after ?? {}] as Record<string, unknown>[];
  const names = [...new Set([...Object.keys(was!), ...Object.keys(is!)])];
  const changed = names.filter((name) => shown(was![name]) !== shown(is![name]));
  return (
    <details>
      <summary>{t('{count} value|{count} values', { count: changed.length })}</summary>
      {changed.map((name) => (
        <div>
          {name.replaceAll('_', ' ')}: {before !== null && <del>{shown(was![name])}</del>}{' '}
          {after !== null && shown(is![name])}
        </div>
      ))}
    </details>
  );
}

function shown(value: unknown): string {
  if (value === undefined || value === null) return '–';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

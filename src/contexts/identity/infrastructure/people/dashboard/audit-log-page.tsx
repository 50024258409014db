import type { VNode } from 'preact';
import { ListPage, type Listed } from '#shared/web/dashboard/list-page.js';
import { Time } from '#shared/web/dashboard/list-parts.js';
import type { RecordedAuditEntry } from '../persistence/audit-log-queries.js';

export function auditLogPage(list: Listed<RecordedAuditEntry>): VNode {
  return (
    <ListPage
      {...list}
      place="/app/audit-log"
      caption="Changes, newest first"
      empty="Nothing has been changed yet."
      columns={[
        { title: 'When', cell: ({ at }) => <Time at={at} /> },
        {
          title: 'Who',
          cell: ({ actor, address }) => (address === null ? actor : `${actor}, from ${address}`),
        },
        { title: 'What', cell: ({ action }) => action.replace('.', ' ').replaceAll('_', ' ') },
        { title: 'Of', cell: ({ subjectId }) => <code>{subjectId}</code> },
        { title: 'Before and after', cell: (entry) => <Changes entry={entry} /> },
      ]}
    />
  );
}

/** The values that differ; all values of a new or deleted thing. */
function Changes({ entry: { before, after } }: { entry: RecordedAuditEntry }): VNode {
  const [was, is] = [before ?? {}, after ?? {}] as Record<string, unknown>[];
  const names = [...new Set([...Object.keys(was!), ...Object.keys(is!)])];
  const changed = names.filter((name) => shown(was![name]) !== shown(is![name]));
  return (
    <details>
      <summary>{changed.length === 1 ? '1 value' : `${changed.length} values`}</summary>
      <dl class="facts">
        {changed.map((name) => (
          <div class="fact">
            <dt>{name.replaceAll('_', ' ')}</dt>
            <dd>
              {before !== null && <del>{shown(was![name])}</del>} {after !== null && shown(is![name])}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

function shown(value: unknown): string {
  if (value === undefined || value === null) return '–';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

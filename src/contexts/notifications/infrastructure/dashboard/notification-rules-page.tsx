import type { VNode } from 'preact';
import { CreateLink, ListPage, type Listed } from '#shared/web/dashboard/list-page.js';
import { Done } from '#shared/web/dashboard/list-parts.js';
import type { Word } from '#shared/web/dashboard/words/catalogue.js';
import { t, useWords } from '#shared/web/dashboard/words/text.js';
import { Badge } from '#shared/web/parts/badge.js';
import { EmptyState } from '#shared/web/parts/empty-state.js';
import { When } from '#shared/web/parts/when.js';
import { may } from '#shared/kernel/dashboard-access.js';
import type { ShownRule } from '../persistence/notification-rule-queries.js';
import { type RuleKind, kindsInWords } from '../../domain/notification-rule.js';

const DONE = { deleted: 'Rule deleted. It no longer sends emails.' } satisfies Record<string, Word>;

export function notificationRulesPage({
  done,
  ...list
}: Listed<ShownRule> & { done?: string | undefined }): VNode {
  const create = <CreateLink visitor={list.visitor} path="/app/notices/new" label="New notification rule" />;
  return (
    <ListPage
      {...list}
      place="/app/notices"
      actions={create}
      caption="Notification rules of all accounts, oldest first"
      empty={
        <EmptyState
          title="No notification rules yet."
          action={
            may(list.visitor.role, 'manage')
              ? { href: '/app/notices/new', label: 'New notification rule' }
              : undefined
          }
        >
          {t('A rule emails people about payment events, and weekly or monthly reports.')}
        </EmptyState>
      }
      columns={[
        {
          title: 'Events and reports',
          cell: ({ id, kinds }) => (
            <a href={`/app/notices/${id}`}>
              <Kinds of={kinds} />
            </a>
          ),
        },
        { title: 'Account', cell: ({ accountName }) => <bdi>{accountName}</bdi> },
        {
          title: 'Recipients',
          cell: ({ recipients }) => (
            <ul>
              {recipients.map((recipient) => (
                <li>
                  <bdi>{recipient.email}</bdi>{' '}
                  {recipient.state !== 'subscribed' && <Badge status={recipient.state} />}
                </li>
              ))}
            </ul>
          ),
        },
        { title: 'Last event email', cell: ({ lastMailedAt }) => <When at={lastMailedAt} /> },
      ]}
    >
      <Done done={done} notices={DONE} />
    </ListPage>
  );
}

export function Kinds({ of }: { readonly of: readonly RuleKind[] }): VNode {
  return <>{kindsInWords(of, useWords())}</>;
}

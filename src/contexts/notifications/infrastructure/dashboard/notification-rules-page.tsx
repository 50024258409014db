import type { VNode } from 'preact';
import { type ListPageData, ListPage } from '#shared/web/dashboard/list-page.js';
import { CompletedActionNotice } from '#shared/web/dashboard/page-parts.js';
import { useTranslator, type Word } from '#shared/web/dashboard/words/text.js';
import { StatusBadge } from '#shared/web/parts/status-badge.js';
import { TimeText } from '#shared/web/parts/values.js';
import type { FormActionOutcome } from '#shared/web/dashboard/form-fields.js';
import type { NotificationRuleView } from '../persistence/notification-rule-queries.js';
import { kindsInWords, type RuleKind } from '../../domain/notification-rule.js';

const DONE_NOTICES = { deleted: 'Rule deleted. It no longer sends emails.' } satisfies Record<string, Word>;

const CREATE_RULE_LINK = { path: '/app/notices/new', label: 'Create notification rule' } as const;

interface NotificationRulesProps
  extends ListPageData<NotificationRuleView>, Pick<FormActionOutcome, 'done'> {}

export function notificationRulesPage({ done, ...list }: NotificationRulesProps): VNode {
  return (
    <ListPage
      {...list}
      place="/app/notices"
      create={CREATE_RULE_LINK}
      caption="Notification rules of all accounts, oldest first"
      empty={{
        title: 'No notification rules yet.',
        note: 'A rule emails people about payment events, and weekly or monthly reports.',
      }}
      columns={[
        {
          title: 'Events and reports',
          cell: ({ id, kinds }) => (
            <a href={`/app/notices/${id}`}>
              <RuleKinds of={kinds} />
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
                  {recipient.state !== 'subscribed' && <StatusBadge status={recipient.state} />}
                </li>
              ))}
            </ul>
          ),
        },
        { title: 'Last notification', cell: ({ lastMailedAt }) => <TimeText at={lastMailedAt} /> },
      ]}
    >
      <CompletedActionNotice done={done} notices={DONE_NOTICES} />
    </ListPage>
  );
}

export function RuleKinds({ of }: { readonly of: readonly RuleKind[] }): VNode {
  return <>{kindsInWords(of, useTranslator())}</>;
}

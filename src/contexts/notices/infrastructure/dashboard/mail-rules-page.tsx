import type { VNode } from 'preact';
import { CreateLink, ListPage, type Listed } from '#shared/web/dashboard/list-page.js';
import { Done } from '#shared/web/dashboard/list-parts.js';
import type { Word } from '#shared/web/dashboard/words/catalogue.js';
import { t } from '#shared/web/dashboard/words/text.js';
import { Badge } from '#shared/web/parts/badge.js';
import { EmptyState } from '#shared/web/parts/empty-state.js';
import { When } from '#shared/web/parts/when.js';
import { may } from '#shared/kernel/dashboard-access.js';
import type { ShownRule } from '../persistence/mail-rule-queries.js';
import { Kinds } from './kinds.js';

const DONE = { deleted: 'The rule is deleted. Nothing is mailed by it any more.' } satisfies Record<
  string,
  Word
>;

export function mailRulesPage({ done, ...list }: Listed<ShownRule> & { done?: string | undefined }): VNode {
  const create = <CreateLink visitor={list.visitor} path="/app/notices/new" label="New mail rule" />;
  return (
    <ListPage
      {...list}
      place="/app/notices"
      actions={create}
      caption="Mail rules of all accounts, oldest first"
      empty={
        <EmptyState
          title="No mail is set up."
          action={
            may(list.visitor.role, 'manage')
              ? { href: '/app/notices/new', label: 'New mail rule' }
              : undefined
          }
        >
          {t('A rule mails people what happens to payments, and figures of each week or month.')}
        </EmptyState>
      }
      columns={[
        {
          title: 'Mail on',
          cell: ({ id, kinds }) => (
            <a href={`/app/notices/${id}`}>
              <Kinds of={kinds} />
            </a>
          ),
        },
        { title: 'Account', cell: ({ accountName }) => <bdi>{accountName}</bdi> },
        {
          title: 'Mail to',
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
        { title: 'Last events mailed', cell: ({ lastMailedAt }) => <When at={lastMailedAt} /> },
      ]}
    >
      <Done done={done} notices={DONE} />
    </ListPage>
  );
}
